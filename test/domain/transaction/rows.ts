import type { Content, State, Transaction } from "../../../src/domain/transaction/transaction.ts";
import type { PlayerId, ProviderCode, TxId } from "../../../src/domain/values/identifiers.ts";

/** The database's time at which the rows of the tests are read. */
export const NOW = 1_000_000_000;
export const QUIET_MS = 60_000;

const GAME = { id: 7, code: "fruits", providerId: 3, provider: "ACME" as ProviderCode };

/**
 * A bet of 2.50.
 *
 * @param more - replaces fields.
 */
export const content = (more: Partial<Content> = {}): Content => ({
  merchantId: 1,
  txId: "ACME:bet" as TxId,
  action: "bet",
  playerId: "ana" as PlayerId,
  roundId: "round",
  amountMinor: 250n,
  currency: "BRL",
  game: GAME,
  refTxId: null,
  ...more,
});

type Books = Omit<Transaction, keyof Content | keyof State>;

/**
 * A stored row with this content. Every attempt was answered.
 *
 * @param books - replaces fields about leases and attempts.
 */
export const row = (what: Content, state: State, books: Partial<Books> = {}): Transaction => ({
  ...what,
  attempts: state.status === "void" ? 0 : 1,
  leaseToken: "token",
  leaseUntil: null,
  silentAt: null,
  nextAt: null,
  reversedBy: null,
  settledBy: null,
  playWin: null,
  resolvedBy: null,
  createdAt: NOW - 500_000,
  openedAt: NOW - 500_000,
  updatedAt: NOW - 400_000,
  readAt: NOW,
  ...books,
  ...state,
});

export const STATES = {
  void: { status: "void" },
  pending: { status: "pending" },
  success: { status: "success", balanceMinor: 1_000n },
  failed: { status: "failed", error: "INSUFFICIENT_FUNDS" },
} as const satisfies Record<string, State>;

export const id = (own: string): TxId => `ACME:${own}` as TxId;
/** The contents of an original and of its reversal. */
export const PAIRS = {
  bet: { original: content(), reversal: content({ action: "refund", txId: id("refund"), refTxId: id("bet") }) },
  win: {
    original: content({ action: "win", txId: id("win") }),
    reversal: content({ action: "rollback", txId: id("rollback"), refTxId: id("win") }),
  },
} as const;
