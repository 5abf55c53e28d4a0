/** Servers with an empty database, for the tests of programs in other languages. */
import { freePort } from "../programs/ports.ts";
import { isInstalled } from "../programs/toolchain.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { MARIADB } from "./products.ts";
import { startDatabaseServer } from "./server.ts";

/** A database of MariaDB. The user `root` needs no password. */
interface MariaDbAddress {
  readonly socket: string;
  readonly host: string;
  readonly port: number;
  readonly name: string;
}

export interface EmptyDatabases {
  /** undefined: MariaDB is not installed. */
  readonly mariaDb: MariaDbAddress | undefined;
  /** undefined: PostgreSQL is not installed. */
  readonly postgres: Postgres | undefined;
  stop(): Promise<void>;
}

export async function startEmptyDatabases(): Promise<EmptyDatabases> {
  const [mariaDb, postgres] = await Promise.all([mariaDbWithAddress(), startPostgres()]);
  return {
    mariaDb: mariaDb?.address,
    postgres,
    stop: async () => {
      postgres?.stop();
      await mariaDb?.stop();
    },
  };
}

async function mariaDbWithAddress() {
  if (!isInstalled(MARIADB.program)) return undefined;
  const [host, port, name] = ["127.0.0.1", await freePort(), "kit"];
  const options = ["--skip-networking=OFF", `--bind-address=${host}`, `--port=${port}`];
  const server = await startDatabaseServer(options, undefined, MARIADB);
  const url = await server.createDatabase(name);
  const socket = new URL(url).searchParams.get("socketPath") ?? "";
  return { address: { socket, host, port, name }, stop: () => server.stop() };
}
