/** A temporary PostgreSQL in a temporary folder. */
import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "../programs/ports.ts";

const READY_WITHIN_MS = 30_000;
/** PostgreSQL refuses to run as root. These are nobody and nogroup of Debian. */
const NOBODY = 65_534;

/** An empty database. Its user needs no password. */
export interface Postgres {
  readonly host: string;
  readonly port: number;
  readonly name: string;
  readonly user: string;
  /** postgres://... */
  readonly url: string;
  /** Stops the server and removes its folder. */
  stop(): void;
}

/** Starts a server; undefined where PostgreSQL is not installed. */
export async function startPostgres(): Promise<Postgres | undefined> {
  const programs = programsFolder();
  if (programs === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const options = { cwd: folder, ...(isRoot && { uid: NOBODY, gid: NOBODY }) };
  const data = join(folder, "data");
  const made = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"];
  execFileSync(join(programs, "initdb"), made, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  const [host, port] = ["127.0.0.1", await freePort()];
  const settings = [`listen_addresses=${host}`, `port=${port}`, `unix_socket_directories=${folder}`, "fsync=off"];
  const server = spawn(join(programs, "postgres"), ["-D", data, ...settings.flatMap((one) => ["-c", one])], {
    ...options,
    stdio: "ignore",
  });
  const stop = (): void => {
    process.off("exit", stop);
    server.kill("SIGQUIT");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", stop);
  const until = performance.now() + READY_WITHIN_MS;
  while (!(await listens(host, port))) {
    if (server.exitCode !== null || performance.now() > until) throw new Error("PostgreSQL did not start");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const [name, user] = ["postgres", "postgres"];
  return { host, port, name, user, url: `postgres://${user}@${host}:${port}/${name}`, stop };
}

/** Where initdb and postgres are: on the PATH, or where Debian puts them. */
function programsFolder(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    ...versions.map((version) => join(debian, version, "bin")),
  ];
  return folders.find((folder) => ["initdb", "postgres"].every((program) => existsSync(join(folder, program))));
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(port, host);
    const end = (answer: boolean): void => {
      connection.destroy();
      resolve(answer);
    };
    connection.once("connect", () => end(true)).once("error", () => end(false));
  });
}
