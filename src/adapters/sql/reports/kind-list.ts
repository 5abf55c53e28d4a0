import type { NumberLine } from "../../../ports/transactions/change-store.ts";
import { marks, type Statement } from "../connection/statement.ts";
import type { SqlFragments } from "../dialects/sql-fragments.ts";

/** Lists the transactions that were just numbered and have a kind: mostly none, so mostly no statement. */
export function listKinds(lines: readonly NumberLine[], fragments: SqlFragments): Statement[] {
  const ids = lines.filter(({ hasKind }) => hasKind === true).map(({ id }) => id);
  return ids.length === 0 ? [] : [insertKinds({ sql: `t.id IN (${marks(ids)})`, bindings: ids }, "", fragments)];
}

/**
 * A row's kind and time never change after its first number, so a second insert changes nothing.
 *
 * @param rows - a condition for rows `t`.
 * @param index - the index that finds them; empty: the server chooses.
 */
export const insertKinds = (
  { sql, bindings }: Statement,
  index: string,
  { keepExisting }: SqlFragments,
): Statement => ({
  sql: `INSERT INTO kinds (listed_merchant, listed_kind, listed_at, listed_tx)
    SELECT t.merchant_id, t.kind, t.created_at, t.id FROM tx t ${index} WHERE ${sql} AND t.kind IS NOT NULL ${keepExisting("kinds.listed_tx")}`,
  bindings,
});
