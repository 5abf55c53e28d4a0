import type { ClaimLine } from "../../../../ports/transactions/transaction-store.ts";
import type { Statement } from "../../connection/statement.ts";
import { STATUS } from "../../schema/codes.ts";
import {
  CLAIM,
  CLAIM_IN_ROUND,
  CLAIM_LABELS,
  CLAIM_PLAY,
  CLAIM_PLAY_IN_ROUND,
  CLAIMED,
  CLAIMED_LABELS,
  CLAIMED_PLAY,
  cellsOf,
  hasLabels,
  isPlainPlay,
  type LineColumns,
  PLAY_COLUMNS,
  READ,
} from "../../transactions/line-columns.ts";
import { COLUMNS } from "../../transactions/rows.ts";
import { changes, idle, MAY_JOIN_ROUND, type Step } from "../../transactions/steps.ts";
import type { TransactionStatements } from "../../transactions/transaction-statements.ts";
import { jsonLines } from "./json-lines.ts";
import { sqliteFragments } from "./sql-fragments.ts";

/*
 * The lines of a batch are one binding, a JSON array of arrays. So each statement has the same text for any number of
 * lines.
 */

const NOW = sqliteFragments.nowMs;
const { pending: PENDING, void: VOID } = STATUS;

/** The lines of a batch as a table `n`. */
const given = <Line>(columns: LineColumns<Line>): string =>
  `n(${Object.keys(columns).join(", ")}) AS MATERIALIZED (SELECT ${Object.values(columns)
    .map(({ kind }, i) => (kind === "token" ? `unhex(value ->> ${i})` : `value ->> ${i}`))
    .join(", ")} FROM json_each(?))`;

function statement<Line>(columns: LineColumns<Line>, sql: string): (lines: readonly Line[]) => Statement {
  const cells = cellsOf(columns);
  const text = `WITH ${given(columns)}${sql}`;
  return (lines) => ({ sql: text, bindings: [jsonLines(lines.map(cells))] });
}

const row = (alias: string, id: "tx_id" | "reversed" | "bet_tx_id" = "tx_id"): string =>
  `${alias}.merchant_id = n.merchant_id AND ${alias}.tx_id = n.${id}`;

function changing<Line>(step: Step<Line>): (lines: readonly Line[]) => Statement {
  const { columns, where, set, reversed, bet } = step;
  if (reversed !== undefined) return statement(columns, changeBoth(step, reversed, "reversed"));
  if (bet !== undefined) return statement(columns, changeBoth(step, bet, "bet_tx_id"));
  const assignments = Object.entries(set).map(([column, value]) => `${column} = ${value}`);
  return statement(columns, ` UPDATE tx AS o SET ${assignments.join(", ")} FROM n WHERE ${row("o")} AND ${where}`);
}

/** Finds both rows of each line for which the condition is true, and their new values, and then changes these rows. */
function changeBoth<Line>(
  { where, set }: Step<Line>,
  other: NonNullable<Step<Line>["reversed"]>,
  id: "reversed" | "bet_tx_id",
): string {
  const changed = [...new Set([...Object.keys(set), ...Object.keys(other.set)])];
  const values = (alias: "o" | "b", own: Step<Line>["set"]): string =>
    `SELECT ${alias}.id, ${changed.map((column) => `${own[column] ?? `${alias}.${column}`} AS ${column}`).join(", ")}
    FROM hit n JOIN tx o ON o.id = n.o_id JOIN tx b ON b.id = n.b_id`;
  return `, hit AS MATERIALIZED (SELECT n.*, o.id AS o_id, b.id AS b_id FROM n JOIN tx o ON ${row("o")} JOIN tx b ON ${row("b", id)} WHERE ${where}),
  change AS (${values("o", set)} UNION ALL ${values("b", other.set)} WHERE ${other.when ?? "true"})
  UPDATE tx SET ${changed.map((column) => `${column} = c.${column}`).join(", ")} FROM change c WHERE tx.id = c.id`;
}

/** @param claimed - the columns that have the same names in `tx`. */
function claiming<Line extends ClaimLine>(
  columns: LineColumns<Line>,
  claimed: readonly string[],
  where = "true",
): (lines: readonly Line[]) => Statement {
  const inserted = claimed.join(", ");
  return statement(
    columns,
    ` INSERT INTO tx (${inserted}, status, attempts, lease_until, next_at, created_at, opened_at, updated_at, feed_seq)
  SELECT ${inserted}, status, IF(lease_ms IS NULL, 0, 1), ${NOW} + lease_ms, ${NOW} + due_ms, ${NOW}, ${NOW}, ${NOW}, IF(status = ${VOID}, 0, NULL) FROM n WHERE ${where}
  ON CONFLICT (merchant_id, tx_id) DO NOTHING`,
  );
}

const claimPlain = claiming(CLAIM, Object.keys(CLAIMED));
const claimLabels = claiming(CLAIM_LABELS, Object.keys(CLAIMED_LABELS));
const claimInRound = claiming(CLAIM_IN_ROUND, [...Object.keys(CLAIMED_LABELS), "round_ended"], MAY_JOIN_ROUND);
const claimPlay = claiming(CLAIM_PLAY, Object.keys(CLAIMED_PLAY));
const claimPlayInRound = claiming(
  CLAIM_PLAY_IN_ROUND,
  [...Object.keys(CLAIMED_LABELS), ...PLAY_COLUMNS, "round_ended"],
  MAY_JOIN_ROUND,
);

/** The statement reads at most `limit` index entries of each merchant, however many rows are due. */
const due = statement<number>(
  { merchant_id: { kind: "integer", of: (id) => id } },
  ` SELECT tx.merchant_id, tx.tx_id FROM n JOIN tx ON tx.id IN (
    SELECT d.id FROM tx d WHERE d.merchant_id = n.merchant_id AND d.next_at <= ${NOW} AND d.status = ${PENDING} AND ${idle("d", sqliteFragments)} ORDER BY d.next_at LIMIT ?)
  ORDER BY tx.next_at`,
);

export const sqliteTransactionStatements: TransactionStatements = {
  ...changes(sqliteFragments, changing),

  read: statement(
    READ,
    ` SELECT ${COLUMNS.map((name) => `o.${name}`).join(", ")}, ${NOW} AS read_at FROM n JOIN tx o ON ${row("o")}`,
  ),

  claim: (lines) => (hasLabels(lines) ? claimLabels : claimPlain)(lines),
  claimInRound,
  claimPlay: (lines) => (isPlainPlay(lines) ? claimPlay : claimPlayInRound)(lines),

  // SQLite has no loose index scan, so the statement makes one look-up in the index for each merchant.
  merchantsDue: {
    sql: `WITH RECURSIVE m(id) AS (
    SELECT min(merchant_id) FROM tx
    UNION ALL SELECT (SELECT min(merchant_id) FROM tx WHERE merchant_id > m.id) FROM m WHERE m.id IS NOT NULL)
  SELECT m.id AS merchant_id FROM m WHERE EXISTS (SELECT 1 FROM tx WHERE merchant_id = m.id AND next_at >= 0 AND next_at <= ${NOW})`,
    bindings: [],
  },

  due(merchantIds, limit) {
    const { sql, bindings } = due(merchantIds);
    return { sql, bindings: [...bindings, limit] };
  },
};
