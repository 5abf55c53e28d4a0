/**
 * Base backups and binary logs of a temporary MariaDB, with MariaDB's own programs. The commands are those of
 * docs/deployment.md.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_ENV, programOf } from "../programs/operations-program.ts";
import type { DatabaseServer } from "./server.ts";
import { bytesOf } from "./small-disk.ts";

/** A copy of a server's files, and the place in its binary log up to which the copy has all changes. */
export interface BaseBackup {
  readonly folder: string;
  readonly bytes: number;
  /** The log's file, and the position in it. */
  readonly file: string;
  readonly position: number;
}

/** A binary log in a folder apart from the server's files, as on another disk. */
export class BinaryLog {
  readonly #folder: string;
  #kept = 0;

  /** @param folder - the folder for the log. It is created. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(this.#live, { recursive: true });
  }

  /** The server's options for this log. */
  get options(): readonly string[] {
    return [`--log-bin=${join(this.#live, "binlog")}`, "--sync-binlog=1", "--server-id=1"];
  }

  /** Moves the files of a stopped server's log away, so that the restored server begins a log of its own. */
  keep(): string {
    const kept = join(this.#folder, `kept-${++this.#kept}`);
    renameSync(this.#live, kept);
    mkdirSync(this.#live);
    return kept;
  }

  get #live(): string {
    return join(this.#folder, "live");
  }
}

/**
 * Copies a running server's files as the user `backup`. Writes go on meanwhile.
 *
 * @param folder - does not exist yet.
 */
export async function takeBaseBackup(server: DatabaseServer, folder: string): Promise<BaseBackup> {
  await backup("--backup", `--target-dir=${folder}`, `--datadir=${server.data}`, "--user=backup", socketOf(server));
  // The file's name begins with xtrabackup_ or, in later versions, with mariadb_backup_.
  const info = readdirSync(folder).find((name) => name.endsWith("_binlog_info")) ?? "";
  const [file = "", position = ""] = readFileSync(join(folder, info), "utf8").split(/\s/);
  return { folder, bytes: bytesOf(folder), file, position: Number(position) };
}

/**
 * Moves a base backup to the folder of a stopped server. The folder must be empty or missing. The backup can't be used
 * again.
 */
export async function restoreBaseBackup({ data }: DatabaseServer, { folder }: BaseBackup): Promise<void> {
  rmSync(data, { recursive: true, force: true });
  await backup("--prepare", `--target-dir=${folder}`);
  await backup("--move-back", `--target-dir=${folder}`, `--datadir=${data}`);
}

/**
 * Applies the changes since a base backup to the restored server, which runs.
 *
 * @param log - the folder of the lost server's log.
 * @param until - the first moment, in whole seconds, whose changes are left out. By default all changes are applied.
 * @returns the size of the files that were read.
 */
export async function replay(server: DatabaseServer, base: BaseBackup, log: string, until?: Date): Promise<number> {
  const names = readdirSync(log).filter((name) => /^binlog\.\d+$/.test(name) && name >= base.file);
  const files = names.sort().map((name) => join(log, name));
  const stop = until === undefined ? [] : [`--stop-datetime=${until.toISOString().slice(0, 19).replace("T", " ")}`];
  return apply(["mariadb-binlog", "--no-defaults", `--start-position=${base.position}`, ...stop], server, files);
}

/**
 * Applies files of a binary log to a server that runs.
 *
 * @param reader - the program that reads the files, and its options.
 * @returns the size of the files.
 */
export async function apply(
  [program = "", ...options]: readonly string[],
  server: DatabaseServer,
  files: readonly string[],
): Promise<number> {
  // The moments of the options are in UTC.
  const env = { ...process.env, TZ: "UTC" };
  const read = spawn(program, [...options, ...files], { env, stdio: ["ignore", "pipe", "pipe"] });
  const client = spawn("mariadb", ["--no-defaults", "--user=root", "--binary-mode", socketOf(server)], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  // When the client ends early, its exit code says why.
  client.stdin.on("error", () => read.kill());
  read.stdout.pipe(client.stdin);
  await Promise.all([succeeded(read), succeeded(client)]);
  return files.reduce((bytes, file) => bytes + statSync(file).size, 0);
}

const socketOf = (server: DatabaseServer): string =>
  `--socket=${new URL(server.url("mysql")).searchParams.get("socketPath")}`;

function backup(...args: readonly string[]): Promise<void> {
  const program = programOf("mariadb-backup");
  if (program === undefined)
    throw new Error("mariadb-backup is missing: install Debian's package mariadb-backup, with the program on the PATH");
  const child = spawn(program, ["--no-defaults", ...args], { env: PROGRAM_ENV, stdio: ["ignore", "ignore", "pipe"] });
  return succeeded(child);
}

async function succeeded(child: ChildProcess): Promise<void> {
  let log = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-2_000);
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${child.spawnargs.join(" ")} ended with ${code}:\n${log}`);
}
