import type { Transaction } from "../../src/domain/transaction/transaction.ts";
import type { TxKey } from "../../src/domain/values/identifiers.ts";
import {
  type Claimed,
  type ClaimLine,
  type SettleLine,
  TransactionStore,
} from "../../src/ports/transactions/transaction-store.ts";

/**
 * A store that answers at once and stores nothing: every bet is new and every settle succeeds. It supports only bets.
 */
export class InstantTransactionStore extends TransactionStore {
  override async claim(lines: readonly ClaimLine[]): Promise<Claimed[]> {
    const now = Date.now();
    return lines.map((line) => ({ mine: true, row: claimed(line, now) }));
  }

  override async settle(lines: readonly SettleLine[]): Promise<boolean[]> {
    return lines.map(() => true);
  }

  override async merchantsDue(): Promise<number[]> {
    return [];
  }

  override async due(): Promise<TxKey[]> {
    return [];
  }

  override read = notUsed;
  override claimPlay = notUsed;
  override takeOver = notUsed;
  override wait = notUsed;
  override settlePlay = notUsed;
  override adopt = notUsed;
  override mark = notUsed;
  override seal = notUsed;
  override settleBet = notUsed;
  override schedule = notUsed;
}

function notUsed(): never {
  throw new Error("this store only knows new bets");
}

function claimed({ content, token, leaseMs }: ClaimLine, now: number): Transaction {
  return {
    ...content,
    status: "pending",
    attempts: 1,
    leaseToken: token,
    leaseUntil: now + leaseMs,
    silentAt: null,
    nextAt: null,
    reversedBy: null,
    settledBy: null,
    playWin: null,
    resolvedBy: null,
    createdAt: now,
    openedAt: now,
    updatedAt: now,
    readAt: now,
  };
}
