import { NEVER } from "../../../../domain/transaction/transaction.ts";
import type { SettleLine } from "../../../../ports/transactions/transaction-store.ts";
import type { Binding, Statement } from "../../connection/statement.ts";
import { STATUS } from "../../schema/codes.ts";
import { logLine } from "../../transactions/attempt-log.ts";
import { balanceOf, errorOf } from "../../transactions/rows.ts";
import { mysqlFragments } from "./sql-fragments.ts";

const NOW = mysqlFragments.nowMs;
const PENDING = STATUS.pending;

type Value = (line: SettleLine) => Binding;

/** The columns of a settle in the order of their assignment, which MySQL keeps: what reads a column stands before what writes it. `@` is the line's value. */
const ASSIGNMENTS: readonly (readonly [sql: string, value?: Value])[] = [
  ["attempt_log = CONCAT_WS('\\n', attempt_log, @)", ({ attempt }) => logLine(attempt)],
  ["last_result = @", ({ attempt }) => attempt.result],
  ["error = @", ({ change }) => errorOf(change.state)],
  ["balance_minor = @", ({ change }) => balanceOf(change.state)],
  ["resolved_by = @", ({ change }) => change.resolvedBy],
  [`silent_at = IF(@ = 1, ${NOW}, silent_at)`, ({ change }) => (change.silent ? 1 : 0)],
  [`next_at = LEAST(${NEVER}, ${NOW} + @)`, ({ change }) => (change.next === "never" ? NEVER : change.next)],
  [`feed_seq = IF(@ = ${PENDING}, feed_seq, NULL)`, ({ change }) => STATUS[change.state.status]],
  [`updated_at = ${NOW}, lease_until = NULL`],
  ["status = @", ({ change }) => STATUS[change.state.status]],
];

/**
 * The end of attempts, half of what a bet asks of the database. It updates one table by ranges of its unique key: a joined UPDATE collects
 * its new rows in a temporary table first, on disk because of attempt_log, for 500 us a statement. The last condition makes a repeat harmless.
 */
export function mysqlSettle(lines: readonly SettleLine[]): Statement {
  const tokens = lines.map(({ token }) => Buffer.from(token, "hex"));
  const bindings: Binding[] = [];
  const assignments = ASSIGNMENTS.map(([sql, value]) => (value === undefined ? sql : sql.replace("@", () => perLine(lines.map(value), tokens, bindings))));
  for (const { key } of lines) bindings.push(key.merchantId, key.txId);
  bindings.push(...tokens);
  return {
    // One key after the other, joined by OR: of a single pair in a row constructor's IN MariaDB makes a scan.
    sql: `UPDATE tx FORCE INDEX (tx_key) SET ${assignments.join(", ")} WHERE (${lines.map(() => "(merchant_id = ? AND tx_id = ?)").join(" OR ")})
       AND lease_token IN (${tokens.map(() => "?").join(",")}) AND status = ${PENDING} AND lease_until IS NOT NULL`,
    bindings,
    // Others differ in what is the same for all of them, so that few texts are alike.
    recurs: lines.every(({ change }) => change.state.status === "success"),
  };
}

/** One value where it is the same for all, else each row's own, told by its token: no two rows with a lease have the same. */
function perLine(values: readonly Binding[], tokens: readonly Buffer[], bindings: Binding[]): string {
  if (values.every((value) => value === values[0])) {
    bindings.push(values[0] ?? null);
    return "?";
  }
  for (const [i, token] of tokens.entries()) bindings.push(token, values[i] ?? null);
  return `CASE lease_token${" WHEN ? THEN ?".repeat(tokens.length)} END`;
}
