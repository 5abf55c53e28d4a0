/** The wallet API that Slotegrator GIS calls: one address, form bodies, and the field `action` says what is wanted. */
import { TransactionAction } from "../../src/gen/aggregator/provider/v1/transaction_record_pb.ts";
import { Deadline } from "../frame/deadline.ts";
import { type Amount, RawNumber, readAmount, toPlaces, writeJson } from "../frame/decimals.ts";
import { ownReversalId } from "../frame/finisher.ts";
import { derivedId } from "../frame/ids.ts";
import { FieldFault, Fields, JsonFault } from "../frame/json.ts";
import type { Parts } from "../frame/process.ts";
import type { WalletApi, WireAnswer, WireRequest } from "../frame/server.ts";
import type { Session } from "../frame/state/store.ts";
import type { Outcome } from "../frame/verdict.ts";
import { ANSWERS, type Call, type ErrorCode, KINDS } from "./answers.ts";
import { formFields, parseForm } from "./form.ts";
import { type Item, itemsOf, listFault } from "./rollback-list.ts";
import type { SlotegratorVariables } from "./settings.ts";
import { verifies } from "./sign.ts";

/** A balance has four decimals. */
const PLACES = 4;

/** A request that is answered with an error before the aggregator is asked. */
class Refused extends Error {
  override readonly name = "Refused";
}

type SlotegratorAnswer = WireAnswer & { readonly route: string };

export class SlotegratorApi implements WalletApi {
  readonly #parts: Parts<SlotegratorVariables>;

  constructor(parts: Parts<SlotegratorVariables>) {
    this.#parts = parts;
  }

  async answer(request: WireRequest): Promise<WireAnswer | undefined> {
    if (request.method !== "POST") return undefined;
    const { SLOTEGRATOR_TIMEOUT_MS, SLOTEGRATOR_MERCHANT_ID, SLOTEGRATOR_MERCHANT_KEY } = this.#parts.settings;
    const deadline = new Deadline(SLOTEGRATOR_TIMEOUT_MS, request);
    let action = "none";
    try {
      if (request.body === undefined) throw new Refused("the body is too large");
      const form = parseForm(request.body);
      const headers = {
        "X-Merchant-Id": request.header("x-merchant-id"),
        "X-Timestamp": request.header("x-timestamp"),
        "X-Nonce": request.header("x-nonce"),
      };
      const merchant = { merchantId: SLOTEGRATOR_MERCHANT_ID, merchantKey: SLOTEGRATOR_MERCHANT_KEY };
      if (!verifies(form, headers, request.header("x-sign"), merchant))
        return { ...refusal("INTERNAL_ERROR", "the signature is wrong"), http: 403, route: action };
      const fields = new Fields(formFields(form));
      const given = fields.text("action", 32);
      if (!isCall(given)) throw new Refused("the action is not known");
      action = given;
      return { ...(await this.#answerTo(given, fields, deadline)), route: action };
    } catch (cause) {
      if (cause instanceof Refused || cause instanceof JsonFault)
        return { ...refusal("INTERNAL_ERROR", cause.message), route: action };
      if (cause instanceof FieldFault)
        return { ...refusal("INTERNAL_ERROR", `${cause.field} is ${FAULTS[cause.kind]}`), route: action };
      throw cause;
    }
  }

  failure(): SlotegratorAnswer {
    return { ...refusal("INTERNAL_ERROR", "the outcome is not known"), route: "failure" };
  }

  async #answerTo(call: Call, fields: Fields, deadline: Deadline): Promise<WireAnswer> {
    const player = await this.#parts.store.player(fields.text("player_id"));
    if (player === undefined) throw new Refused("the player is not known");
    if (fields.text("currency", 8) !== player.currency) throw new Refused("the currency is not the player's");
    switch (call) {
      case "balance":
        return this.#balance(fields, player, deadline);
      case "bet":
        return this.#bet(fields, player, deadline);
      case "win":
        return this.#win(fields, player, deadline);
      case "refund":
        return this.#refund(fields, player, deadline);
      case "rollback":
        return this.#rollback(fields, player, deadline);
    }
  }

  /** A question with the session's id is a use of the session. */
  async #balance(fields: Fields, player: Session, deadline: Deadline): Promise<WireAnswer> {
    const { store, desk } = this.#parts;
    const token = fields.optionalText("session_id");
    const session = token === undefined ? undefined : await store.session(token);
    const found =
      session?.alias === player.alias
        ? await desk.sessionBalance(session, session.game, deadline)
        : await desk.balance(player, player.game, deadline);
    return written("balance", found, player, {});
  }

  async #bet(fields: Fields, player: Session, deadline: Deadline): Promise<WireAnswer> {
    const money = this.#moneyOf("bet", fields, player);
    const session = await this.#parts.store.session(fields.text("session_id"));
    if (session?.alias !== player.alias) throw new Refused("session_id is not known, or it is another player's");
    const result = await this.#parts.desk.bet({ ...money, session }, deadline);
    return this.#moved("bet", result, money, player, deadline);
  }

  #moneyOf(of: "bet" | "win", fields: Fields, player: Session) {
    const isEnd = this.#parts.settings.SLOTEGRATOR_ROUND_ENDS && ["1", "true"].includes(fields.label("finished") ?? "");
    return { ...moneyOf(of, fields, player), roundEnded: isEnd };
  }

  async #win(fields: Fields, player: Session, deadline: Deadline): Promise<WireAnswer> {
    const money = this.#moneyOf("win", fields, player);
    const found = await this.#parts.desk.win({ ...money, player }, deadline);
    return this.#moved("win", found, money, player, deadline);
  }

  /**
   * The answer to a bet or win. If the provider itself has reversed it since, its repeat is answered as the first time.
   * One that comes after its reversal moves no money, so only an amount of 0 is a success.
   */
  async #moved(
    call: "bet" | "win",
    found: Outcome,
    { txId, amount }: { readonly txId: string; readonly amount: Amount },
    player: Session,
    deadline: Deadline,
  ): Promise<WireAnswer> {
    let result = found;
    if (found.verdict === "reversed" && amount.minor === 0n) result = { ...found, verdict: "ok" };
    else if (found.verdict === "reversed") {
      const transaction = await this.#parts.desk.record(txId, player, deadline);
      if (transaction !== undefined && transaction.reversedBy !== ownReversalId(txId))
        result = {
          ...found,
          verdict: "ok",
          balance: transaction.balanceMinor ?? found.balance,
          wireId: transaction.wireTxId,
        };
    }
    return written(call, result, player, { transaction_id: result.wireId || txId });
  }

  async #refund(fields: Fields, player: Session, deadline: Deadline): Promise<WireAnswer> {
    const txId = idOf(fields, "transaction_id");
    const refTxId = idOf(fields, "bet_transaction_id");
    const amountMinor = amountOf(fields, player).minor;
    // The round and the game are not passed on: a wrong one must not keep the player's money.
    const reversal = { player, txId, refTxId, game: player.game, onlyBet: true, amountMinor } as const;
    let found = await this.#parts.desk.reverse(reversal, deadline);
    // The refund of a win moves nothing, and Slotegrator expects a success.
    if (found.verdict === "other_reference" && (await this.#isWin(refTxId, player, deadline)))
      found = { ...found, verdict: "ok" };
    return written("refund", found, player, { transaction_id: found.wireId || txId });
  }

  async #isWin(txId: string, player: Session, deadline: Deadline): Promise<boolean> {
    const transaction = await this.#parts.desk.record(txId, player, deadline);
    return transaction?.action === TransactionAction.WIN && transaction.playerRef === player.playerRef;
  }

  /**
   * Reverses a list. A list with a contradiction moves nothing. Bets are given back before wins are taken back, so the
   * funds suffice more often.
   */
  async #rollback(fields: Fields, player: Session, deadline: Deadline): Promise<WireAnswer> {
    const txId = idOf(fields, "transaction_id");
    const items = itemsOf(fields, player.currency);
    const records = await Promise.all(items.map((item) => this.#parts.desk.record(item.txId, player, deadline)));
    const fault = listFault(items, records, player);
    if (fault !== undefined) throw new Refused(fault);
    const reversals = [...items.filter(is("bet")), ...items.filter(is("win"))];
    let last: Outcome | undefined;
    for (const item of reversals) {
      const own = derivedId("rollback~", `${txId}~${item.txId}`);
      const { action, txId: refTxId, amountMinor } = item;
      const found = await this.#parts.desk.reverse(
        { player, txId: own, refTxId, game: player.game, onlyBet: action === "bet", amountMinor },
        deadline,
      );
      const call = action === "bet" ? "refund" : "rollback";
      if (ANSWERS[call][found.verdict] !== "ok") return written(call, found, player, {});
      // A transaction that another call had reversed before has the balance of that time.
      if (found.wireId.endsWith(`:${own}`)) last = found;
    }
    const result = last ?? (await this.#parts.desk.balance(player, player.game, deadline));
    return written("rollback", result, player, {
      transaction_id: txId,
      rollback_transactions: items.map(({ given }) => given),
    });
  }
}

const FAULTS = { missing: "missing", type: "wrong" } as const;

const isCall = (action: string): action is Call => Object.hasOwn(ANSWERS, action);

const is =
  <A extends Item["action"]>(action: A) =>
  (item: Item): item is Item & { readonly action: A } =>
    item.action === action;

/** The id at the aggregator, which has a limit. */
const idOf = (fields: Fields, name: string): string => derivedId("", fields.text(name));

function moneyOf(of: "bet" | "win", fields: Fields, player: Session) {
  const txId = idOf(fields, "transaction_id");
  return {
    txId,
    // Some games have no rounds. Their bets and wins each have one of their own.
    roundId: fields.optionalText("round_id", 128) ?? txId,
    game: fields.text("game_uuid", 128),
    currency: player.currency,
    amount: amountOf(fields, player),
    labels: {
      kind: KINDS[of][fields.text("type", 64)] ?? "",
      promoId: fields.optionalText("freespin_id", 128) ?? "",
    },
  };
}

function amountOf(fields: Fields, { currency }: Session): Amount {
  const amount = readAmount(fields.text("amount", 64), currency);
  if (amount === undefined) throw new FieldFault("type", "amount");
  return amount;
}

/** The answer to an outcome. A success needs a balance, so without one nobody can say more than "unclear". */
function written(call: Call, { verdict, balance, code }: Outcome, { currency }: Session, more: object): WireAnswer {
  const answer = ANSWERS[call][verdict];
  if (answer !== "ok") return refusal(answer, code === "" ? verdict : code);
  if (balance === undefined) return refusal("INTERNAL_ERROR", "the balance is not known");
  return { status: "ok", body: writeJson({ balance: new RawNumber(toPlaces(balance, currency, PLACES)), ...more }) };
}

const refusal = (code: ErrorCode, description: string): WireAnswer => ({
  status: code,
  body: writeJson({ error_code: code, error_description: description }),
});
