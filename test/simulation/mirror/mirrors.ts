import { startDatabaseServer } from "../../../testbed/database/server.ts";
import { Mirror } from "./mirror.ts";

export interface Mirrors {
  /** Opens an empty database for the next seed. */
  open(): Promise<Mirror>;
  stop(): Promise<void>;
}

/** @param kind - `sqlite` for a database in memory, or `mariadb` for a temporary server. */
export async function openMirrors(kind: string): Promise<Mirrors> {
  if (kind === "sqlite") return { open: () => Mirror.open("sqlite::memory:"), stop: async () => {} };
  if (kind !== "mariadb") throw new Error(`no mirror ${kind}; there are sqlite and mariadb`);
  const server = await startDatabaseServer();
  return { open: async () => Mirror.open(await server.createDatabase()), stop: () => server.stop() };
}
