/** Pragmatic Play's seamless wallet: form bodies with an MD5 hash, JSON answers, always HTTP 200. */
import { Deadline } from "../frame/deadline.ts";
import { RawNumber, toPlaces, writeJson } from "../frame/decimals.ts";
import type { Win } from "../frame/desk.ts";
import { answering, Refusal } from "../frame/extras/refusal.ts";
import { isTaken, Rounds } from "../frame/extras/rounds.ts";
import { parseForm } from "../frame/form.ts";
import { derivedId } from "../frame/ids.ts";
import { Fields } from "../frame/json.ts";
import type { Parts } from "../frame/process.ts";
import type { WalletApi, WireAnswer, WireRequest } from "../frame/server.ts";
import type { Player, Session } from "../frame/state/store.ts";
import { type Outcome, outcome } from "../frame/verdict.ts";
import { sameText } from "../frame/verify.ts";
import { type Call, DESCRIPTIONS, ERRORS, type ErrorCode } from "./errors.ts";
import { hashOf } from "./hash.ts";
import {
  adjustmentOf,
  betLabels,
  gameOf,
  isFree,
  moneyOf,
  promoOfResult,
  promoWinOf,
  referenceOf,
  resultLabels,
  roundOf,
} from "./request.ts";
import type { VARIABLES } from "./settings.ts";

/** All amounts of answers have two decimals. */
const PLACES = 2;
const NO_MONEY = new RawNumber("0.00");

class Refused extends Refusal<ErrorCode> {}

type Answer = Pick<WireAnswer, "status" | "body">;
type Handler = (fields: Fields, deadline: Deadline) => Promise<Answer>;

export class PragmaticApi implements WalletApi {
  readonly #parts: Parts<typeof VARIABLES>;
  readonly #rounds: Rounds;
  readonly #handlers: ReadonlyMap<string, Handler>;

  constructor(parts: Parts<typeof VARIABLES>) {
    this.#parts = parts;
    this.#rounds = new Rounds(parts);
    this.#handlers = new Map<string, Handler>([
      ["authenticate", (...call) => this.#authenticate(...call)],
      ["balance", (...call) => this.#balance(...call)],
      ["getBalancePerGame", (...call) => this.#balancePerGame(...call)],
      ["bet", (...call) => this.#bet(...call)],
      ["result", (...call) => this.#result(...call)],
      ["bonusWin", (...call) => this.#bonusWin(...call)],
      ["jackpotWin", (...call) => this.#jackpotWin(...call)],
      ["promoWin", (...call) => this.#promoWin(...call)],
      ["refund", (...call) => this.#refund(...call)],
      ["adjustment", (...call) => this.#adjustment(...call)],
      ["endRound", (...call) => this.#endRound(...call)],
      // Nothing is to be done: the session and the round are kept by the aggregator.
      ["sessionExpired", async () => written(0)],
      ["roundDetails", async () => written(0)],
    ]);
  }

  async answer(request: WireRequest): Promise<WireAnswer | undefined> {
    const method = methodOf(request);
    const handler = this.#handlers.get(method);
    if (handler === undefined || request.method !== "POST") return undefined;
    const deadline = new Deadline(this.#parts.settings.PRAGMATIC_TIMEOUT_MS, request);
    return { ...(await this.#answer(request, handler, deadline)), route: `/${method}.html` };
  }

  failure(request: WireRequest): WireAnswer {
    const method = methodOf(request);
    return { ...written(method === "endRound" ? 130 : 100), route: `/${method}.html` };
  }

  async #answer({ body }: WireRequest, handler: Handler, deadline: Deadline): Promise<Answer> {
    return answering<ErrorCode>(7, written, async () => {
      if (body === undefined) throw new Refused(7);
      const form = parseForm(body);
      if (!sameText(form.hash ?? "", hashOf(form, this.#parts.settings.PRAGMATIC_SECRET))) throw new Refused(5);
      return handler(new Fields(form), deadline);
    });
  }

  /** The token stays the same, so a repeat of this call harms nothing. */
  async #authenticate(fields: Fields, deadline: Deadline): Promise<Answer> {
    const token = fields.text("token");
    const session = await this.#parts.store.session(token);
    if (session === undefined) throw new Refused(4);
    const game = fields.optionalText("gameId") === undefined ? session.game : gameOf(fields);
    const { verdict, jurisdiction: merchants } = await this.#parts.desk.present(session, deadline);
    const found = verdict === "ok" ? await this.#parts.desk.sessionBalance(session, game, deadline) : outcome(verdict);
    const jurisdiction = this.#parts.settings.PRAGMATIC_JURISDICTION || merchants;
    return this.#settled("authenticate", found, session, {
      userId: session.alias,
      token,
      country: session.country,
      ...(jurisdiction !== "" && { jurisdiction }),
    });
  }

  async #balance(fields: Fields, deadline: Deadline): Promise<Answer> {
    const player = await this.#player(fields);
    return this.#settled("balance", await this.#parts.desk.sessionBalance(player, player.game, deadline), player);
  }

  async #balancePerGame(fields: Fields, deadline: Deadline): Promise<Answer> {
    const player = await this.#player(fields);
    const games = fields.text("gameIdList", 60_000).split(",");
    const found = await this.#parts.desk.balance(player, player.game, deadline);
    const cash = cashOf(found, player);
    if (found.verdict !== "ok" || cash === undefined) return this.#settled("balance", found, player);
    return written(0, { gamesBalances: games.map((gameID) => ({ gameID, cash, bonus: NO_MONEY })) });
  }

  async #bet(fields: Fields, deadline: Deadline): Promise<Answer> {
    const player = await this.#player(fields);
    const token = fields.optionalText("token");
    const session = token === undefined ? player : await this.#parts.store.session(token);
    if (session?.alias !== player.alias) throw new Refused(4);
    const bet = { ...moneyOf(fields, player.currency), session, labels: betLabels(fields) };
    const found = await this.#parts.desk.bet(bet, deadline);
    if (found.verdict === "ok" && bet.amount.minor === 0n) await this.#rounds.noteFreeBet(player, bet.roundId);
    return this.#settled("bet", found, player, { transactionId: idOf(found, bet), usedPromo: NO_MONEY });
  }

  /** A result and the prize that comes with it. The repeat of a result also finishes a prize that got no outcome. */
  async #result(fields: Fields, deadline: Deadline): Promise<Answer> {
    const player = await this.#player(fields);
    const money = moneyOf(fields, player.currency);
    const prize = promoOfResult(fields, money);
    const win = { ...money, player, labels: resultLabels(fields) };
    const paid = await this.#rounds.settle(win, isFree(fields), deadline);
    const isPaid = ERRORS.result[paid.verdict] === 0;
    const last = isPaid && prize !== undefined ? await this.#parts.desk.win({ ...prize, player }, deadline) : paid;
    return this.#settled("result", last, player, { transactionId: idOf(paid, win) });
  }

  /** The total of free rounds, for information: every spin of them has already come as a result. */
  async #bonusWin(fields: Fields, deadline: Deadline): Promise<Answer> {
    const player = await this.#player(fields);
    const transactionId = referenceOf(fields);
    fields.text("amount");
    return this.#settled("credit", await this.#parts.desk.balance(player, player.game, deadline), player, {
      transactionId,
    });
  }

  async #jackpotWin(fields: Fields, deadline: Deadline): Promise<Answer> {
    const player = await this.#player(fields);
    const labels = { kind: "jackpot", jackpot: { id: fields.text("jackpotId") } };
    return this.#credit({ ...moneyOf(fields, player.currency), player, labels }, deadline);
  }

  async #promoWin(fields: Fields, deadline: Deadline): Promise<Answer> {
    const player = await this.#player(fields);
    return this.#credit({ ...promoWinOf(fields, player.currency, player.game), player }, deadline);
  }

  async #credit(win: Win, deadline: Deadline): Promise<Answer> {
    const found = await this.#parts.desk.win(win, deadline);
    return this.#settled("credit", found, win.player, { transactionId: idOf(found, win) });
  }

  /** A refund has the reference of its bet, so its id at the aggregator is derived. */
  async #refund(fields: Fields, deadline: Deadline): Promise<Answer> {
    const player = await this.#player(fields);
    const refTxId = referenceOf(fields);
    const { desk } = this.#parts;
    const txId = derivedId("refund:", refTxId);
    const bet = await desk.record(refTxId, player, deadline);
    if (bet !== undefined && isTaken(bet) && (await this.#isSettled(player, bet.roundId, deadline)))
      return written(ERRORS.refund.settled);
    // The game is not passed on: a wrong one must not keep the player's money.
    const names = { player, txId, refTxId, game: player.game, unlessSettled: true, onlyBet: true };
    const found = await desk.reverse(names, deadline);
    const error = ERRORS.refund[found.verdict];
    return error === 0 ? written(0, { transactionId: idOf(found, names) }) : written(error);
  }

  /** Whether a result of the round has come. A round may have several bets; its result settles the first one. */
  async #isSettled(player: Player, roundId: string, deadline: Deadline): Promise<boolean> {
    const { bets } = await this.#parts.desk.round(player, roundId, deadline);
    return bets.some(({ settledBy }) => settledBy !== "");
  }

  /** A debit of an adjustment is taken whatever the state of the session is. */
  async #adjustment(fields: Fields, deadline: Deadline): Promise<Answer> {
    const player = await this.#player(fields);
    const { isDebit, money } = adjustmentOf(fields, player.currency);
    if (!isDebit) return this.#credit({ ...money, player }, deadline);
    const found = await this.#parts.desk.bet({ ...money, session: player }, deadline);
    return this.#settled("adjustment", found, player, { transactionId: idOf(found, money) });
  }

  async #endRound(fields: Fields, deadline: Deadline): Promise<Answer> {
    const player = await this.#player(fields);
    const found = await this.#parts.desk.endRound(player, roundOf(fields), gameOf(fields), deadline);
    const error = ERRORS.endRound[found.verdict];
    if (error !== 0) return written(error);
    const cash = cashOf(found, player);
    return cash === undefined ? written(130) : written(0, { cash, bonus: NO_MONEY });
  }

  /** The player of a call, with the newest session of the player. */
  async #player(fields: Fields): Promise<Session> {
    const player = await this.#parts.store.player(fields.text("userId", 64));
    if (player === undefined) throw new Refused(2);
    return player;
  }

  #settled(call: Call, found: Outcome, player: Player, more: object = {}): Answer {
    const error = ERRORS[call][found.verdict];
    if (error !== 0) return written(error);
    // A success must say the balance. Without one the call is repeated, or a bet refunded, and nothing happens twice.
    const cash = cashOf(found, player);
    return cash === undefined
      ? written(100)
      : written(0, { ...more, currency: player.currency, cash, bonus: NO_MONEY });
  }
}

/** The merchant's id of a transaction; for a transaction without a record, our own. */
const idOf = ({ wireId }: Outcome, { txId }: { readonly txId: string }): string => wireId || txId;

const cashOf = ({ balance }: Outcome, { currency }: Player): RawNumber | undefined =>
  balance === undefined ? undefined : new RawNumber(toPlaces(balance, currency, PLACES));

const written = (error: ErrorCode, answer: object = {}): Answer => ({
  status: String(error),
  body: writeJson({ ...answer, error, description: DESCRIPTIONS[error] }),
});

/** `<any path>/<method>.html`. */
const methodOf = ({ path }: WireRequest): string => /^(?:\/[\w.-]+)*\/(\w+)\.html$/.exec(path)?.[1] ?? "";
