import type { Resealed } from "../../../ports/admin-store.ts";
import type { Database } from "../connection/database.ts";
import { decisiveRows, write } from "../connection/execute.ts";
import type { Row } from "../connection/statement.ts";
import { textOf } from "../schema/columns.ts";
import type { SecretBox } from "./secret-box.ts";
import { previousContext, secretContext } from "./settings-rows.ts";

const PAGE = 100;
/**
 * The maximum of passes over all merchants. If a secret changes between its read and its write, the next pass encrypts
 * it.
 */
const PASSES_MAX = 5;

/**
 * Encrypts every merchant's secrets with the first key of the box. The secrets themselves stay the same, so no replica
 * has to load anything. A row is replaced only if it has not changed since it was read.
 */
export async function resealMerchants(database: Database, box: SecretBox): Promise<Resealed> {
  let resealed = 0;
  for (let pass = 1; pass <= PASSES_MAX; pass++) {
    const { changed, missed, total } = await onePass(database, box);
    resealed += changed;
    if (missed === 0) return { resealed, total };
  }
  throw new Error("merchants' secrets change faster than they are encrypted anew");
}

async function onePass(
  database: Database,
  box: SecretBox,
): Promise<{ changed: number; missed: number; total: number }> {
  const count = { changed: 0, missed: 0, total: 0 };
  for (let last = 0; ; ) {
    const sql = `SELECT id, secret, previous_secret, secret_version FROM merchants WHERE id > ? ORDER BY id LIMIT ${PAGE}`;
    const rows = await decisiveRows(database, { sql, bindings: [last] });
    for (const row of rows) {
      count.total += 1;
      const result = await resealRow(database, box, row);
      if (result !== "current") count[result] += 1;
    }
    if (rows.length < PAGE) return count;
    last = Number(rows.at(-1)?.id);
  }
}

async function resealRow(database: Database, box: SecretBox, row: Row): Promise<"current" | "changed" | "missed"> {
  const id = Number(row.id);
  const version = Number(row.secret_version);
  const secret = box.reseal(textOf(row.secret), secretContext(id, version));
  const previous =
    row.previous_secret === null ? null : box.reseal(textOf(row.previous_secret), previousContext(id, version));
  if (secret === undefined && (previous === null || previous === undefined)) return "current";
  const { affected } = await write(database, {
    // A previous secret that was deleted meanwhile is not written again.
    sql: "UPDATE merchants SET secret = ?, previous_secret = CASE WHEN previous_secret IS NULL THEN NULL ELSE ? END WHERE id = ? AND secret = ? AND secret_version = ?",
    bindings: [
      secret ?? row.secret,
      previous === undefined ? row.previous_secret : previous,
      id,
      row.secret,
      version,
    ] as never,
  });
  // After a lost connection the first try may have written the row. Then the next pass finds that the row has the
  // current key.
  return affected === 1 ? "changed" : "missed";
}
