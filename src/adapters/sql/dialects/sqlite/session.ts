import type { SqliteConnection } from "./compiled.ts";

/** A pragma of a connection, and its value as SQLite reports it. */
export type Pragma = readonly [name: string, value: string, reported: string];

const SETTINGS: readonly Pragma[] = [
  // This build of SQLite opens a file in WAL mode with NORMAL. Then a power cut could lose an acknowledged claim.
  ["synchronous", "FULL", "2"],
  ["busy_timeout", "5000", "5000"],
  ["foreign_keys", "ON", "1"],
  ["ignore_check_constraints", "OFF", "0"],
];
/** In WAL mode readers and the writer don't wait for each other. */
export const FILE_SETTINGS: readonly Pragma[] = [["journal_mode", "WAL", "wal"], ...SETTINGS];
/** A database in memory has no log. */
export const MEMORY_SETTINGS = SETTINGS;

/**
 * Sets the pragmas of a new connection and reads them back. SQLite reports no error if it can't set a pragma, for
 * example WAL in a file system without shared memory.
 *
 * @throws Error if a pragma has another value. The message names the pragma and the remedy.
 */
export function prepareConnection(connection: SqliteConnection, settings: readonly Pragma[]): void {
  for (const [name, value] of settings) connection.pragma(`${name} = ${value}`);
  for (const [name, value, reported] of settings) {
    const found = String(connection.pragma(name, { simple: true }));
    if (found !== reported)
      throw new Error(
        `SQLite has ${name} = ${found}, but it must be ${value}. Use a file on a local disk that no other program has opened`,
      );
  }
}
