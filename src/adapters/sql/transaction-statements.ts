import type { TxKey } from "../../domain/identifiers.ts";
import type { AdoptLine, ClaimLine, MarkLine, ScheduleLine, SettleLine, TakeOverLine } from "../../ports/transaction-store.ts";
import type { Statement } from "./statement.ts";

export type ReversalSettleLine = SettleLine & Required<Pick<SettleLine, "reversed">>;

/** The statements of the transaction store in one dialect: one shape each for one line and for many. */
export interface TransactionStatements {
  /** Columns of rows.ts, and read_at. */
  read(keys: readonly TxKey[]): Statement;
  claim(lines: readonly ClaimLine[]): Statement;
  takeOver(lines: readonly TakeOverLine[]): Statement;
  adopt(lines: readonly AdoptLine[]): Statement;
  /** Changes two rows per line that applies. */
  mark(lines: readonly MarkLine[]): Statement;
  settle(lines: readonly SettleLine[]): Statement;
  /** Changes two rows per line that applies, one where the reversed row stays as it is. */
  settleReversal(lines: readonly ReversalSettleLine[]): Statement;
  schedule(lines: readonly ScheduleLine[]): Statement;
  /** Columns merchant_id and tx_id, the longest due first. */
  due(merchantIds: readonly number[], limit: number): Statement;
}
