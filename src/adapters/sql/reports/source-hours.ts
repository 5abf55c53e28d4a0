import type { DbTime } from "../../../domain/transaction/transaction.ts";
import { wholeMs } from "../../../domain/values/whole-ms.ts";
import { OPEN_FAULTS } from "../../../ports/sources/game-launcher.ts";
import { SOURCE_HOURS_MS, type SourceHour, SourceHours } from "../../../ports/sources/source-hours.ts";
import type { Database } from "../connection/database.ts";
import { deleteRows, selectedRows } from "../connection/execute.ts";
import { storeRows } from "../connection/insert-rows.ts";
import { marks, type Row } from "../connection/statement.ts";
import { textOf } from "../schema/columns.ts";

const KEY = ["provider", "address", "at", "replica"] as const;
const VALUES = ["opened", "failed", "opened_at", "opened_ms", "failed_at", "fault", "message"] as const;

/** How sources answered launches in a table, one row for each replica, source and hour. */
export class SqlSourceHours extends SourceHours {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override store(replica: string, hours: readonly SourceHour[]): Promise<void> {
    return storeRows(this.#database, {
      table: "source_hours",
      columns: [...KEY, ...VALUES],
      key: KEY,
      rows: hours.map(({ lastOpened, lastFailed, ...hour }) => [
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

  override async read(providers: readonly string[], from: DbTime): Promise<SourceHour[]> {
    if (providers.length === 0) return [];
    const rows = await selectedRows(this.#database, {
      sql: `SELECT provider, address, at, ${VALUES.join(", ")} FROM source_hours
        WHERE provider IN (${marks(providers)}) AND at >= ?`,
      bindings: [...providers, from],
    });
    return rows.map(hourOf);
  }

  override forget(limit: number): Promise<number> {
    return deleteRows(this.#database, "source_hours", (now) => `at < ${now} - ${SOURCE_HOURS_MS}`, limit);
  }
}

const hourOf = (row: Row): SourceHour => ({
  provider: textOf(row.provider),
  address: textOf(row.address),
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
          message: textOf(row.message),
        },
});
