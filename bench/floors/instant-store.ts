import type { TxKey } from "../../src/domain/values/identifiers.ts";
import {
  type Claimed,
  type ClaimLine,
  claimedPlay,
  claimedRow,
  type PlayClaimLine,
  type PlaySettleLine,
  type SettleLine,
  TransactionStore,
} from "../../src/ports/transactions/transaction-store.ts";

/**
 * A store that answers at once and stores nothing: every transaction is new and every settle succeeds. It supports only
 * bets, wins that name no bet, and Plays.
 */
export class InstantTransactionStore extends TransactionStore {
  override async claim(lines: readonly ClaimLine[]): Promise<Claimed[]> {
    const now = Date.now();
    return lines.map((line) => ({ mine: true, row: claimedRow(line, now) }));
  }

  override async claimPlay(lines: readonly PlayClaimLine[]): Promise<Claimed[]> {
    const now = Date.now();
    return lines.map((line) => ({ mine: true, row: claimedPlay(line, now) }));
  }

  override async settle(lines: readonly SettleLine[]): Promise<boolean[]> {
    return lines.map(() => true);
  }

  override async settlePlay(lines: readonly PlaySettleLine[]): Promise<boolean[]> {
    return lines.map(() => true);
  }

  override async merchantsDue(): Promise<number[]> {
    return [];
  }

  override async due(): Promise<TxKey[]> {
    return [];
  }

  override read = notUsed;
  override takeOver = notUsed;
  override wait = notUsed;
  override adopt = notUsed;
  override mark = notUsed;
  override seal = notUsed;
  override settleBet = notUsed;
  override schedule = notUsed;
}

function notUsed(): never {
  throw new Error("this store only knows new bets and wins");
}
