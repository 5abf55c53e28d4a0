/** Evolution's One Wallet: a bet is named by its refId, which its debit, its credit and its cancel share. */
import { Deadline } from "../frame/deadline.ts";
import { RawNumber, readAmount, toPlaces, writeJson } from "../frame/decimals.ts";
import { answering, Refusal } from "../frame/extras/refusal.ts";
import { derivedId } from "../frame/ids.ts";
import { FieldFault, Fields, parseJson } from "../frame/json.ts";
import { newToken } from "../frame/launch.ts";
import type { Parts } from "../frame/process.ts";
import type { WalletApi, WireAnswer, WireRequest } from "../frame/server.ts";
import type { Player, Session } from "../frame/state/store.ts";
import type { Outcome } from "../frame/verdict.ts";
import { sameText } from "../frame/verify.ts";
import type { VARIABLES } from "./settings.ts";
import { type Call, STATUSES, type Status } from "./statuses.ts";

/** Balances have six decimals on the wire. */
const PLACES = 6;
/** Evolution waits less for `check`. */
const CHECK_MS = 2_000;
/** How long a table that the catalog does not have counts as a part of the session's game. */
const UNKNOWN_TABLE_MS = 60_000;
const UNKNOWN_TABLES_MAX = 1_000;

/** What a payout is for. Every type that is not here is a promotion. */
const PROMO_KINDS: Readonly<Record<string, string>> = {
  JackpotWin: "jackpot",
  FreeRoundPlayableSpent: "free_rounds",
};

class Refused extends Refusal<Status> {}

/** The player of a settlement, and the game of the player's session. */
interface Settling {
  readonly player: Player;
  readonly sessionGame: string;
}

interface Money {
  readonly roundId: string;
  readonly currency: string;
  readonly transactionId: string;
  readonly refId: string;
  readonly amount: { readonly minor: bigint; readonly rest: string };
}

export class EvolutionApi implements WalletApi {
  readonly #parts: Parts<typeof VARIABLES>;
  readonly #unknownTables = new Map<string, number>();

  constructor(parts: Parts<typeof VARIABLES>) {
    this.#parts = parts;
  }

  async answer(request: WireRequest): Promise<WireAnswer | undefined> {
    const { settings } = this.#parts;
    const call = request.path.split("/").at(-1) ?? "";
    const route = this.#routes[call];
    if (route === undefined || request.method !== "POST" || (call === "sid" && !settings.EVOLUTION_SID_CALL))
      return undefined;
    const deadline = new Deadline(
      call === "check" ? Math.min(CHECK_MS, settings.EVOLUTION_TIMEOUT_MS) : settings.EVOLUTION_TIMEOUT_MS,
      request,
    );
    const uuid = uuidOf(request.body);
    const tokens = request.query.getAll("authToken");
    if (tokens.length !== 1 || !sameText(tokens[0] ?? "", settings.EVOLUTION_AUTH_TOKEN))
      return { ...written({ status: "INVALID_TOKEN_ID", uuid }), http: settings.EVOLUTION_WRONG_TOKEN_HTTP };
    return answering<Status>(
      "INVALID_PARAMETER",
      (status) => written({ status, uuid }),
      async () => {
        if (request.body === undefined) throw new Refused("INVALID_PARAMETER");
        return route(new Fields(parseJson(request.body)), uuid, deadline);
      },
    );
  }

  failure({ body }: WireRequest): WireAnswer {
    return written({ status: "TEMPORARY_ERROR", uuid: uuidOf(body), retransmission: true });
  }

  readonly #routes: Readonly<
    Record<string, (fields: Fields, uuid: string | undefined, deadline: Deadline) => Promise<WireAnswer>>
  > = {
    check: async (fields, uuid, deadline) => {
      const sid = fields.text("sid");
      const session = await this.#session(fields);
      const verdict = await this.#parts.desk.touch(session, deadline);
      const status = STATUSES.balance[verdict];
      if (status !== "OK")
        return written({ status, uuid, ...(status === "TEMPORARY_ERROR" && { retransmission: true }) });
      const next = newToken();
      await this.#parts.store.addSession(session, next);
      await this.#parts.store.replaceToken(sid);
      return written({ status, sid: next, uuid });
    },
    // Evolution's own tests of a licensee ask for a session with this call.
    sid: async (fields, uuid) => {
      const player = await this.#parts.store.player(fields.text("userId"));
      if (player === undefined) throw new Refused("INVALID_SID");
      const sid = newToken();
      await this.#parts.store.addSession(player, sid);
      return written({ status: "OK", sid, uuid });
    },
    balance: async (fields, uuid, deadline) => {
      const session = await this.#session(fields);
      const currency = fields.optionalText("currency", 8);
      if (currency !== undefined && currency !== session.currency) throw new Refused("INVALID_PARAMETER");
      const found = await this.#parts.desk.sessionBalance(session, session.game, deadline);
      return this.#settled("balance", found, session, uuid);
    },
    debit: async (fields, uuid, deadline) => {
      const { roundId, currency, refId, amount } = moneyOf(fields);
      const session = await this.#session(fields);
      const bet = { session, txId: derivedId("d-", refId), roundId, currency, amount };
      const result = await this.#atTable(tableOf(fields), session.game, (game) =>
        this.#parts.desk.bet({ ...bet, game }, deadline),
      );
      const status = result.verdict === "ok" && result.replayed ? "BET_ALREADY_EXIST" : undefined;
      return this.#settled("debit", result, session, uuid, status);
    },
    credit: async (fields, uuid, deadline) => {
      const { roundId, currency, transactionId, refId, amount } = moneyOf(fields);
      const { player, sessionGame } = await this.#settling(fields);
      const bet = { betTxId: derivedId("d-", refId), settles: true };
      const win = { player, txId: derivedId("c-", transactionId), roundId, currency, amount, ...bet };
      const found = await this.#atTable(tableOf(fields), sessionGame, (game) =>
        this.#parts.desk.win({ ...win, game }, deadline),
      );
      return this.#settled("credit", found, player, uuid);
    },
    cancel: async (fields, uuid, deadline) => {
      const { refId } = moneyOf(fields);
      const { player, sessionGame: game } = await this.#settling(fields);
      const names = { txId: derivedId("x-", refId), refTxId: derivedId("d-", refId) };
      const found = await this.#parts.desk.reverse({ player, game, ...names, unlessSettled: true }, deadline);
      return this.#settled("cancel", found, player, uuid, cancelStatus(found));
    },
    promo_payout: async (fields, uuid, deadline) => {
      const promo = fields.object("promoTransaction");
      const kind = PROMO_KINDS[promo.text("type", 64)] ?? "promo";
      const promoId = promo.label("voucherId");
      const labels = { kind, ...(promoId !== undefined && { promoId }) };
      const id = promo.text("id", 128);
      const currency = fields.text("currency", 8);
      const amount = amountOf(promo, currency);
      const { player, sessionGame } = await this.#settling(fields);
      const txId = derivedId("p-", id);
      const roundId = fields.optionalObject("game")?.optionalText("id", 128) ?? txId;
      const win = { player, txId, roundId, currency, amount, labels };
      const found = await this.#atTable(tableOf(fields), sessionGame, (game) =>
        this.#parts.desk.win({ ...win, game }, deadline),
      );
      return this.#settled("credit", found, player, uuid);
    },
  };

  /** The session of a call that may be refused. Its sid must be the newest one of its line, and the user's own. */
  async #session(fields: Fields): Promise<Session> {
    const session = await this.#parts.store.session(fields.text("sid"));
    if (session === undefined || session.isReplaced || session.alias !== fields.text("userId"))
      throw new Refused("INVALID_SID");
    return session;
  }

  /** The player of a settlement. An old or forgotten sid is good, but not the sid of another user. */
  async #settling(fields: Fields): Promise<Settling> {
    const userId = fields.text("userId");
    const sid = fields.optionalText("sid");
    const session = sid === undefined ? undefined : await this.#parts.store.session(sid);
    if (session !== undefined && session.alias !== userId) throw new Refused("INVALID_SID");
    const player = session ?? (await this.#parts.store.player(userId));
    if (player === undefined) throw new Refused("INVALID_SID");
    return { player, sessionGame: player.game };
  }

  /**
   * Makes a call under the table's own game. A table that the catalog does not have counts as a part of the session's
   * game, because a player of a lobby goes from table to table.
   */
  async #atTable<T extends Outcome>(
    table: string | undefined,
    sessionGame: string,
    call: (game: string) => Promise<T>,
  ): Promise<T> {
    const isUnknown = table === undefined || (this.#unknownTables.get(table) ?? 0) > performance.now();
    if (isUnknown || table === sessionGame) return call(sessionGame);
    const found = await call(table);
    if (found.verdict !== "game") return found;
    if (this.#unknownTables.size >= UNKNOWN_TABLES_MAX) this.#unknownTables.clear();
    this.#unknownTables.set(table, performance.now() + UNKNOWN_TABLE_MS);
    return call(sessionGame);
  }

  #settled(
    call: Call,
    { verdict, balance }: Outcome,
    { currency }: Player,
    uuid: string | undefined,
    status: Status = STATUSES[call][verdict],
  ): WireAnswer {
    return written({
      status,
      ...(balance !== undefined && { balance: new RawNumber(toPlaces(balance, currency, PLACES)), bonus: 0 }),
      uuid,
      ...(status === "TEMPORARY_ERROR" && { retransmission: true }),
    });
  }
}

const written = (answer: { readonly status: Status; readonly [name: string]: unknown }): WireAnswer => ({
  status: answer.status,
  body: writeJson(answer),
});

/** The status of a cancel that the table alone cannot tell; undefined: the table's. */
function cancelStatus({ verdict, what, replayed }: Outcome & { readonly what: string }): Status | undefined {
  if (verdict !== "ok") return undefined;
  if (what === "unknown" || what === "nothing") return "BET_DOES_NOT_EXIST";
  return replayed ? "BET_ALREADY_SETTLED" : undefined;
}

const tableOf = (fields: Fields): string | undefined =>
  fields.optionalObject("game")?.optionalObject("details")?.optionalObject("table")?.optionalText("id", 128);

function moneyOf(fields: Fields): Money {
  const currency = fields.text("currency", 8);
  const transaction = fields.object("transaction");
  return {
    roundId: fields.object("game").text("id", 128),
    currency,
    transactionId: transaction.text("id", 128),
    refId: transaction.text("refId", 128),
    amount: amountOf(transaction, currency),
  };
}

function amountOf(fields: Fields, currency: string) {
  const amount = readAmount(fields.number("amount"), currency);
  if (amount === undefined) throw new FieldFault("type", "amount");
  return amount;
}

/** The uuid of the request, if the body can be read so far. */
function uuidOf(body: Buffer | undefined): string | undefined {
  try {
    return new Fields(parseJson(body ?? Buffer.alloc(0))).optionalText("uuid");
  } catch {
    return undefined;
  }
}
