import type { Knex } from "knex";
import type { Binding, Step } from "../../connection/statement.ts";

/** See Dialect.atOnce. The statements run in this process, so the transaction ends with the process. */
export async function atOnceOnSqlite(knex: Knex, steps: readonly Step[]): Promise<boolean> {
  try {
    await knex.transaction(async (trx) => {
      for (const { statements, changes } of steps) {
        let changed = 0;
        for (const { sql, bindings } of statements)
          changed +=
            ((await trx.raw(sql, bindings as readonly Binding[] as never)) as { changes?: number }).changes ?? 0;
        if (changes !== undefined && changed !== changes) throw new OtherNumber();
      }
    });
    return true;
  } catch (error) {
    if (error instanceof OtherNumber) return false;
    throw error;
  }
}

/** Rolls the transaction back. */
class OtherNumber extends Error {
  override readonly name = "OtherNumber";
}
