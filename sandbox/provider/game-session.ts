import { randomBytes } from "node:crypto";
import type { Cashier, Labels, Method, WalletAnswer, WalletRequest } from "./wallet-client.ts";

/** The session as OpenGame described it. */
export interface Opened {
  readonly sessionId: string;
  readonly game: string;
  readonly name: string;
  readonly type: string;
  readonly currency: string;
  readonly language: string;
  readonly demo: boolean;
  readonly lobbyUrl: string;
}

/** One call to the aggregator, as the game page shows it. */
export interface CallRecord {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: Method | "EndRound";
  readonly request: WalletRequest;
  readonly answer: WalletAnswer;
}

/** The request of a bet. It is kept, because a repeat must have the same content. */
type BetRequest = WalletRequest & {
  readonly tx_id: string;
  readonly round_id: string;
  readonly amount_minor: number;
};

/** A bet that may be repeated or refunded. */
export interface PlacedBet {
  readonly request: BetRequest;
  readonly answer: WalletAnswer;
}

interface CallOptions {
  /** Whether the call becomes the last request, which a player may repeat. */
  readonly remember?: boolean;
  /** Cancels the call before its reply. */
  readonly hangUp?: boolean;
  /** The maximum number of calls that get OVERLOADED. */
  readonly busyTries?: number;
}

const CALLS_MAX = 40;
/** Only the newest calls keep their long texts. */
const TRANSLATIONS_MAX = 8;
/** The pause before the first repeat. It doubles before each further repeat. */
const PAUSE_MS = 250;
const PAUSE_MAX_MS = 10_000;
/** The maximum number of calls that get OVERLOADED while a player waits. */
const BUSY_TRIES_MAX = 4;
const DEMO_BALANCE_MINOR = 100_000;
/** Different in every run of this provider, so that no id is used twice. */
const RUN = randomBytes(5).toString("hex");
let counter = 0;

/** A new unique id for a transaction or a round. */
export const freshId = (kind: string): string => `${kind}-${RUN}-${++counter}`;

/**
 * A player's session of a game. It moves money through the aggregator and keeps its requests. A demo has its own play
 * money and never calls the wallet.
 */
export class GameSession {
  readonly token = randomBytes(24).toString("base64url");
  readonly opened: Opened;
  readonly calls: CallRecord[] = [];
  /** The last balance that the aggregator sent. null: it has sent no balance yet. */
  balanceMinor: number | null = null;
  /** When true, the next PlaceBet is cancelled before its reply and sent again. Then this becomes false. */
  loseNextReply = false;
  /** When true, the jackpot falls at the next spin. */
  jackpotNext = false;
  /** When true, the next round of a slot does not end. */
  leaveNextOpen = false;
  /** The round that was left open last. */
  openRound: string | undefined;
  lastBet: PlacedBet | undefined;
  /** The bet whose refund was sent last. */
  lastRefunded: BetRequest | undefined;
  lastWin: PlacedBet | undefined;
  readonly #client: Cashier;
  #last: { readonly method: Method; readonly request: WalletRequest } | undefined;

  constructor(opened: Opened, client: Cashier) {
    this.opened = opened;
    this.#client = client;
  }

  async readBalance(): Promise<WalletAnswer> {
    if (this.opened.demo) return this.#play(0);
    return this.#call("GetBalance", { session_id: this.opened.sessionId });
  }

  async placeBet(roundId: string, amountMinor: number, labels: Labels = {}): Promise<PlacedBet> {
    const request = { ...this.#request("bet", roundId, amountMinor), ...labels };
    const answer = this.opened.demo ? this.#play(-amountMinor) : await this.#once("PlaceBet", request);
    this.lastBet = { request, answer };
    return this.lastBet;
  }

  async payWin(roundId: string, amountMinor: number, labels: Labels = {}): Promise<PlacedBet> {
    const request = { ...this.#request("win", roundId, amountMinor), ...labels };
    const answer = this.opened.demo ? this.#play(amountMinor) : await this.#deliver("PayWin", request);
    this.lastWin = { request, answer };
    return this.lastWin;
  }

  /** Tells the service that a round has ended. A demo and an upstream have no rounds there. */
  async endRound(round_id: string): Promise<WalletAnswer | undefined> {
    if (this.opened.demo || !this.isOwn) return undefined;
    return this.#deliver("EndRound", { session_id: this.opened.sessionId, round_id });
  }

  /** Repeats a bet with the same content, as a provider must do with a pending bet. */
  async repeatBet(bet: PlacedBet): Promise<PlacedBet> {
    const again = { request: bet.request, answer: await this.#call("PlaceBet", bet.request) };
    if (this.lastBet?.request === bet.request) this.lastBet = again;
    return again;
  }

  async refund({ request }: Pick<PlacedBet, "request">): Promise<WalletAnswer> {
    if (this.opened.demo) return this.#play(request.amount_minor);
    this.lastRefunded = request;
    const refund = { ...this.#request("refund", request.round_id, request.amount_minor), ref_tx_id: request.tx_id };
    return this.#deliver("RefundBet", refund);
  }

  /** Refunds a bet that was never sent. */
  refundUnknown(amountMinor: number): Promise<WalletAnswer> {
    return this.refund({ request: this.#request("bet", freshId("round"), amountMinor) });
  }

  /** Sends the bet whose refund was sent last. undefined: there was no refund yet. */
  async betAfterRefund(): Promise<WalletAnswer | undefined> {
    return this.lastRefunded === undefined ? undefined : this.#call("PlaceBet", this.lastRefunded);
  }

  async rollback(win: PlacedBet): Promise<WalletAnswer> {
    const request = {
      ...this.#request("rollback", win.request.round_id, win.request.amount_minor),
      ref_tx_id: win.request.tx_id,
    };
    return this.#call("RollbackWin", request);
  }

  /**
   * Repeats the last request, unchanged or with other content under the same id. undefined: there was no request yet.
   */
  async repeatLast(change: Partial<WalletRequest> = {}): Promise<WalletAnswer | undefined> {
    return this.#last === undefined
      ? undefined
      : this.#call(this.#last.method, { ...this.#last.request, ...change }, { remember: false });
  }

  /** Whether the game calls the service itself, not by an upstream's own API. */
  get isOwn(): boolean {
    return this.#client.endRound !== undefined;
  }

  /** Whether a round has a win to send: an upstream reports a lost round, too. */
  pays(winMinor: number): boolean {
    return winMinor > 0 || !this.isOwn;
  }

  get lastAmountMinor(): number | undefined {
    return this.#last?.request.amount_minor;
  }

  #request(kind: string, round_id: string, amount_minor: number) {
    return {
      session_id: this.opened.sessionId,
      tx_id: freshId(kind),
      round_id,
      amount_minor,
      currency: this.opened.currency,
    };
  }

  /** Makes a call. With `loseNextReply` the call is cancelled before its reply and sent again. */
  async #once(method: Method, request: WalletRequest): Promise<WalletAnswer> {
    if (!this.loseNextReply) return this.#call(method, request);
    this.loseNextReply = false;
    await this.#call(method, request, { hangUp: true });
    return this.#call(method, request);
  }

  /**
   * Sends a win or refund, which is owed to the player. If it may not have arrived, the answer is `pending`, and the
   * request is repeated in the background until it has arrived.
   */
  async #deliver(method: CallRecord["method"], request: WalletRequest): Promise<WalletAnswer> {
    const answer = await this.#call(method, request, { busyTries: 1 });
    if (isDelivered(answer)) return answer;
    void this.#repeat(method, request);
    return { ...answer, status: "pending", error: "" };
  }

  async #repeat(method: CallRecord["method"], request: WalletRequest): Promise<void> {
    for (let tries = 1; !this.#client.isClosed; tries++) {
      await pause(tries);
      if (isDelivered(await this.#call(method, request, { busyTries: 1, remember: false }))) return;
    }
  }

  async #call(
    method: CallRecord["method"],
    request: WalletRequest,
    { remember = true, hangUp = false, busyTries = BUSY_TRIES_MAX }: CallOptions = {},
  ): Promise<WalletAnswer> {
    const at = Date.now();
    if (remember && method !== "GetBalance" && method !== "EndRound") this.#last = { method, request };
    let answer = await this.#send(method, request, hangUp);
    // After OVERLOADED nothing was recorded or sent. The same request is sent again, with growing pauses.
    for (let tries = 1; answer.error === "OVERLOADED" && tries < busyTries; tries++) {
      await pause(tries);
      answer = await this.#send(method, request, false);
    }
    if (answer.balanceMinor !== null) this.balanceMinor = answer.balanceMinor;
    this.calls.unshift({
      id: ++counter,
      at,
      method,
      request: { ...request, session_id: `${request.session_id.slice(0, 6)}…` },
      answer,
    });
    this.calls.length = Math.min(this.calls.length, CALLS_MAX);
    const old = this.calls[TRANSLATIONS_MAX];
    if (old !== undefined) this.calls[TRANSLATIONS_MAX] = { ...old, answer: shortened(old.answer) };
    return answer;
  }

  async #send(method: CallRecord["method"], request: WalletRequest, hangUp: boolean): Promise<WalletAnswer> {
    // Only a provider that has EndRound calls it.
    if (method !== "EndRound") return this.#client.call(method, request, hangUp);
    return (await this.#client.endRound?.(request)) ?? this.#play(0);
  }

  /** Moves play money. */
  #play(deltaMinor: number): WalletAnswer {
    const before = this.balanceMinor ?? DEMO_BALANCE_MINOR;
    if (before + deltaMinor < 0)
      return { status: "failed", error: "INSUFFICIENT_FUNDS", balanceMinor: before, wireId: "", ms: 0 };
    this.balanceMinor = before + deltaMinor;
    return { status: "success", error: "", balanceMinor: this.balanceMinor, wireId: "", ms: 0 };
  }
}

const shortened = ({ translation: _, ...answer }: WalletAnswer): WalletAnswer => answer;

const isDelivered = ({ status, error }: WalletAnswer): boolean => status !== "lost" && error !== "OVERLOADED";

/** The pause after this many tries. It does not keep the process running. */
const pause = (tries: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.min(PAUSE_MS * 2 ** (tries - 1), PAUSE_MAX_MS)).unref());
