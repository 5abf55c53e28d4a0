import type { Numbering } from "../../../../ports/transactions/change-store.ts";
import type { Cell, Statement } from "../../connection/statement.ts";
import { isNumberable } from "../../reports/feed-statements.ts";
import { STATUS } from "../../schema/codes.ts";
import { LOG_ONLY } from "./row-room.ts";
import { mysqlFragments } from "./sql-fragments.ts";

/**
 * Updates one table by ranges of its primary key, and finds each row's number by its position in the list of all rows. A
 * join with a table of the lines would cost the database half as much again, mostly for reading the text. The ids and
 * numbers come from this service, so they are written into the text.
 */
export function numberRows(numberings: readonly Numbering[]): Statement {
  const lines = numberings.flatMap((numbering) => numbering.lines);
  let before = 0n;
  const offsets = numberings.map(({ merchantId, seq, lines: own }) => {
    const when = `WHEN ${merchantId} THEN ${seq - before}`;
    before += BigInt(own.length);
    return when;
  });
  const orphans = lines.filter(({ nextAt }) => nextAt !== undefined);
  const due =
    orphans.length === 0
      ? ""
      : `next_at = CASE id ${orphans.map(({ id, nextAt }) => `WHEN ${id} THEN ${nextAt}`).join(" ")} ELSE next_at END,`;
  const seen = [...new Set(lines.map((line) => line.seen))].map(
    (status) =>
      `(status = ${STATUS[status]} AND id IN (${lines.flatMap((line) => (line.seen === status ? [line.id] : [])).join(",")}))`,
  );
  return {
    sql: `UPDATE tx FORCE INDEX (PRIMARY) SET ${due} attempt_log = ${LOG_ONLY}, feed_seq = CASE merchant_id ${offsets.join(" ")} END + FIELD(id, ${lines.map(({ id }) => id).join(",")})
       WHERE (${seen.join(" OR ")}) AND feed_seq IS NULL AND ${isNumberable("tx", mysqlFragments)}`,
    bindings: [],
  };
}

export function latestDue(merchantIds: readonly number[], limit: number): Statement {
  const walk =
    "(SELECT merchant_id, created_at FROM tx FORCE INDEX (tx_due) WHERE merchant_id = ? AND next_at >= 0 ORDER BY next_at DESC LIMIT ?)";
  return {
    sql: `(${merchantIds.map(() => walk).join(" UNION ALL ")}) w`,
    bindings: merchantIds.flatMap((id) => [id, limit]),
  };
}

export function insertOf(rows: readonly (readonly Cell[])[], columns: number, same: readonly string[]): Statement {
  const row = `(${[...Array.from({ length: columns }, () => "?"), ...same].join(",")})`;
  return { sql: `VALUES ${rows.map(() => row).join(",")}`, bindings: rows.flat() };
}
