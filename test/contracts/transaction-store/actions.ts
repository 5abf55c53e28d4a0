import type { ExecutionContext } from "ava";
import type { Content, GameRef, RowChange, Transaction } from "../../../src/domain/transaction/transaction.ts";
import type { TxId, TxKey } from "../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import type { RoundStore } from "../../../src/ports/transactions/round-store.ts";
import {
  type Attempt,
  type Claimed,
  type ClaimLine,
  type LineResult,
  type PlaySettleLine,
  type SettleLine,
  StoreFault,
  type TransactionStore,
} from "../../../src/ports/transactions/transaction-store.ts";
import { contentOf, id } from "../content.ts";

/** A store in which the two merchants have no rows yet. */
export interface TransactionStoreSetup {
  /** Stores of several replicas over the same rows; at least one. */
  readonly stores: readonly [TransactionStore, ...TransactionStore[]];
  /** The rounds in the same database. */
  readonly rounds: RoundStore;
  /** Two merchants that only this test uses. */
  readonly merchantId: number;
  readonly otherMerchantId: number;
  /** A game that exists. */
  readonly game: GameRef;
  /** Advances the database's clock by at least this time, in ms. */
  pass(ms: number): Promise<void>;
}

export interface TransactionStoreTraits {
  /** A content that the store refuses; absent when it refuses none. */
  readonly invalidContent?: (content: Content) => Content;
}

/** Defines one test of the contract by its title and its body, which gets a fresh setup. */
export type On = (
  title: string,
  run: (t: ExecutionContext, setup: TransactionStoreSetup & { store: TransactionStore; a: Actions }) => Promise<void>,
) => void;

export const LEASE_MS = wholeMs(60_000);
let tokens = 0;
/** 32 hex digits, new each time. */
export const token = (): string => (++tokens).toString(16).padStart(32, "0");

/** Functions that call a store with one row at a time, to keep the tests short. */
export class Actions {
  readonly store: TransactionStore;
  readonly setup: TransactionStoreSetup;

  constructor(store: TransactionStore, setup: TransactionStoreSetup) {
    this.store = store;
    this.setup = setup;
  }

  line(more: Partial<Content>, as: ClaimLine["as"] = "leased", leaseMs: number = LEASE_MS): ClaimLine {
    return { content: contentOf(this.setup, more), token: token(), as, leaseMs: wholeMs(leaseMs) };
  }

  async now(): Promise<number> {
    const line = this.line({ txId: id(`now ${token()}`) }, "void");
    await this.claim(line);
    return (await this.read(line.content)).readAt;
  }

  claim = async (line: ClaimLine): Promise<Claimed> => only(await this.store.claim([line]));
  settle = async (line: SettleLine): Promise<boolean> => only(await this.store.settle([line]));

  async read(key: TxKey): Promise<Transaction> {
    const row = only(await this.store.read([{ merchantId: key.merchantId, txId: key.txId }]));
    if (row === undefined) throw new Error(`no row ${key.txId}`);
    return row;
  }

  takeOver = async (row: Transaction, next = token()): Promise<Transaction | undefined> =>
    only(await this.store.takeOver([{ key: row, seen: row, token: next, leaseMs: LEASE_MS }]));
  mark = async (reversal: ClaimLine, reversed: TxId): Promise<boolean> =>
    only(await this.store.mark([{ key: reversal.content, seen: reversal.token, reversed }]));

  /** Adopts the void row of a win that names a bet. */
  async pay(win: ClaimLine, voidToken: string): Promise<Transaction | undefined> {
    return only(await this.store.adopt([{ ...win, seen: voidToken }]));
  }

  /** The void row of a win that names a bet, and the line that adopts it. */
  async voidWin(own: string, bet: NonNullable<Content["bet"]>, more: Partial<Content> = {}) {
    const win = this.line({ txId: id(own), action: "win", bet, ...more });
    const voidLine: ClaimLine = { ...win, token: token(), as: "void" };
    await this.claim(voidLine);
    return { win, seen: voidLine.token, adopt: { ...win, seen: voidLine.token } };
  }

  settleBet = async (bet: TxKey, win: Content): Promise<boolean> =>
    only(await this.store.settleBet([{ key: bet, win }]));

  /** A Play's bet, which is leased, and its win, which waits. */
  async play(own: string, more: Partial<Content> = {}, settles = false) {
    const bet = this.line({ txId: id(own), ...more });
    const content = { txId: id(`${own} win`), action: "win", bet: { txId: id(own), settles }, ...more } as const;
    const win = this.line(content, "void");
    const claimed = await this.store.claimPlay([{ ...bet, playWin: id(`${own} win`) }, win]);
    const both = claimed.map((one) => only([one]));
    return { bet, win, claimed: both };
  }

  /** The line that ends a Play's bet with a success. */
  endOf({ bet, win }: { readonly bet: ClaimLine; readonly win: ClaimLine }): PlaySettleLine {
    const line = this.settleLine(bet.content, this.success(5n), bet.token);
    const { txId, bet: { settles } = { settles: false } } = win.content;
    return { ...line, win: { txId, seen: win.token, settles, token: token(), leaseMs: LEASE_MS } };
  }

  settlePlay = async (line: PlaySettleLine): Promise<boolean> => only(await this.store.settlePlay([line]));

  /** A bet that ended with this change. */
  async settledBet(change: RowChange, own = "bet"): Promise<Transaction> {
    const line = this.line({ txId: id(own) });
    await this.claim(line);
    await this.settle(this.settleLine(line.content, change, line.token));
    return this.read(line.content);
  }

  /** A bet that ended with this change, and its refund whose call is in flight. */
  async marked(own: string, change: RowChange): Promise<{ bet: Transaction; refund: Transaction }> {
    const bet = await this.settledBet(change, `bet ${own}`);
    const refund = this.line({ txId: id(`refund ${own}`), action: "refund", refTxId: bet.txId }, "void");
    await this.claim(refund);
    await this.mark(refund, bet.txId);
    await this.takeOver(await this.read(refund.content));
    return { bet: await this.read(bet), refund: await this.read(refund.content) };
  }

  settleBoth(
    { bet, refund }: { bet: Transaction; refund: Transaction },
    change: RowChange,
    seen: Transaction["status"],
    reversed: RowChange | null,
  ): Promise<boolean> {
    return this.settle({
      ...this.settleLine(refund, change, refund.leaseToken),
      reversed: { txId: bet.txId, seen, change: reversed },
    });
  }

  settleLine(
    key: { readonly txId: TxId; readonly leaseToken?: string },
    change: RowChange,
    own = key.leaseToken as string,
  ): SettleLine {
    return { key: { merchantId: this.setup.merchantId, txId: key.txId }, token: own, change, attempt: this.attempt(1) };
  }

  attempt = (n: number): Attempt => ({
    n,
    at: wholeMs(1_700_000_000_000 + n),
    durationMs: wholeMs(12),
    httpStatus: 200,
    result: "accepted",
    requestId: "3b241101-e2bb-4255-8caf-4136c566a962",
  });
  seen = (status: Transaction["status"], leaseToken: string) => ({ status, leaseToken, reversedBy: null });

  change = (state: RowChange["state"]): RowChange => ({ state, resolvedBy: null, silent: false, next: null });
  success = (balanceMinor: bigint | null): RowChange => this.change({ status: "success", balanceMinor });
  failed = (error: string): RowChange => this.change({ status: "failed", error });
  silent = (next: number | "never"): RowChange => ({
    state: { status: "pending" },
    resolvedBy: null,
    silent: true,
    next: next === "never" ? next : wholeMs(next),
  });
}

function only<T>(outcomes: readonly LineResult<T>[]): T {
  const [outcome] = outcomes;
  if (outcomes.length !== 1) throw new Error(`one line got ${outcomes.length} answers`);
  if (outcome instanceof StoreFault) throw outcome;
  return outcome as T;
}
