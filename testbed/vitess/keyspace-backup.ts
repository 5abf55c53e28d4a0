/** Backups of a keyspace without shards, with MySQL's own means. The steps are those of docs/deployment.md. */
import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { apply } from "../database/base-backup.ts";
import { mysqlProgram } from "../database/mysql-server.ts";
import { bytesOf } from "../database/small-disk.ts";
import type { Tablet } from "./vitess.ts";

const COPIED_WITHIN_MS = 120_000;
const LOG = /-bin\.\d+$/;

export interface KeyspaceBackup {
  readonly folder: string;
  readonly bytes: number;
}

/**
 * Copies a running tablet's files. Writes go on meanwhile.
 *
 * @param statement - copies them to `folder`, which does not exist yet.
 */
export async function cloneOf(tablet: Tablet, folder: string, statement: string): Promise<KeyspaceBackup> {
  await tablet.ask(statement, COPIED_WITHIN_MS);
  return { folder, bytes: bytesOf(folder) };
}

/**
 * Copies the binary log of a server that has ended to another folder, as on another machine.
 *
 * @returns the files, in their order.
 */
export function keepBinaryLog(data: string, folder: string): readonly string[] {
  mkdirSync(folder);
  const names = readdirSync(data).filter((name) => LOG.test(name) && !name.includes("relay"));
  for (const name of names) cpSync(join(data, name), join(folder, name));
  return names.sort().map((name) => join(folder, name));
}

/**
 * Applies a binary log to a restored server. The server leaves out what it has already, by the GTIDs.
 *
 * @returns the size of the files.
 */
export async function applyBinaryLog(tablet: Tablet, files: readonly string[]): Promise<number> {
  await tablet.ask("SET GLOBAL super_read_only = OFF");
  const bytes = await apply([...mysqlProgram("mysqlbinlog"), "--no-defaults"], tablet.server, files);
  await tablet.ask("SET GLOBAL super_read_only = ON");
  return bytes;
}
