/** MySQL's server for tests. It is unpacked under .cache/mysql and not installed. */
import { type ExecFileSyncOptions, execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

const FOLDER = resolve(import.meta.dirname, "../../.cache/mysql");
/** The program that starts the server without the machine's option files. */
export const MYSQLD = join(FOLDER, "mysqld");
/** The files of an empty server. Making them takes seconds, so each test file copies them. */
export const MYSQL_FILES = join(FOLDER, "files");
/** The file that says from which server {@link MYSQLD} and {@link MYSQL_FILES} were made. It is written last. */
const MADE_OF = join(FOLDER, "made-of");

const STEP_LIMIT_MS = 60_000;
const PACKAGE = "mysql-server-core";
/** Debian's stable suites have MariaDB only. */
const SUITE = "sid";
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
/** Packages on which the server's package depends, but which the server does not use. */
const NOT_NEEDED = /^(lib)?perl|^libdb5|^libgdbm/;

/** This machine cannot get a MySQL. The message says why, and what to do. */
export class NoMysql extends Error {
  constructor(why: string) {
    super(`${why}. Set MYSQLD to the path of a mysqld of MySQL to use that server`);
  }
}

/**
 * Makes `MYSQLD` and `MYSQL_FILES` ready: of the program that the variable MYSQLD names, or of Debian's package. This
 * takes about 20 s, once.
 *
 * @returns the server's version.
 * @throws NoMysql when the package can't be downloaded. Error when the program of MYSQLD does not work.
 */
export function obtainMysql(): string {
  const own = process.env.MYSQLD;
  if (own !== undefined) checkProgram(own);
  const source =
    own === undefined ? `${PACKAGE} of ${SUITE}` : `${resolve(own)} of ${statSync(own).mtime.toISOString()}`;
  if (!existsSync(MADE_OF) || readFileSync(MADE_OF, "utf8") !== source) {
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    const command = own === undefined ? unpack() : [resolve(own), "--no-defaults"];
    writeFileSync(MYSQLD, `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")} "$@"\n`);
    chmodSync(MYSQLD, 0o755);
    run(MYSQLD, "--initialize-insecure", `--datadir=${MYSQL_FILES}`, "--innodb-redo-log-capacity=8M", ...asRoot());
    // This file holds the server's id. A copy without the file makes an id of its own.
    rmSync(join(MYSQL_FILES, "auto.cnf"));
    writeFileSync(MADE_OF, source);
  }
  return run(MYSQLD, "--version")
    .trim()
    .replace(/^.*Ver /, "");
}

/** The command of another program of the same MySQL. */
export function mysqlProgram(name: string): readonly string[] {
  const words = [...readFileSync(MYSQLD, "utf8").matchAll(/'([^']*)'/g)].map(([, word = ""]) => word);
  const server = words.findIndex((word) => word.endsWith("/mysqld"));
  const folder = dirname(words[server] ?? "");
  const [path = name] = globSync([join(folder, name), join(folder, "../bin", name)]);
  return [...words.slice(0, server), path];
}

function checkProgram(path: string): void {
  if (!existsSync(path)) throw new Error(`MYSQLD must be the path of a mysqld of MySQL, but ${path} is missing`);
  const version = run(path, "--version").trim();
  if (version.includes("MariaDB"))
    throw new Error(`MYSQLD must be the path of a mysqld of MySQL, but ${path} is MariaDB's: ${version}`);
}

/** A server started by root refuses to run unless it is told to run as root. */
export const asRoot = (): readonly string[] => (process.getuid?.() === 0 ? ["--user=root"] : []);

/**
 * Unpacks the server with all its libraries, because the machine's libraries may be too old.
 *
 * @returns its command.
 */
function unpack(): readonly string[] {
  const apt = join(FOLDER, "apt");
  const root = join(FOLDER, "root");
  const packages = join(FOLDER, "packages");
  try {
    for (const folder of [root, packages, join(apt, "lists/partial"), join(apt, "archives/partial")])
      mkdirSync(folder, { recursive: true });
    const options = { cwd: packages, env: { ...process.env, APT_CONFIG: configureApt(apt) } };
    const kinds = ["recommends", "suggests", "conflicts", "breaks", "replaces", "enhances"];
    runWith(options, "apt-get", "update", "-qq");
    const dependencies = runWith(
      options,
      "apt-cache",
      "depends",
      "--recurse",
      ...kinds.map((kind) => `--no-${kind}`),
      PACKAGE,
    );
    const names = dependencies.split("\n").filter((name) => /^[a-z]/.test(name) && !NOT_NEEDED.test(name));
    runWith(options, "apt-get", "download", "-qq", ...new Set(names));
    for (const file of readdirSync(packages)) run("dpkg-deb", "-x", join(packages, file), root);
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: string };
    throw new NoMysql(`Debian's package ${PACKAGE} can't be downloaded (${(stderr || message).trim().slice(-300)})`);
  } finally {
    for (const folder of [apt, packages]) rmSync(folder, { recursive: true, force: true });
  }
  const [libraries = ""] = globSync(join(root, "usr/lib/*-linux-gnu"));
  const [loader = ""] = globSync(join(libraries, "ld-linux-*.so.*"));
  const program = join(root, "usr/sbin/mysqld");
  return [loader, "--library-path", libraries, program, "--no-defaults", `--basedir=${join(root, "usr")}`];
}

/** Writes a configuration of apt that knows only the suite, and leaves the machine's own lists as they are. */
function configureApt(folder: string): string {
  const mirror = globSync("/etc/apt/{sources.list,sources.list.d/*}")
    .map((file) => /\bhttps?:\/\/[^\s\]]+\/debian\/?(?=\s)/.exec(readFileSync(file, "utf8"))?.[0])
    .find((found) => found !== undefined);
  if (mirror === undefined) throw new Error("apt has no mirror of Debian here");
  writeFileSync(join(folder, "sources.list"), `deb [signed-by=${KEYRING}] ${mirror} ${SUITE} main\n`);
  writeFileSync(join(folder, "status"), "");
  const file = join(folder, "apt.conf");
  writeFileSync(
    file,
    `Dir::Etc::sourcelist "${folder}/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State::lists "${folder}/lists";
Dir::State::status "${folder}/status";
Dir::Cache "${folder}";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::Retries "1";
Acquire::http::Timeout "20";
APT::Sandbox::User "";
`,
  );
  return file;
}

const run = (program: string, ...args: readonly string[]): string => runWith({}, program, ...args);

const runWith = (options: ExecFileSyncOptions, program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, {
    ...options,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: STEP_LIMIT_MS,
    maxBuffer: 2 ** 24,
  });
