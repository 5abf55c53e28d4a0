/** A correct run, written by hand: a bet, a bet with its refund, a rejected bet, a win that is sent twice. */

import type { Effect } from "../../../sandbox/merchant/ledger.ts";
import { transactionBody } from "../../../src/adapters/wallet-http/callback.ts";
import type { Content, State, Transaction, WalletAnswer } from "../../../src/domain/transaction/transaction.ts";
import type { PlayerId, ProviderCode, TxId } from "../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import type { Operation, Outcome, RunRecord, StoredRow, WalletCall, Write } from "../../../testbed/judge/record.ts";

const HOUR = 1_767_225_600_000;
export const id = (own: string): TxId => `ACME:${own}` as TxId;
export const key = (own: string): string => `1/ACME:${own}`;

export const content = (own: string, action: Content["action"], refTxId: TxId | null = null): Content => ({
  merchantId: 1,
  txId: id(own),
  action,
  playerId: "ana" as PlayerId,
  roundId: "round",
  amountMinor: 250n,
  currency: "BRL",
  game: { id: 11, code: "fruits", providerId: 3, provider: "ACME" as ProviderCode },
  refTxId,
});

export const SUCCESS: State = { status: "success", balanceMinor: 100n };
export const row = (what: Content, state: State, books: Partial<Transaction> = {}): Transaction => ({
  ...what,
  attempts: 1,
  leaseToken: "token",
  leaseUntil: null,
  silentAt: null,
  nextAt: null,
  reversedBy: null,
  settledBy: null,
  playWin: null,
  resolvedBy: null,
  createdAt: HOUR,
  openedAt: HOUR,
  updatedAt: HOUR,
  readAt: HOUR,
  ...books,
  ...state,
});

const ACCEPTED: WalletAnswer = { kind: "accepted", balanceMinor: 100n };
const rejected = (error: string): WalletAnswer => ({ kind: "rejected", error });

export const operation = (what: Content, at: number, outcome: Outcome): Operation => ({
  content: what,
  invokedAt: HOUR + at,
  timeoutMs: 4_000,
  endedAt: HOUR + at + 100,
  outcome,
});
export const reply = (what: Content, status: "success" | "pending" | "failed", error = ""): Outcome => ({
  kind: "ok",
  status,
  error,
  txId: what.txId,
});
export const call = (what: Content, at: number, answer: WalletAnswer, attempt = 1): WalletCall => ({
  content: what,
  body: transactionBody(what),
  attempt,
  replica: 0,
  begunAt: HOUR + at,
  sentAt: HOUR + at,
  endedAt: HOUR + at + 50,
  answer,
});
export const effect = (what: Content): Effect => ({
  merchant: "north",
  player: what.playerId,
  txId: what.txId,
  action: what.action,
  roundId: what.roundId,
  refTxId: what.refTxId,
  deltaMinor: what.action === "bet" || what.action === "rollback" ? -what.amountMinor : what.amountMinor,
});
export const write = (at: number, statement: number, after: Transaction, before?: Transaction): Write => ({
  at: HOUR + at,
  statement,
  key: `1/${after.txId}`,
  before,
  after,
});

export const BET = content("bet", "bet");
export const TAKEN_BACK = content("taken back", "bet");
export const REFUND = content("refund", "refund", id("taken back"));
export const REJECTED = content("rejected", "bet");
export const WIN = content("win", "win");

const marked = { reversedBy: REFUND.txId };
const failed: State = { status: "failed", error: "INSUFFICIENT_FUNDS" };
const ROWS = [
  row(BET, SUCCESS),
  row(TAKEN_BACK, SUCCESS, marked),
  row(REFUND, SUCCESS),
  row(REJECTED, failed),
  row(WIN, SUCCESS),
];
const pending = (what: Content, books: Partial<Transaction> = {}): Transaction =>
  row(what, { status: "pending" }, books);

export const VALID_RECORD: RunRecord = {
  healed: true,
  endedAt: HOUR + 100_000,
  operations: [
    operation(BET, 0, reply(BET, "success")),
    operation(TAKEN_BACK, 1_000, reply(TAKEN_BACK, "success")),
    operation(REFUND, 2_000, reply(REFUND, "success")),
    operation(TAKEN_BACK, 3_000, { kind: "refused", code: "TRANSACTION_REVERSED" }),
    operation(REJECTED, 4_000, reply(REJECTED, "failed", "INSUFFICIENT_FUNDS")),
    operation(REJECTED, 5_000, reply(REJECTED, "failed", "INSUFFICIENT_FUNDS")),
    operation(WIN, 6_000, reply(WIN, "pending")),
  ],
  calls: [
    call(BET, 10, ACCEPTED),
    call(TAKEN_BACK, 1_010, ACCEPTED),
    call(REFUND, 2_010, ACCEPTED),
    call(REJECTED, 4_010, rejected("INSUFFICIENT_FUNDS")),
    call(WIN, 6_010, { kind: "silent" }),
    call(WIN, 7_200, ACCEPTED, 2),
  ],
  effects: [BET, TAKEN_BACK, REFUND, WIN].map(effect),
  merchantIds: new Map([["north", 1]]),
  forgotten: new Set(),
  writes: [
    write(5, 1, pending(BET)),
    write(70, 2, row(BET, SUCCESS), pending(BET)),
    write(1_005, 3, pending(TAKEN_BACK)),
    write(1_070, 4, row(TAKEN_BACK, SUCCESS), pending(TAKEN_BACK)),
    write(2_002, 5, row(REFUND, { status: "void" })),
    write(2_004, 6, row(TAKEN_BACK, SUCCESS, marked), row(TAKEN_BACK, SUCCESS)),
    write(2_004, 6, pending(REFUND), row(REFUND, { status: "void" })),
    write(2_070, 7, row(REFUND, SUCCESS), pending(REFUND)),
    write(4_005, 8, pending(REJECTED)),
    write(4_070, 9, row(REJECTED, failed), pending(REJECTED)),
    write(6_005, 10, pending(WIN)),
    write(7_270, 11, row(WIN, SUCCESS), pending(WIN)),
  ],
  rows: new Map(
    ROWS.map((transaction, i): [string, StoredRow] => [
      `1/${transaction.txId}`,
      { transaction, feedSeq: BigInt(i + 1) },
    ]),
  ),
  sums: new Map([
    [
      1,
      new Map(
        (["bet", "refund", "win"] as const).map((action) => {
          const count = action === "bet" ? 2 : 1;
          return [
            `${HOUR}/11/${action}/null`,
            { hour: wholeMs(HOUR), gameId: 11, action, kind: null, count, sumMinor: 250n * BigInt(count) },
          ];
        }),
      ),
    ],
  ]),
  processFaults: [],
  undisturbed: true,
  crowded: false,
  horizonMs: 72 * 3_600_000,
  quietPeriodMs: 60_000,
  bugs: [],
};
