import {
  hasSettled,
  isContradiction,
  isOwed,
  SLIP_STUCK_AFTER_MS,
  type StuckKind,
} from "../../src/domain/transaction/stuck.ts";
import { type DbTime, isCredit, NEVER, type Transaction } from "../../src/domain/transaction/transaction.ts";
import { keyText, type TxKey } from "../../src/domain/values/identifiers.ts";
import {
  CONTRADICTIONS_MS,
  OPEN_COUNTED_MAX,
  type OpenSums,
  type SlipQuery,
  STUCK_COUNTED_MAX,
  StuckMoney,
  StuckNotes,
  type StuckPosition,
  type StuckQuery,
  type StuckSlip,
  type StuckSum,
  type StuckSums,
  type StuckTransaction,
} from "../../src/ports/transactions/stuck-money.ts";
import type { MemorySlipStore } from "./slip-store.ts";
import type { MemoryRow, MemoryTransactionStore } from "./transaction-store.ts";

/** Stuck money of one process, for tests. It looks at all rows at each read. */
export class MemoryStuckMoney extends StuckMoney {
  readonly #transactions: MemoryTransactionStore;
  readonly #slips: MemorySlipStore;
  readonly #notes: MemoryStuckNotes;

  constructor(transactions: MemoryTransactionStore, slips: MemorySlipStore, notes: MemoryStuckNotes) {
    super();
    this.#transactions = transactions;
    this.#slips = slips;
    this.#notes = notes;
  }

  override async sums(
    merchantIds: readonly number[],
    agesMs: readonly number[],
    horizonMs: number,
    kinds: readonly StuckKind[],
  ): Promise<StuckSums[]> {
    const of = (merchantId: number, kind: StuckKind): StuckSums => {
      const all: readonly Summed[] =
        kind === "slip"
          ? this.#stuckSlips(merchantId)
          : this.#rows(merchantId, kind, horizonMs).map(({ transaction }) => transaction);
      const counted = all.slice(0, STUCK_COUNTED_MAX);
      const now = this.#transactions.now();
      return {
        merchantId,
        kind,
        players: new Set(counted.map(({ playerId }) => playerId)).size,
        ages: agesMs.map((age) => sum(counted, now - age)),
        more: all.length >= STUCK_COUNTED_MAX,
      };
    };
    return merchantIds.flatMap((id) => kinds.map((kind) => of(id, kind))).filter(({ players }) => players > 0);
  }

  override async open(
    merchantIds: readonly number[],
    agesMs: readonly number[],
    horizonMs: number,
  ): Promise<OpenSums[]> {
    const now = this.#transactions.now();
    const agesOf = (merchantId: number, kind: RowKind): StuckSum[] => {
      const open = this.#rows(merchantId, kind, horizonMs).map(({ transaction }) => transaction);
      const [sent, others] = [
        open.filter(({ nextAt }) => nextAt !== NEVER),
        open.filter(({ nextAt }) => nextAt === NEVER),
      ];
      const rows = [...sent.slice(0, OPEN_COUNTED_MAX), ...others.slice(0, OPEN_COUNTED_MAX)];
      return agesMs.map((age) => sum(rows, now - age));
    };
    return merchantIds
      .filter((merchantId) => this.#rows(merchantId, "open", horizonMs).length > 0)
      .map((merchantId) => ({
        merchantId,
        ages: agesOf(merchantId, "open"),
        retrying: agesOf(merchantId, "retrying"),
        unanswered: agesOf(merchantId, "unanswered"),
      }));
  }

  override async list(
    { kind, merchantIds, olderThanMs, horizonMs, after }: StuckQuery,
    limit: number,
  ): Promise<StuckTransaction[]> {
    const now = this.#transactions.now();
    const kinds = kind === "pending" ? (["unanswered", "pending"] as const) : [kind];
    const isDue = kind === "retrying" || kind === "open";
    const at = ({ createdAt, nextAt }: Transaction): number => (isDue ? (nextAt ?? 0) : createdAt);
    return merchantIds
      .flatMap((merchantId, i) =>
        kinds
          .flatMap((one) => this.#rows(merchantId, one, horizonMs))
          .map((row) => ({ ...row, at: at(row.transaction) }))
          .filter(({ transaction }) => isDue || transaction.createdAt <= now - olderThanMs)
          .filter((row) => i > 0 || after === undefined || isBehind(row, after))
          .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)),
      )
      .slice(0, limit)
      .map(({ id, transaction, attemptLog }) => ({
        id,
        transaction: { ...transaction, readAt: now },
        lastResult: attemptLog.at(-1)?.result ?? null,
      }));
  }

  override async isContradiction(key: TxKey): Promise<boolean> {
    const row = this.#transactions.rows.get(keyText(key));
    return row !== undefined && this.#isContradiction(row);
  }

  override async slips({ merchantIds, olderThanMs, after }: SlipQuery, limit: number): Promise<StuckSlip[]> {
    return merchantIds
      .flatMap((merchantId, i) =>
        this.#stuckSlips(merchantId, olderThanMs).filter(
          ({ createdAt, slipId }) =>
            i > 0 || after === undefined || createdAt > after.at || (createdAt === after.at && slipId > after.id),
        ),
      )
      .slice(0, limit);
  }

  #rows(merchantId: number, kind: RowKind, horizonMs: number): MemoryRow[] {
    return [...this.#transactions.rows.values()]
      .filter(({ transaction }) => transaction.merchantId === merchantId)
      .filter((row) => this.#isStuck(row, kind, horizonMs))
      .sort((a, b) => a.transaction.createdAt - b.transaction.createdAt || (a.id < b.id ? -1 : 1));
  }

  #isStuck({ transaction, feedSeq }: MemoryRow, kind: RowKind, horizonMs: number): boolean {
    const now = this.#transactions.now();
    const { action, nextAt, openedAt } = transaction;
    if (kind === "open") return nextAt !== null;
    if (kind === "retrying") return isCredit(action) && nextAt !== null && nextAt < NEVER;
    if (kind === "unanswered" || kind === "pending")
      return nextAt === NEVER && openedAt <= now - horizonMs && isCredit(action) === (kind === "unanswered");
    const reversed = this.#reversed(transaction);
    if (kind === "owed") return feedSeq !== null && isOwed(transaction, reversed);
    return transaction.createdAt >= now - CONTRADICTIONS_MS && this.#isContradiction({ transaction, feedSeq });
  }

  #isContradiction({ transaction, feedSeq }: Pick<MemoryRow, "transaction" | "feedSeq">): boolean {
    const key = keyText(transaction);
    return (
      !this.#notes.closed.has(key) &&
      ((feedSeq !== null && isContradiction(transaction, this.#reversed(transaction))) ||
        (this.#notes.contradictions.has(key) && !hasSettled(transaction)))
    );
  }

  #reversed({ merchantId, refTxId }: Transaction): Transaction | undefined {
    return refTxId === null
      ? undefined
      : this.#transactions.rows.get(keyText({ merchantId, txId: refTxId }))?.transaction;
  }

  #stuckSlips(merchantId: number, olderThanMs = 0): StuckSlip[] {
    const createdTo = this.#transactions.now() - Math.max(olderThanMs, SLIP_STUCK_AFTER_MS);
    return this.#slips
      .all()
      .filter((slip) => slip.merchantId === merchantId && slip.dueAt !== null && slip.createdAt <= createdTo)
      .map(({ slipId, bets, playerId, currency, state, createdAt }) => ({
        merchantId,
        slipId,
        firstTxId: bets[0]?.txId ?? "",
        playerId,
        currency,
        amountMinor: bets.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
        status: state.status,
        createdAt,
      }))
      .sort((a, b) => a.createdAt - b.createdAt || (a.slipId < b.slipId ? -1 : 1));
  }
}

type RowKind = Exclude<StuckKind, "slip"> | "open";
type Summed = Pick<StuckSlip, "playerId" | "createdAt" | "amountMinor">;

/** The sum of those that were created at `createdTo` or before. */
function sum(all: readonly Summed[], createdTo: DbTime): StuckSum {
  const some = all.filter(({ createdAt }) => createdAt <= createdTo);
  return { count: some.length, sumMinor: some.reduce((total, { amountMinor }) => total + amountMinor, 0n) };
}

const isBehind = ({ at, id }: { at: number; id: bigint }, after: StuckPosition): boolean =>
  at > after.at || (at === after.at && id > BigInt(after.id));

/** The contradictions that no row shows, and those that were closed. The rows themselves show everything else. */
export class MemoryStuckNotes extends StuckNotes {
  readonly contradictions = new Set<string>();
  readonly closed = new Set<string>();
  readonly #isOpen: (key: TxKey) => Promise<boolean>;

  /** @param isOpen - whether the transaction is in the list of contradictions. */
  constructor(isOpen: (key: TxKey) => Promise<boolean>) {
    super();
    this.#isOpen = isOpen;
  }

  override async contradicted(key: TxKey): Promise<void> {
    this.contradictions.add(keyText(key));
    this.closed.delete(keyText(key));
  }

  /** Writes no audit log. */
  override async close(key: TxKey): Promise<boolean> {
    const isOpen = await this.#isOpen(key);
    if (isOpen) this.closed.add(keyText(key));
    return isOpen;
  }

  override async catchUp(): Promise<boolean> {
    return false;
  }

  override async isComplete(): Promise<boolean> {
    return true;
  }
}
