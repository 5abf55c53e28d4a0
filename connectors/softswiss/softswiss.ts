/** The wallet API of SOFTSWISS and BGaming: signed JSON bodies, and several actions in a call. */
import { Deadline } from "../frame/deadline.ts";
import { type Amount, readAmount, toInteger, writeJson } from "../frame/decimals.ts";
import type { Labels } from "../frame/desk.ts";
import { answering, Refusal } from "../frame/extras/refusal.ts";
import { derivedId, TX_ID_MAX } from "../frame/ids.ts";
import { FieldFault, Fields, parseJson } from "../frame/json.ts";
import type { Parts } from "../frame/process.ts";
import type { WalletApi, WireAnswer, WireRequest } from "../frame/server.ts";
import type { Session } from "../frame/state/store.ts";
import { type Outcome, outcome } from "../frame/verdict.ts";
import { hmac, sameText } from "../frame/verify.ts";
import { type Call, CODES, type Code, MESSAGES } from "./codes.ts";
import { shiftOf, type VARIABLES } from "./settings.ts";

const ACTIONS_MAX = 20;
const ROUTE = /\/(play|rollback)$/;

class Refused extends Refusal<Code> {}

type Handler = (fields: Fields, deadline: Deadline) => Promise<WireAnswer>;

interface Action {
  readonly txId: string;
  readonly call: "bet" | "win";
  readonly amount: Amount;
  readonly labels: Labels;
}

/** What has become of the action with this id. */
interface Done {
  readonly txId: string;
  readonly call: Call;
  readonly found: Outcome;
}

export class SoftswissApi implements WalletApi {
  readonly #parts: Parts<typeof VARIABLES>;

  constructor(parts: Parts<typeof VARIABLES>) {
    this.#parts = parts;
  }

  async answer({ method, path, header, body, hasHungUp }: WireRequest): Promise<WireAnswer | undefined> {
    const { SOFTSWISS_TIMEOUT_MS, SOFTSWISS_AUTH_TOKEN } = this.#parts.settings;
    const route = ROUTE.exec(path)?.[1] ?? "";
    const handler = this.#routes[route];
    if (handler === undefined || method !== "POST") return undefined;
    const deadline = new Deadline(SOFTSWISS_TIMEOUT_MS, { hasHungUp });
    const answer = await answering<Code>(400, refusal, async () => {
      if (body === undefined) throw new Refused(400);
      if (!sameText(header("x-request-sign"), hmac("sha256", SOFTSWISS_AUTH_TOKEN, body))) throw new Refused(403);
      return handler(new Fields(parseJson(body)), deadline);
    });
    return { ...answer, route: `/${route}` };
  }

  failure(): WireAnswer {
    return refusal(500);
  }

  readonly #routes: Readonly<Record<string, Handler>> = {
    play: (...call) => this.#play(...call),
    rollback: (...call) => this.#rollback(...call),
  };

  /** A call without actions asks for the balance, or ends the round. */
  async #play(fields: Fields, deadline: Deadline): Promise<WireAnswer> {
    const { desk, settings } = this.#parts;
    const player = await this.#player(fields);
    const game = fields.optionalText("game", 128) ?? player.game;
    const actions = actionsOf(fields).map((action) => this.#actionOf(action, player));
    const isFinished = settings.SOFTSWISS_ROUND_ENDS && fields.isTrue("finished");
    if (actions.length > 0) return this.#move(player, game, fields.text("game_id", 128), actions, isFinished, deadline);
    const roundId = fields.optionalText("game_id", 128);
    const found =
      isFinished && roundId !== undefined
        ? await desk.endRound(player, roundId, game, deadline)
        : await desk.sessionBalance(player, game, deadline);
    return this.#written(player, roundId, [], found, CODES.balance[found.verdict]);
  }

  /** Takes the bets before it pays the wins. If it is certain that a bet is refused, those before it are given back. */
  async #move(
    player: Session,
    game: string,
    roundId: string,
    actions: readonly Action[],
    isFinished: boolean,
    deadline: Deadline,
  ): Promise<WireAnswer> {
    const { desk } = this.#parts;
    const bets = actions.filter(({ call }) => call === "bet");
    const wins = actions.filter(({ call }) => call === "win");
    const [bet, win] = [bets[0], wins[0]];
    const money = (action: Action) => {
      const roundEnded = isFinished && action === (wins.at(-1) ?? bets.at(-1));
      return { session: player, player, game, roundId, currency: player.currency, ...action, roundEnded };
    };
    const done: Done[] = [];
    const tell = ({ txId, call }: Action, found: Outcome) => done.push({ txId, call, found });
    const isDone = () => done.every(({ call, found }) => CODES[call][found.verdict] === 0);
    if (bet !== undefined && bets.length === 1 && win !== undefined) {
      // The usual spin.
      const { win: paid, ...taken } = await desk.play({ ...money(win), bet, win }, deadline);
      tell(bet, taken);
      if (taken.verdict === "ok") tell(win, { ...taken, ...paid });
    } else if (bets.length > 1 && (await this.#isTooMuch(player, game, bets, deadline))) {
      const found = { ...outcome("funds"), ...(await desk.balance(player, game, deadline)), verdict: "funds" as const };
      return this.#written(player, roundId, [], found, 100);
    } else for (const each of bets) if (isDone()) tell(each, await desk.bet(money(each), deadline));
    for (const each of wins.filter(({ txId }) => !done.some((known) => known.txId === txId)))
      if (isDone()) tell(each, await desk.win({ ...money(each), ...(bet && { betTxId: bet.txId }) }, deadline));

    const last = done.at(-1);
    if (last === undefined) throw new FieldFault("missing", "actions");
    const code = CODES[last.call][last.found.verdict];
    if (last.call === "bet" && code !== 0 && code !== 500)
      for (const { txId } of done.slice(0, -1))
        await desk.reverse({ player, game, txId: derivedId("undo~", txId), refTxId: txId }, deadline);
    const inOrder = actions.flatMap(({ txId }) => done.filter((each) => each.txId === txId));
    return this.#written(player, roundId, inOrder, last.found, code);
  }

  /** Whether the balance does not suffice for all bets of a call that has not come before. */
  async #isTooMuch(player: Session, game: string, bets: readonly Action[], deadline: Deadline): Promise<boolean> {
    const { desk } = this.#parts;
    if (await desk.knows(bets[0]?.txId ?? "", player, deadline)) return false;
    const { balance } = await desk.balance(player, game, deadline);
    return balance !== undefined && bets.reduce((sum, { amount }) => sum + amount.minor, 0n) > balance;
  }

  async #rollback(fields: Fields, deadline: Deadline): Promise<WireAnswer> {
    const player = await this.#player(fields);
    const reversals = actionsOf(fields).map((action) => {
      if (action.text("action", 32) !== "rollback") throw new FieldFault("type", "action");
      return { txId: action.text("action_id", TX_ID_MAX), refTxId: action.text("original_action_id", TX_ID_MAX) };
    });
    const done: Done[] = [];
    for (const names of reversals) {
      // The round and the game are not passed on: a wrong one must not keep the player's money.
      const found = await this.#parts.desk.reverse({ player, game: player.game, ...names }, deadline);
      done.push({ txId: names.txId, call: "rollback", found });
      if (CODES.rollback[found.verdict] !== 0) break;
    }
    const last = done.at(-1);
    if (last === undefined) throw new FieldFault("missing", "actions");
    const roundId = fields.optionalText("game_id", 128);
    return this.#written(player, roundId, done, last.found, CODES.rollback[last.found.verdict]);
  }

  /** A call has no session, so it belongs to the newest one of its player. */
  async #player(fields: Fields): Promise<Session> {
    const player = await this.#parts.store.player(fields.text("user_id", 64));
    if (player === undefined) throw new Refused(101);
    if (fields.text("currency", 8) !== player.currency) throw new Refused(154);
    return player;
  }

  #actionOf(fields: Fields, { currency }: Session): Action {
    const call = fields.text("action", 32);
    if (call !== "bet" && call !== "win") throw new FieldFault("type", "action");
    const amount = readAmount(fields.integer("amount"), currency, shiftOf(this.#parts.settings, currency));
    if (amount === undefined) throw new FieldFault("type", "amount");
    const isJackpot = call === "win" && fields.has("jackpot_win") && /[1-9]/.test(fields.number("jackpot_win"));
    return { txId: fields.text("action_id", TX_ID_MAX), call, amount, labels: isJackpot ? { kind: "jackpot" } : {} };
  }

  /** A success must say the balance, so without one nobody can say more than "unclear". */
  #written(
    { currency }: Session,
    roundId: string | undefined,
    done: readonly Done[],
    { balance: minor }: Outcome,
    code: Code,
  ): WireAnswer {
    const balance =
      minor === undefined ? undefined : toInteger(minor, currency, shiftOf(this.#parts.settings, currency));
    if (code !== 0) return refusal(code, balance);
    if (balance === undefined) return refusal(500);
    const transactions = done.map(({ txId, call, found }) => ({
      action_id: txId,
      // A rollback of an unknown action has no transaction.
      tx_id: found.wireId || (call === "rollback" ? "" : txId),
    }));
    const answer = { balance, game_id: roundId, ...(done.length > 0 && { transactions }) };
    return { status: "ok", body: writeJson(answer) };
  }
}

/** The actions of a call, with different ids. */
function actionsOf(fields: Fields): readonly Fields[] {
  const actions = fields.has("actions") ? fields.list("actions").map((action) => new Fields(action, "actions")) : [];
  const ids = new Set(actions.map((action) => action.text("action_id", TX_ID_MAX)));
  if (ids.size < actions.length || actions.length > ACTIONS_MAX) throw new FieldFault("type", "actions");
  return actions;
}

const refusal = (code: Code, balance?: bigint): WireAnswer => ({
  http: code >= 400 ? code : 412,
  status: String(code),
  body: writeJson({ code, message: MESSAGES[code], balance }),
});
