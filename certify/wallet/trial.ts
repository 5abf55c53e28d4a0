/**
 * One run of one case: sends, records and judges. Every failed expectation is a Finding with the expected and the
 * received answer.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { Finding, Unprepared } from "../report/ending.ts";
import type { Callback } from "./calls/callback.ts";
import type { Delivery } from "./calls/delivery.ts";
import { amountMax, decimal } from "./calls/money.ts";
import type { Player } from "./calls/player.ts";
import type { Exchange, Wallet } from "./calls/wallet.ts";
import { accepted, answered, type Expectation, notApplied, rejected } from "./expectation.ts";

/** The players of a trial, or all players of a pass. A player is undefined when it is not needed or was not given. */
export interface TrialPlayers {
  readonly players: readonly Player[];
  readonly blocked?: Player | undefined;
  readonly other?: Player | undefined;
}

/** What a trial knows of the pass. */
export interface PassSoFar {
  readonly exchanges: () => readonly Exchange[];
  readonly hasFailed: () => boolean;
  readonly onWait: (ms: number) => void;
}

export interface Recorded extends Exchange {
  /** Whether the exchange prepared the case: it earned funds or read the balance. */
  readonly isPreparation: boolean;
}

export class Trial {
  readonly exchanges: Recorded[] = [];
  readonly #wallet: Wallet;
  readonly #players: TrialPlayers;
  readonly #pass: PassSoFar;

  constructor(wallet: Wallet, players: TrialPlayers, pass: PassSoFar) {
    this.#wallet = wallet;
    this.#players = players;
    this.#pass = pass;
  }

  /** The exchanges of the earlier cases with the wallet. */
  get earlier(): readonly Exchange[] {
    return this.#pass.exchanges();
  }

  /** Whether an earlier case has failed. */
  get hasFailed(): boolean {
    return this.#pass.hasFailed();
  }

  /** Tells the user that the case waits. */
  waits(ms: number): void {
    this.#pass.onWait(ms);
  }

  get player(): Player {
    return given(this.#players.players[0]);
  }

  get second(): Player {
    return given(this.#players.players[1]);
  }

  get blocked(): Player {
    return given(this.#players.blocked);
  }

  /** The other merchant's player. */
  get other(): Player {
    return given(this.#players.other);
  }

  async send(callback: Callback, delivery?: Delivery): Promise<Exchange> {
    return this.#send(callback, delivery, false);
  }

  /** Sends all callbacks together. Returns the answers in the order of the callbacks. */
  atOnce(callbacks: readonly Callback[], delivery?: (index: number) => Delivery): Promise<Exchange[]> {
    return Promise.all(callbacks.map((callback, i) => this.send(callback, delivery?.(i))));
  }

  /**
   * Like {@link atOnce}, until each callback has an answer. A wallet may answer with a 5xx while it works on a copy, or
   * on another transaction of the player: "I do not know yet". Such a callback is sent again after growing pauses, as
   * the service does, and its last answer counts.
   */
  async settledAtOnce(callbacks: readonly Callback[]): Promise<Exchange[]> {
    const exchanges = await this.atOnce(callbacks);
    for (const pauseMs of RESEND_PAUSES_MS) {
      const again = [...callbacks.keys()].filter((i) => isServerError(exchanges[i]));
      if (again.length === 0) break;
      await sleep(pauseMs);
      // One after another, so that they do not stop each other. A wallet that is still at work gets more time.
      for (const i of again) {
        exchanges[i] = await this.send(callbacks[i] as Callback);
        if (isServerError(exchanges[i])) break;
      }
    }
    return exchanges;
  }

  /** @throws Finding */
  expect(exchange: Exchange, expectation: Expectation, because = ""): void {
    if (expectation.isMet(exchange.reply)) return;
    const { currency } = exchange.callback.account;
    const expected = expectation.sentence((minor) => `${decimal(minor, currency)} ${currency}`);
    throw differs(because === "" ? expected : `${expected}, for ${because}`, exchange);
  }

  expectAll(exchanges: readonly Exchange[], expectation: Expectation, because = ""): void {
    for (const exchange of exchanges) this.expect(exchange, expectation, because);
  }

  async accepts(callback: Callback, balance?: bigint, delivery?: Delivery): Promise<Exchange> {
    return this.#sendAndExpect(callback, accepted(balance), delivery);
  }

  async rejects(callback: Callback, codes: readonly string[] = [], delivery?: Delivery): Promise<Exchange> {
    return this.#sendAndExpect(callback, rejected(...codes), delivery);
  }

  /** Expects anything except a success. An error status and a closed connection are allowed. */
  async refuses(callback: Callback, delivery?: Delivery): Promise<Exchange> {
    return this.#sendAndExpect(callback, notApplied, delivery);
  }

  async answers(callback: Callback, delivery?: Delivery): Promise<Exchange> {
    return this.#sendAndExpect(callback, answered, delivery);
  }

  /** The balance in the wallet's reply to a balance query, in minor units. */
  async balance(player: Player): Promise<bigint> {
    const exchange = await this.accepts(player.query());
    const { meaning } = exchange.reply;
    if (meaning.kind === "accepted" && meaning.balance !== null) return meaning.balance;
    throw differs("a balance", exchange);
  }

  /** Checks the balance with a balance query. `because`: the transactions since the last check, as a sentence. */
  async balanceIs(player: Player, expected: bigint, because: string): Promise<void> {
    const exchange = await this.accepts(player.query());
    this.#compare(
      player,
      exchange,
      (balance) => balance === expected,
      `the balance ${this.#money(player, expected)}: ${because}`,
    );
  }

  /** Like {@link balanceIs}, but checks only a lower bound of the balance. */
  async balanceIsAtLeast(player: Player, least: bigint, because: string): Promise<void> {
    const exchange = await this.accepts(player.query());
    this.#compare(
      player,
      exchange,
      (balance) => balance >= least,
      `a balance of ${this.#money(player, least)} or more: ${because}`,
    );
  }

  /**
   * Adds the missing amount with a win. Returns the balance.
   *
   * @throws Unprepared
   */
  async fund(player: Player, atLeast: bigint): Promise<bigint> {
    const before = await this.#balanceBefore(player);
    if (before >= atLeast) return before;
    await this.#prepare(player.win(atLeast - before), "A win to earn funds");
    const after = await this.#balanceBefore(player);
    if (after >= atLeast) return after;
    throw new Unprepared(
      `A win of ${this.#money(player, atLeast - before)} to earn funds left the balance at ${this.#money(player, after)}.`,
    );
  }

  /**
   * Sets the balance to exactly this amount, with bets and wins.
   *
   * @throws Unprepared
   */
  async setBalance(player: Player, target: bigint): Promise<void> {
    let balance = await this.fund(player, target);
    while (balance > target) {
      const most = amountMax(player.account.currency);
      const surplus = balance - target;
      await this.#prepare(player.bet(surplus < most ? surplus : most), "A bet to bring the balance down");
      const after = await this.#balanceBefore(player);
      if (after >= balance) break;
      balance = after;
    }
    if (balance !== target)
      throw new Unprepared(
        `Bets and wins could not bring the balance to ${this.#money(player, target)}: it is ${this.#money(player, balance)}.`,
      );
  }

  async #balanceBefore(player: Player): Promise<bigint> {
    const ask = async (): Promise<bigint | null> => {
      const { meaning } = (await this.#prepare(player.query(), "A balance query")).reply;
      return meaning.kind === "accepted" ? meaning.balance : null;
    };
    const balance = await ask();
    if (balance !== null) return balance;
    // Some wallets do not send a balance of 0. With such a wallet, a win still provides the funds for the cases.
    await this.#prepare(player.win(100n), "A win to earn funds");
    const second = await ask();
    if (second !== null) return second;
    throw new Unprepared("Balance queries are answered without a balance.");
  }

  async #prepare(callback: Callback, what: string): Promise<Exchange> {
    const exchange = await this.#send(callback, {}, true);
    if (exchange.reply.meaning.kind === "accepted") return exchange;
    const server = fixOfServer(exchange);
    throw new Unprepared(`${what} did not succeed: ${inWords(exchange)}.${server === undefined ? "" : ` ${server}`}`);
  }

  async #send(callback: Callback, delivery: Delivery | undefined, isPreparation: boolean): Promise<Exchange> {
    const exchange = await this.#wallet.send(callback, delivery);
    this.exchanges.push({ ...exchange, isPreparation });
    return exchange;
  }

  async #sendAndExpect(callback: Callback, expectation: Expectation, delivery?: Delivery): Promise<Exchange> {
    const exchange = await this.send(callback, delivery);
    this.expect(exchange, expectation);
    return exchange;
  }

  #compare(player: Player, exchange: Exchange, isRight: (balance: bigint) => boolean, expected: string): void {
    const { meaning } = exchange.reply;
    if (meaning.kind !== "accepted" || meaning.balance === null) throw differs(expected, exchange);
    if (!isRight(meaning.balance))
      throw differs(expected, exchange, `the balance ${this.#money(player, meaning.balance)}`);
  }

  #money(player: Player, minor: bigint): string {
    return `${decimal(minor, player.account.currency)} ${player.account.currency}`;
  }
}

/** The pauses before each round of resends: 3 s in all. */
const RESEND_PAUSES_MS = [0, 0, 20, 50, 100, 200, 400, 800, 1_500];

/** A complete reply with a 5xx: the wallet has not decided. */
const isServerError = (exchange: Exchange | undefined): boolean => (exchange?.reply.status ?? 0) >= 500;

/** The first part of every fix for a callback that got no reply. */
const UNANSWERED = "Your server did not answer. Look at its connections, listen queue, locks and error log.";
/** The first part of every fix for a callback that got a 5xx, also when it came again. */
const SERVER_ERROR =
  "Your server answered with a status of 500 or above, which means that it does not know. Look at its error log. A rejection has a status below 500.";

/** The reply did not come in time, or the connection was refused or broke. */
export function isUnanswered(exchange: Exchange | undefined): boolean {
  const meaning = exchange?.reply.meaning;
  return meaning?.kind === "silent" && meaning.isUnanswered === true;
}

/** The first part of the fix, if the callback got no answer from the server; undefined if it got one. */
export const fixOfServer = (exchange: Exchange | undefined): string | undefined =>
  isUnanswered(exchange) ? UNANSWERED : isServerError(exchange) ? SERVER_ERROR : undefined;

/** The change that a wallet needs whose balance is, for example, 12.345. */
export const TOO_PRECISE =
  "If your accounts keep fractions of the smallest unit, answer with the balance cut down to the currency's decimals, as the service does. If they keep none, calculate in whole minor units: floating point leaves such digits behind.";

/** The finding of this exchange. `fix`: the change that the wallet needs, if it is not the case's own. */
export const differs = (
  expected: string,
  exchange: Exchange,
  received = inWords(exchange),
  fix?: string,
): Finding<Exchange> => new Finding({ expected, received, ...(fix !== undefined && { fix }) }, exchange);

/** A reply as text for people. */
export function inWords({ reply }: Exchange): string {
  const { status, text, meaning } = reply;
  if (status === null) return meaning.kind === "silent" ? meaning.why : "no reply";
  return `HTTP ${status} ${text === "" ? "without a body" : text.slice(0, 300)}`;
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the case uses what it does not say it needs");
  return value;
}
