import { checkDatabaseUrl, DatabaseUrlError } from "../../../domain/access/database-url.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { mysql } from "../dialects/mysql/dialect.ts";
import { sqlite } from "../dialects/sqlite/dialect.ts";
import type { Connections, PoolSizes } from "./connections.ts";

/** The database of a URL: its connections, and everything that differs between databases. */
export interface Database extends Connections {
  readonly dialect: Dialect;
}

const DIALECTS: readonly Dialect[] = [mysql, sqlite];

/**
 * @param url - `mysql://user:password@host:port/database` (MariaDB, MySQL; `?socketPath=/run/x.sock`,
 *   `?ssl=true` to verify the server against the system's authorities), `sqlite:<file>` or `sqlite::memory:`.
 * @throws DatabaseUrlError with the mistake in the URL. The message never contains the password.
 */
export function openDatabase(url: string, pools: PoolSizes = { max: 12, decisiveMax: 4 }): Database {
  checkDatabaseUrl(url);
  for (const dialect of DIALECTS)
    if (url.startsWith(dialect.urlPrefix)) return { dialect, ...dialect.open(url, pools) };
  throw new DatabaseUrlError("names no known database");
}
