/** PG Soft's seamless wallet: form bodies with the operator's secrets, always HTTP 200, and bet and win in one call. */
import { Deadline } from "../frame/deadline.ts";
import { type Amount, RawNumber, readAmount, toPlaces, writeJson } from "../frame/decimals.ts";
import type { Labels } from "../frame/desk.ts";
import { answering, Refusal } from "../frame/extras/refusal.ts";
import { Rounds } from "../frame/extras/rounds.ts";
import { parseForm } from "../frame/form.ts";
import { derivedId } from "../frame/ids.ts";
import { FieldFault, Fields } from "../frame/json.ts";
import type { Parts } from "../frame/process.ts";
import type { WalletApi, WireAnswer, WireRequest } from "../frame/server.ts";
import type { Player, Session } from "../frame/state/store.ts";
import type { Outcome } from "../frame/verdict.ts";
import { sameText } from "../frame/verify.ts";
import { type Call, CODES, type Code, MESSAGES } from "./codes.ts";
import type { VARIABLES } from "./settings.ts";

/** Amounts have two decimals. */
const PLACES = 2;
const ROUTE = /(?:^|\/)(VerifySession|Cash\/(?:Get|TransferInOut|Adjustment|UpdateBetDetail))$/;
/** The types of transfers that give what a player has won without a bet of their own. */
const FREE_KINDS: Readonly<Record<string, string>> = { "400": "promo", "403": "free_rounds" };

class Refused extends Refusal<Code> {}

type Handler = (fields: Fields, deadline: Deadline) => Promise<WireAnswer>;

export class PgSoftApi implements WalletApi {
  readonly #parts: Parts<typeof VARIABLES>;
  readonly #rounds: Rounds;

  constructor(parts: Parts<typeof VARIABLES>) {
    this.#parts = parts;
    this.#rounds = new Rounds(parts);
  }

  async answer({ method, path, body, hasHungUp }: WireRequest): Promise<WireAnswer | undefined> {
    const { PGSOFT_TIMEOUT_MS, PGSOFT_OPERATOR_TOKEN, PGSOFT_SECRET_KEY } = this.#parts.settings;
    const route = ROUTE.exec(path)?.[1] ?? "";
    const handler = this.#routes[route];
    if (handler === undefined || method !== "POST") return undefined;
    const deadline = new Deadline(PGSOFT_TIMEOUT_MS, { hasHungUp });
    const answer = await answering<Code>(1034, refusal, async () => {
      if (body === undefined) throw new Refused(1034);
      const form = parseForm(body);
      const isOperator = sameText(form.operator_token ?? "", PGSOFT_OPERATOR_TOKEN);
      if (!sameText(form.secret_key ?? "", PGSOFT_SECRET_KEY) || !isOperator) throw new Refused(1204);
      return handler(new Fields(form), deadline);
    });
    return { ...answer, route: `/${route}` };
  }

  failure(): WireAnswer {
    return refusal(1200);
  }

  readonly #routes: Readonly<Record<string, Handler>> = {
    VerifySession: async (fields, deadline) => {
      const session = await this.#session(fields, undefined);
      const code = CODES.session[await this.#parts.desk.touch(session, deadline)];
      if (code !== 0) throw new Refused(code);
      return success({ player_name: session.alias, nickname: session.alias, currency: session.currency });
    },
    "Cash/Get": async (fields, deadline) => {
      const session = await this.#session(fields, fields.text("player_name", 64));
      const found = await this.#parts.desk.sessionBalance(session, gameOf(fields, session), deadline);
      return settled("balance", found, session, (balance) => ({
        currency_code: session.currency,
        balance_amount: balance,
        updated_time: new RawNumber(String(Date.now())),
      }));
    },
    "Cash/TransferInOut": (...call) => this.#transfer(...call),
    "Cash/Adjustment": (...call) => this.#adjustment(...call),
    // Nothing is to be done: the aggregator has no details of bets.
    "Cash/UpdateBetDetail": async () => success({ is_success: true }),
  };

  /** The bet and win of a spin, or the win of a spin without a bet of its own. */
  async #transfer(fields: Fields, deadline: Deadline): Promise<WireAnswer> {
    const alias = fields.text("player_name", 64);
    const updatedTime = integerOf(fields, "updated_time");
    // Such a call comes again because its first answer was unclear, also when the session is over.
    const isLate = isTrue(fields, "is_validate_bet") || isTrue(fields, "is_adjustment");
    const session = isLate ? await this.#player(alias) : await this.#session(fields, alias);
    const { currency } = session;
    if (fields.text("currency_code", 8) !== currency) throw new Refused(1034);
    const [stake, payout, transfer] = ["bet_amount", "win_amount", "transfer_amount"].map((name) =>
      exact(fields, name),
    );
    if (stake === undefined || payout === undefined || payout - stake !== transfer) throw new Refused(3073);
    const id = fields.text("transaction_id", 255);
    const key = this.#parts.settings.PGSOFT_WHOLE_ID ? id : id.split("-").slice(0, 3).join("-");
    const type = id.split("-")[2] ?? "";
    const isFeatureBuy = isTrue(fields, "is_feature_buy");
    const common = {
      session,
      roundId: fields.text("parent_bet_id", 128),
      game: gameOf(fields, session),
      currency,
      roundEnded: isTrue(fields, "is_end_round"),
    };
    const bet = {
      txId: derivedId("b~", key),
      amount: amountOf(fields, "bet_amount", currency),
      labels: isFeatureBuy ? { kind: "feature_buy" } : {},
    };
    const freeKind = FREE_KINDS[type];
    const labels: Labels = freeKind === undefined ? {} : { kind: freeKind };
    const win = { txId: derivedId("w~", key), amount: amountOf(fields, "win_amount", currency), labels };
    const answer = (call: Call, found: Outcome) =>
      settled(call, found, session, (balance) => ({
        currency_code: currency,
        balance_amount: balance,
        updated_time: new RawNumber(updatedTime),
      }));
    if (stake === 0n) {
      const isFree = freeKind !== undefined || isTrue(fields, "is_parent_zero_stake") || !isCash(fields);
      return answer("win", await this.#rounds.settle({ ...common, ...win, player: session }, isFree, deadline));
    }
    const found = await this.#parts.desk.play({ ...common, bet, win }, deadline);
    const isTaken = found.verdict === "ok";
    const result = isLate && (found.verdict === "expired" || found.verdict === "session") ? "rejected" : found.verdict;
    return isTaken
      ? answer("win", { ...found, verdict: found.win.verdict })
      : answer("spin", { ...found, verdict: result });
  }

  /** A prize or a correction. One below 0 is taken whatever the state of the session is. */
  async #adjustment(fields: Fields, deadline: Deadline): Promise<WireAnswer> {
    const player = await this.#player(fields.text("player_name", 64));
    const { currency } = player;
    if (fields.text("currency_code", 8) !== currency) throw new Refused(1034);
    const time = integerOf(fields, "adjustment_time");
    const id = fields.text("adjustment_transaction_id", 255);
    const signed = fields.text("transfer_amount", 40);
    const isDebit = signed.startsWith("-");
    const amount = readAmount(isDebit ? signed.slice(1) : signed, currency);
    if (amount === undefined) throw new FieldFault("type", "transfer_amount");
    const txId = derivedId("a~", id);
    const money = { txId, roundId: txId, game: player.game, currency, amount, labels: { kind: "adjustment" } };
    const found = isDebit
      ? await this.#parts.desk.bet({ ...money, session: player }, deadline)
      : await this.#parts.desk.win({ ...money, player }, deadline);
    const moved = isDebit ? -amount.minor : amount.minor;
    return settled(isDebit ? "spin" : "win", found, player, (balance, minor) => ({
      adjust_amount: decimal(moved, player),
      balance_before: decimal(found.before ?? minor - moved, player),
      balance_after: balance,
      updated_time: new RawNumber(time),
    }));
  }

  async #session(fields: Fields, alias: string | undefined): Promise<Session> {
    const session = await this.#parts.store.session(fields.text("operator_player_session", 200));
    if (session === undefined) throw new Refused(1300);
    if (alias !== undefined && alias !== session.alias) throw new Refused(1305);
    return session;
  }

  /** The player of a call that needs no session, with the newest one. */
  async #player(alias: string): Promise<Session> {
    const player = await this.#parts.store.player(alias);
    if (player === undefined) throw new Refused(3004);
    return player;
  }
}

/** A flag of a form. */
const isTrue = (fields: Fields, name: string): boolean => /^(true|1)$/i.test(fields.label(name) ?? "");

/** Whether the money is the player's cash, and not that of free games or a bonus. */
const isCash = (fields: Fields): boolean => (fields.label("wallet_type") ?? "C") === "C";

const gameOf = (fields: Fields, { game }: Player): string => fields.optionalText("game_id", 128) ?? game;

function integerOf(fields: Fields, name: string): string {
  const given = fields.text(name, 20);
  if (!/^\d+$/.test(given)) throw new FieldFault("type", name);
  return given;
}

function amountOf(fields: Fields, name: string, currency: string): Amount {
  const amount = readAmount(fields.text(name, 40), currency);
  if (amount === undefined) throw new FieldFault("type", name);
  return amount;
}

/** A decimal as an integer of 10^-12, for an exact comparison. */
function exact(fields: Fields, name: string): bigint {
  const [, sign = "", whole = "", fraction = ""] =
    /^(-?)(\d{1,15})(?:\.(\d{1,12}))?$/.exec(fields.text(name, 40)) ?? [];
  if (whole === "") throw new FieldFault("type", name);
  return BigInt(`${sign}${whole}${fraction.padEnd(12, "0")}`);
}

const decimal = (minor: bigint, { currency }: Player): RawNumber => new RawNumber(toPlaces(minor, currency, PLACES));

/** The answer to an outcome. A success must say the balance, so without one nobody can say more than "unclear". */
function settled(
  call: Call,
  { verdict, balance }: Outcome,
  player: Player,
  data: (balance: RawNumber, minor: bigint) => object,
): WireAnswer {
  const code = CODES[call][verdict];
  if (code !== 0) return refusal(code);
  return balance === undefined ? refusal(1200) : success(data(decimal(balance, player), balance));
}

const success = (data: object): WireAnswer => ({ status: "ok", body: writeJson({ data, error: null }) });

const refusal = (code: Code): WireAnswer => ({
  status: String(code),
  body: writeJson({ data: null, error: { code: String(code), message: MESSAGES[code] } }),
});
