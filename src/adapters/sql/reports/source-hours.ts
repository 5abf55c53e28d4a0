import type { DbTime } from "../../../domain/transaction/transaction.ts";
import { wholeMs } from "../../../domain/values/whole-ms.ts";
import { OPEN_FAULTS } from "../../../ports/sources/game-launcher.ts";
import { SOURCE_HOURS_MS, type SourceHour, SourceHours } from "../../../ports/sources/source-hours.ts";
import type { Database } from "../connection/database.ts";
import { selectedRows, write } from "../connection/execute.ts";
import type { Row } from "../connection/statement.ts";
import { textOf } from "../schema/columns.ts";

/** The number of rows in one INSERT. */
const ROWS_AT_ONCE = 200;
const KEY = "provider, address, at, replica";
const VALUES = ["opened", "failed", "opened_at", "opened_ms", "failed_at", "fault", "message"] as const;

/** How sources answered launches in a table, one row for each replica, source and hour. */
export class SqlSourceHours extends SourceHours {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async store(replica: string, hours: readonly SourceHour[]): Promise<void> {
    const { updateExisting, inserted } = this.#database.dialect.sql;
    const updates = VALUES.map((column) => `${column} = ${inserted(column)}`).join(", ");
    for (let from = 0; from < hours.length; from += ROWS_AT_ONCE) {
      const some = hours.slice(from, from + ROWS_AT_ONCE);
      await write(this.#database, {
        sql: `INSERT INTO source_hours (${KEY}, ${VALUES.join(", ")})
          VALUES ${some.map(() => "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").join(", ")} ${updateExisting(KEY)} ${updates}`,
        bindings: some.flatMap(({ lastOpened, lastFailed, ...hour }) => [
          hour.provider,
          hour.address,
          hour.at,
          replica,
          hour.opened,
          hour.failed,
          lastOpened?.at ?? null,
          lastOpened?.durationMs ?? 0,
          lastFailed?.at ?? null,
          lastFailed === null ? 0 : OPEN_FAULTS.indexOf(lastFailed.fault),
          lastFailed?.message ?? "",
        ]),
      });
    }
  }

  override async read(providers: readonly string[], from: DbTime): Promise<SourceHour[]> {
    if (providers.length === 0) return [];
    const rows = await selectedRows(this.#database, {
      sql: `SELECT provider, address, at, ${VALUES.join(", ")} FROM source_hours
        WHERE provider IN (${providers.map(() => "?").join(", ")}) AND at >= ?`,
      bindings: [...providers, from],
    });
    return rows.map(hourOf);
  }

  override async forget(limit: number): Promise<number> {
    const { nowMs, deleteSome } = this.#database.dialect.sql;
    const sql = deleteSome("source_hours", `at < ${nowMs} - ${SOURCE_HOURS_MS}`);
    return (await write(this.#database, { sql, bindings: [limit] })).affected;
  }
}

const hourOf = (row: Row): SourceHour => ({
  provider: textOf(row.provider as string | Buffer),
  address: textOf(row.address as string | Buffer),
  at: wholeMs(Number(row.at)),
  opened: Number(row.opened),
  failed: Number(row.failed),
  lastOpened:
    row.opened_at === null ? null : { at: wholeMs(Number(row.opened_at)), durationMs: wholeMs(Number(row.opened_ms)) },
  lastFailed:
    row.failed_at === null
      ? null
      : {
          at: wholeMs(Number(row.failed_at)),
          // The numbers of faults never change: a new fault gets the next number.
          fault: OPEN_FAULTS[Number(row.fault)] ?? "refused",
          message: textOf(row.message as string | Buffer),
        },
});
