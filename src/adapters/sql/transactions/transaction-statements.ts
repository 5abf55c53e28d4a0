import type { TxKey } from "../../../domain/values/identifiers.ts";
import type {
  AdoptLine,
  ClaimLine,
  MarkLine,
  PlayClaimLine,
  PlaySettleLine,
  ScheduleLine,
  SealLine,
  SettleBetLine,
  SettleLine,
  TakeOverLine,
} from "../../../ports/transactions/transaction-store.ts";
import type { ResolveLine } from "../../../ports/transactions/transaction-support.ts";
import type { Statement } from "../connection/statement.ts";

export type ReversalSettleLine = SettleLine & Required<Pick<SettleLine, "reversed">>;

/**
 * The statements of the transaction store in one dialect. A statement has the same form for one line and for many lines
 * of a batch.
 */
export interface TransactionStatements {
  /** Result: the columns of rows.ts, and read_at. */
  read(keys: readonly TxKey[]): Statement;
  claim(lines: readonly ClaimLine[]): Statement;
  /** A claim of transactions that end their rounds, and of bets whose rounds must not have ended. */
  claimInRound(lines: readonly ClaimLine[]): Statement;
  /**
   * The same claim for the usual case: it fails because of its content, and inserts nothing, if the round of any line
   * has ended. Absent: it would not be cheaper.
   */
  readonly claimIfOpen?: (lines: readonly ClaimLine[]) => Statement;
  /** The rows of Plays. */
  claimPlay(lines: readonly PlayClaimLine[]): Statement;
  /** As {@link claimIfOpen}. */
  readonly claimPlayIfOpen?: (lines: readonly PlayClaimLine[]) => Statement;
  takeOver(lines: readonly TakeOverLine[]): Statement;
  adopt(lines: readonly AdoptLine[]): Statement;
  /** Changes two rows for each line that is applied, or one row if the win does not settle its bet. */
  adoptForBet(lines: readonly AdoptLine[]): Statement;
  /** The bets of Plays. */
  adoptPlay(lines: readonly AdoptLine[]): Statement;
  wait(lines: readonly AdoptLine[]): Statement;
  seal(lines: readonly SealLine[]): Statement;
  settleBet(lines: readonly SettleBetLine[]): Statement;
  /** Changes two rows for each line that is applied. */
  mark(lines: readonly MarkLine[]): Statement;
  settle(lines: readonly SettleLine[]): Statement;
  /** Changes two rows for each line that is applied, or one row if the reversed row stays as it is. */
  settleReversal(lines: readonly ReversalSettleLine[]): Statement;
  /** Changes two rows for each line that is applied. */
  settlePlay(lines: readonly PlaySettleLine[]): Statement;
  /**
   * The same for the usual case: it changes nothing unless it changes the rows of every line. Absent: it would not be
   * cheaper.
   */
  readonly settlePlays?: (lines: readonly PlaySettleLine[]) => Statement;
  schedule(lines: readonly ScheduleLine[]): Statement;
  /** Changes the line's row. If the line has a win, or a change for the reversed row, changes that row too. */
  resolve(line: ResolveLine): Statement;
  /**
   * Result: the column merchant_id. The statement reads two entries of the index of due times for each merchant,
   * however many rows the merchant has.
   */
  readonly merchantsDue: Statement;
  /** Result: the columns merchant_id and tx_id. The row with the oldest due time comes first. */
  due(merchantIds: readonly number[], limit: number): Statement;
}
