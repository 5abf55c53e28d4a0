import { NEVER, type RowChange } from "../../../domain/transaction/transaction.ts";
import type { TxKey } from "../../../domain/values/identifiers.ts";
import type {
  AdoptLine,
  ClaimLine,
  MarkLine,
  ScheduleLine,
  SettleLine,
  TakeOverLine,
} from "../../../ports/transactions/transaction-store.ts";
import type { ResolveLine } from "../../../ports/transactions/transaction-support.ts";
import type { Statement } from "../connection/statement.ts";
import { STATUS } from "../schema/codes.ts";
import { balanceOf, errorOf } from "./rows.ts";

export type ReversalSettleLine = SettleLine & Required<Pick<SettleLine, "reversed">>;

/** The statements of the transaction store in one dialect. Each has the same form for one line and for many. */
export interface TransactionStatements {
  /** Columns: those of rows.ts, and read_at. */
  read(keys: readonly TxKey[]): Statement;
  claim(lines: readonly ClaimLine[]): Statement;
  takeOver(lines: readonly TakeOverLine[]): Statement;
  adopt(lines: readonly AdoptLine[]): Statement;
  /** Changes two rows per line that applies. */
  mark(lines: readonly MarkLine[]): Statement;
  settle(lines: readonly SettleLine[]): Statement;
  /** Changes two rows per line that applies, or one where the reversed row stays as it is. */
  settleReversal(lines: readonly ReversalSettleLine[]): Statement;
  schedule(lines: readonly ScheduleLine[]): Statement;
  /** Changes the line's row, and the reversed row where the line has a change for it. */
  resolve(line: ResolveLine): Statement;
  /**
   * Column merchant_id. It takes two steps into the index of due times per merchant, however many rows the merchant
   * has.
   */
  readonly merchantsDue: Statement;
  /** Columns merchant_id and tx_id. The row due for longest comes first. */
  due(merchantIds: readonly number[], limit: number): Statement;
}

/**
 * The last cells of a reversal's line: the reversed row, its status as seen, and its change. All null: the line
 * reverses no row.
 */
export function reversedCells(reversed: SettleLine["reversed"]): readonly (string | number | bigint | null)[] {
  if (reversed === undefined) return [null, null, null, null, null, null, null];
  const { txId, seen, change } = reversed;
  if (change === null) return [txId, STATUS[seen], null, null, null, null, null];
  const { state, resolvedBy, next } = change;
  return [txId, STATUS[seen], STATUS[state.status], errorOf(state), balanceOf(state), resolvedBy, nextCell(next)];
}

/** The time until the next attempt, in ms from the statement's time. {@link NEVER} stands for itself. */
export const nextCell = (next: RowChange["next"]): number | null => (next === "never" ? NEVER : next);
