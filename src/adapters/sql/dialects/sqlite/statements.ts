import type { Numbering } from "../../../../ports/transactions/change-store.ts";
import type { Cell, Statement } from "../../connection/statement.ts";
import { isNumberable } from "../../reports/feed-statements.ts";
import { STATUS } from "../../schema/codes.ts";
import { jsonLines } from "./json-lines.ts";
import { sqliteFragments } from "./sql-fragments.ts";

const NUMBER_ROWS = `WITH n(i, s, z, d) AS MATERIALIZED (SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?))
  UPDATE tx AS o SET feed_seq = n.z, next_at = coalesce(n.d, o.next_at)
  FROM n WHERE o.id = n.i AND o.feed_seq IS NULL AND o.status = n.s AND ${isNumberable("o", sqliteFragments)}`;

export const numberRows = (numberings: readonly Numbering[]): Statement => ({
  sql: NUMBER_ROWS,
  bindings: [
    jsonLines(
      numberings.flatMap(({ seq, lines }) =>
        lines.map((line, i) => [line.id, STATUS[line.seen], seq + BigInt(i) + 1n, line.nextAt ?? null]),
      ),
    ),
  ],
});

export const latestDue = (merchantIds: readonly number[], limit: number): Statement => ({
  sql: `json_each(?) n JOIN tx ON tx.id IN (
    SELECT w.id FROM tx w WHERE w.merchant_id = n.value ->> 0 AND w.next_at >= 0 ORDER BY w.next_at DESC LIMIT ?)`,
  bindings: [jsonLines(merchantIds.map((id) => [id])), limit],
});

/** With `WHERE true`, SQLite does not read the words ON CONFLICT that may follow as the condition of a join. */
export const insertOf = (rows: readonly (readonly Cell[])[], columns: number, same: readonly string[]): Statement => ({
  sql: `SELECT ${[...Array.from({ length: columns }, (_, i) => `value ->> ${i}`), ...same].join(", ")} FROM json_each(?) WHERE true`,
  bindings: [jsonLines(rows)],
});
