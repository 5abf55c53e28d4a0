import { referenceMismatch, unseenOriginal } from "../../src/domain/transaction/reversal.ts";
import {
  type Content,
  type DbTime,
  isOfPlay,
  isSealed,
  type LeaseToken,
  lastUnansweredAt,
  NEVER,
  type RowChange,
  type State,
  type Transaction,
} from "../../src/domain/transaction/transaction.ts";
import { keyText, type TxKey } from "../../src/domain/values/identifiers.ts";
import {
  type AdoptLine,
  type Attempt,
  type Claimed,
  type ClaimLine,
  claimedPlay,
  claimedRow,
  type LineResult,
  type MarkLine,
  type PlayClaimLine,
  type PlaySettleLine,
  RoundOver,
  type ScheduleLine,
  type SealLine,
  type SettleBetLine,
  type SettleLine,
  type TakeOverLine,
  TransactionStore,
} from "../../src/ports/transactions/transaction-store.ts";

import { MemoryRoundStore } from "./round-store.ts";

/** A stored row: the transaction, and fields that only other stores read. */
export interface MemoryRow {
  /** The number of the row, in the order of insertion. */
  readonly id: bigint;
  /** The row's number in the feed. null: the row has changed and has no new number yet. 0n: the row is void. */
  readonly feedSeq: bigint | null;
  readonly attemptLog: readonly Attempt[];
  /** The transaction. Its `readAt` has no meaning here, because each read sets it. */
  readonly transaction: Transaction;
}

/**
 * Transactions in a map, for one process. The store has the same contract as the database's store. Each call is atomic,
 * because it never waits.
 */
export class MemoryTransactionStore extends TransactionStore {
  /** All rows by {@link keyText}. This store writes them. So do the change store and the support store that use it. */
  readonly rows: Map<string, MemoryRow>;
  /** The database's clock. */
  readonly now: () => DbTime;
  /** The rounds, in the same database. */
  readonly rounds: MemoryRoundStore;
  #ids = 0n;

  constructor(
    now: () => DbTime,
    rows: Map<string, MemoryRow> = new Map(),
    rounds: MemoryRoundStore = new MemoryRoundStore(now),
  ) {
    super();
    this.now = now;
    this.rows = rows;
    this.rounds = rounds;
  }

  override async read(keys: readonly TxKey[]): Promise<LineResult<Transaction | undefined>[]> {
    return keys.map((key) => this.#read(key));
  }

  override async claim(lines: readonly ClaimLine[]): Promise<LineResult<Claimed>[]> {
    return lines.map((line) => this.#claim(line, claimedRow(line, this.now())));
  }

  override async claimPlay(lines: readonly PlayClaimLine[]): Promise<LineResult<Claimed>[]> {
    return lines.map((line) => this.#claim(line, claimedPlay(line, this.now())));
  }

  override async takeOver(lines: readonly TakeOverLine[]): Promise<LineResult<Transaction | undefined>[]> {
    return lines.map((line) => this.#takeOver(line));
  }

  override async adopt(lines: readonly AdoptLine[]): Promise<LineResult<Transaction | undefined>[]> {
    return lines.map((line) => this.#adopt(line));
  }

  override async wait(lines: readonly AdoptLine[]): Promise<LineResult<Transaction | undefined>[]> {
    return lines.map((line) => this.#wait(line));
  }

  override async mark(lines: readonly MarkLine[]): Promise<LineResult<boolean>[]> {
    return lines.map((line) => this.#mark(line));
  }

  override async seal(lines: readonly SealLine[]): Promise<LineResult<boolean>[]> {
    return lines.map((line) => this.#seal(line));
  }

  override async settleBet(lines: readonly SettleBetLine[]): Promise<LineResult<boolean>[]> {
    return lines.map((line) => this.#settleBet(line));
  }

  override async settle(lines: readonly SettleLine[]): Promise<LineResult<boolean>[]> {
    return lines.map((line) => this.#settle(line));
  }

  override async settlePlay(lines: readonly PlaySettleLine[]): Promise<LineResult<boolean>[]> {
    return lines.map((line) => this.#settlePlay(line));
  }

  override async schedule(lines: readonly ScheduleLine[]): Promise<LineResult<boolean>[]> {
    return lines.map((line) => this.#schedule(line));
  }

  override async merchantsDue(): Promise<number[]> {
    const now = this.now();
    const due = [...this.rows.values()].filter(
      ({ transaction }) => transaction.nextAt !== null && transaction.nextAt <= now,
    );
    return [...new Set(due.map(({ transaction }) => transaction.merchantId))];
  }

  override async due(merchantIds: readonly number[], limit: number): Promise<TxKey[]> {
    const now = this.now();
    const merchants = new Set(merchantIds);
    const dueAt = (row: Transaction): DbTime | null =>
      row.status === "pending" && !isLeased(row, now) ? row.nextAt : null;
    const found = [...this.rows.values()]
      .map(({ transaction }) => ({
        key: { merchantId: transaction.merchantId, txId: transaction.txId },
        at: dueAt(transaction) ?? Number.POSITIVE_INFINITY,
      }))
      .filter(({ key, at }) => at <= now && merchants.has(key.merchantId))
      .sort((a, b) => a.at - b.at);
    const taken = new Map<number, number>();
    return found.flatMap(({ key }) => {
      const count = (taken.get(key.merchantId) ?? 0) + 1;
      taken.set(key.merchantId, count);
      return count <= limit ? [key] : [];
    });
  }

  #read(key: TxKey): Transaction | undefined {
    const row = this.rows.get(keyText(key));
    return row === undefined ? undefined : asRead(row, this.now());
  }

  #claim(line: ClaimLine, fresh: Transaction): LineResult<Claimed> {
    const key = keyText(line.content);
    const found = this.rows.get(key);
    // A caller sends the same line again if its answer was lost. Then the row has this line's token.
    if (found !== undefined)
      return { mine: found.transaction.leaseToken === line.token, row: asRead(found, this.now()) };
    if (this.#isOver(line)) return new RoundOver(`the round of ${key} has ended`);
    const row = inserted(++this.#ids, line, fresh);
    this.rows.set(key, row);
    return { mine: true, row: asRead(row, this.now()) };
  }

  /** Whether the line is refused because its round has ended. */
  #isOver({ content, unlessEnded }: ClaimLine): boolean {
    const { merchantId, roundId, game } = content;
    return unlessEnded === true && this.rounds.isEnded({ merchantId, providerId: game.providerId, roundId });
  }

  #takeOver({ key, seen, token, leaseMs }: TakeOverLine): Transaction | undefined {
    const now = this.now();
    const row = this.rows.get(keyText(key));
    if (row === undefined) return undefined;
    const was = row.transaction;
    if (was.status !== seen.status || was.leaseToken !== seen.leaseToken || was.reversedBy !== seen.reversedBy)
      return undefined;
    if ((was.status !== "pending" && was.status !== "failed") || isLeased(was, now)) return undefined;
    const reopened = was.status === "failed";
    const next: MemoryRow = {
      ...row,
      feedSeq: reopened ? null : row.feedSeq,
      transaction: {
        ...withState(was, { status: "pending" }),
        attempts: was.attempts + 1,
        leaseToken: token,
        leaseUntil: now + leaseMs,
        silentAt: lastUnansweredAt({ ...was, readAt: now }),
        openedAt: reopened ? now : was.openedAt,
        updatedAt: now,
      },
    };
    this.rows.set(keyText(key), next);
    return asRead(next, now);
  }

  #adopt(line: AdoptLine): LineResult<Transaction | undefined> {
    const now = this.now();
    const key = keyText(line.content);
    const row = this.rows.get(key);
    if (row === undefined) return undefined;
    const { status, reversedBy, leaseToken } = row.transaction;
    if (status !== "void" || reversedBy !== null || leaseToken !== line.seen) return undefined;
    if (this.#isOver(line)) return new RoundOver(`the round of ${key} has ended`);
    const { bet } = line.content;
    if (bet !== undefined && !this.#markSettled({ ...line.content, txId: bet.txId }, line.content, bet.settles))
      return undefined;
    const next = inserted(row.id, line, claimedPlay(line, now));
    this.rows.set(key, next);
    return asRead(next, now);
  }

  #wait(line: AdoptLine): Transaction | undefined {
    const now = this.now();
    const key = keyText(line.content);
    const row = this.rows.get(key);
    if (row === undefined) return undefined;
    const was = row.transaction;
    if (was.status !== "void" || was.reversedBy !== null || was.leaseToken !== line.seen || isOfPlay(was))
      return undefined;
    const { bet, ...content } = line.content;
    const next = {
      ...row,
      transaction: { ...was, ...content, ...(bet && { bet }), leaseToken: line.token },
    };
    this.rows.set(key, next);
    return asRead(next, now);
  }

  #settlePlay(line: PlaySettleLine): boolean {
    const now = this.now();
    const { key, token, win } = line;
    const winKey = keyText({ merchantId: key.merchantId, txId: win.txId });
    const [bet, won] = [this.rows.get(keyText(key)), this.rows.get(winKey)];
    if (bet === undefined || won === undefined || bet.transaction.leaseToken !== token) return false;
    const [was, waiting] = [bet.transaction, won.transaction];
    // This line was applied before.
    if (was.status === "success") return waiting.leaseToken === win.token;
    if (was.status !== "pending" || was.leaseUntil === null || was.reversedBy !== null) return false;
    const { bet: named, status, reversedBy } = waiting;
    if (named?.txId !== key.txId || status !== "void" || reversedBy !== null) return false;
    if (waiting.leaseToken !== win.seen) return false;
    if (named.settles && was.settledBy !== null) return false;
    this.#settle(line);
    const settled = this.rows.get(keyText(key));
    if (named.settles && settled !== undefined)
      this.rows.set(keyText(key), { ...settled, transaction: { ...settled.transaction, settledBy: win.txId } });
    this.rows.set(winKey, {
      ...won,
      feedSeq: null,
      transaction: {
        ...withState(waiting, { status: "pending" }),
        attempts: 1,
        leaseToken: win.token,
        leaseUntil: now + win.leaseMs,
        createdAt: now,
        openedAt: now,
        updatedAt: now,
      },
    });
    return true;
  }

  #seal({ key, seen, by }: SealLine): boolean {
    const row = this.rows.get(keyText(key));
    if (row === undefined) return false;
    const was = row.transaction;
    if (isSealed(was)) return was.reversedBy === by;
    if (was.status !== "void" || was.leaseToken !== seen || was.reversedBy !== null) return false;
    this.rows.set(keyText(key), {
      ...row,
      transaction: { ...was, action: "bet", reversedBy: by, resolvedBy: "sealed", updatedAt: this.now() },
    });
    return true;
  }

  #settleBet({ key, win }: SettleBetLine): boolean {
    return this.rows.get(keyText(key))?.transaction.settledBy === win.txId || this.#markSettled(key, win, true);
  }

  /** Whether the win may be paid for the bet. If it settles the bet, this sets the mark. */
  #markSettled(key: TxKey, win: SettleBetLine["win"], settles: boolean): boolean {
    const bet = this.rows.get(keyText(key));
    if (bet === undefined) return false;
    const { status, action, reversedBy, settledBy, playerId, currency } = bet.transaction;
    if (status !== "success" || action !== "bet" || reversedBy !== null) return false;
    if (playerId !== win.playerId || currency !== win.currency || (settles && settledBy !== null)) return false;
    if (settles) this.rows.set(keyText(key), { ...bet, transaction: { ...bet.transaction, settledBy: win.txId } });
    return true;
  }

  #mark({ key, seen, reversed, unlessSettled, deliver }: MarkLine): boolean {
    const now = this.now();
    const reversedKey = keyText({ merchantId: key.merchantId, txId: reversed });
    const row = this.rows.get(keyText(key));
    const original = this.rows.get(reversedKey);
    if (row === undefined || original === undefined) return false;
    const was = row.transaction;
    if (was.status !== "void" || was.leaseToken !== seen || original.transaction.reversedBy !== null) return false;
    if (unlessSettled === true && original.transaction.settledBy !== null) return false;
    if (referenceMismatch(was, original.transaction) !== undefined) return false;
    const lease = isLeased(original.transaction, now) ? original.transaction.leaseUntil : null;
    const unseen =
      original.transaction.status === "void"
        ? { ...(!isOfPlay(original.transaction) && unseenOriginal(contentOf(was))), createdAt: now, openedAt: now }
        : {};
    this.rows.set(reversedKey, {
      ...original,
      transaction: { ...original.transaction, ...unseen, reversedBy: key.txId },
    });
    this.rows.set(keyText(key), {
      ...row,
      feedSeq: null,
      transaction: {
        ...withState(was, { status: "pending" }),
        nextAt: was.action === "rollback" && deliver !== true ? NEVER : (lease ?? now),
        createdAt: now,
        openedAt: now,
        updatedAt: now,
      },
    });
    return true;
  }

  #schedule({ key, seen, inMs }: ScheduleLine): boolean {
    const now = this.now();
    const row = this.rows.get(keyText(key));
    if (row === undefined) return false;
    const was = row.transaction;
    if (was.leaseToken !== seen.leaseToken || was.reversedBy !== seen.reversedBy || isLeased(was, now)) return false;
    // The row was scheduled before: by this line, whose answer was lost, or by another line that saw the same row.
    if (was.status !== seen.status) return was.status === "pending" && was.nextAt !== null && was.nextAt !== NEVER;
    if (was.status !== "pending" && was.status !== "failed") return false;
    const reopened = was.status === "failed";
    this.rows.set(keyText(key), {
      ...row,
      feedSeq: reopened ? null : row.feedSeq,
      transaction: {
        ...withState(was, { status: "pending" }),
        nextAt: now + inMs,
        openedAt: reopened ? now : was.openedAt,
        updatedAt: now,
      },
    });
    return true;
  }

  #settle(line: SettleLine): boolean {
    const now = this.now();
    const row = this.rows.get(keyText(line.key));
    if (row === undefined || row.transaction.leaseToken !== line.token) return false;
    // The attempt has ended and no other attempt has begun, so this line was applied before.
    if (row.transaction.leaseUntil === null) return true;
    if (row.transaction.status !== "pending") return false;
    if (line.reversed !== undefined && !this.#settleReversed(line.key, line.token, line.reversed, now)) return false;
    const { state, resolvedBy, silent, next } = line.change;
    this.rows.set(keyText(line.key), {
      ...row,
      feedSeq: state.status === "pending" ? row.feedSeq : null,
      attemptLog: [...row.attemptLog, line.attempt],
      transaction: {
        ...withState(row.transaction, state),
        resolvedBy,
        leaseUntil: null,
        silentAt: silent ? now : row.transaction.silentAt,
        nextAt: nextAt(next, now),
        updatedAt: now,
      },
    });
    return true;
  }

  /**
   * Settles the reversed row of a reversal. `false`: the row has changed since it was read, and nothing was written.
   */
  #settleReversed(key: TxKey, token: LeaseToken, reversed: NonNullable<SettleLine["reversed"]>, now: DbTime): boolean {
    const originalKey = keyText({ merchantId: key.merchantId, txId: reversed.txId });
    const original = this.rows.get(originalKey);
    if (
      original === undefined ||
      original.transaction.status !== reversed.seen ||
      original.transaction.reversedBy !== key.txId
    )
      return false;
    if (reversed.change === null) return true;
    const was = original.transaction;
    const { state, resolvedBy, next } = reversed.change;
    this.rows.set(originalKey, {
      ...original,
      feedSeq: state.status === was.status ? original.feedSeq : null,
      transaction: {
        ...withState(was, state),
        resolvedBy,
        // If the row kept its old token, a late settle of the dead attempt would seem to have been applied.
        leaseToken: was.leaseUntil === null ? was.leaseToken : token,
        leaseUntil: null,
        silentAt: lastUnansweredAt({ ...was, readAt: now }),
        nextAt: nextAt(next, now),
        updatedAt: now,
      },
    });
    return true;
  }
}

const nextAt = (next: RowChange["next"], now: DbTime): DbTime | null =>
  next === null ? null : next === "never" ? NEVER : now + next;

const isLeased = (row: Transaction, now: DbTime): boolean => row.leaseUntil !== null && row.leaseUntil > now;

const asRead = (row: MemoryRow, now: DbTime): Transaction => ({ ...row.transaction, readAt: now });

const contentOf = ({
  merchantId,
  txId,
  action,
  playerId,
  roundId,
  amountMinor,
  currency,
  game,
  refTxId,
}: Transaction): Content => ({
  merchantId,
  txId,
  action,
  playerId,
  roundId,
  amountMinor,
  currency,
  game,
  refTxId,
});

const inserted = (id: bigint, line: ClaimLine, transaction: Transaction): MemoryRow => ({
  id,
  feedSeq: line.as === "void" ? 0n : null,
  attemptLog: [],
  transaction,
});

/** The row with another state, without the fields of its old state. */
export function withState(row: Transaction, state: State): Transaction {
  const {
    balanceMinor: _balance,
    error: _error,
    rejected: _rejected,
    ...rest
  } = { balanceMinor: null, error: null, rejected: null, ...row };
  return { ...rest, ...state };
}
