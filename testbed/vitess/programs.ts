/** The programs of Vitess for tests: built with Go under .cache/vitess, and not installed. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isInstalled } from "../programs/toolchain.ts";

const FOLDER = resolve(import.meta.dirname, "../../.cache/vitess");
/** Vitess' server versions end with this text. */
export const VITESS_VERSION = "0.24.4";
const BUILT = ["vtcombo", "vtctld", "vtctldclient", "vtgate", "vtorc", "vttablet"] as const;
const ETCD = "etcd-server";

export type VitessProgram = (typeof BUILT)[number] | "etcd";

/** Vitess' programs refuse to run as root. As nobody they may still read the folders of this process. */
export const AS_NOBODY = [
  ...["setpriv", "--reuid=nobody", "--clear-groups", "--pdeathsig=KILL"],
  ...["--inh-caps=+dac_override", "--ambient-caps=+dac_override"],
];
/** The options that give the same `options` to each user as whom a vttablet works at its MySQL. */
export const forEachUser = (options: (user: string) => readonly string[]): readonly string[] =>
  ["app", "dba", "allprivs", "repl", "filtered", "appdebug"].flatMap(options);

const CONFIGURATION = resolve(import.meta.dirname, "../../deploy/vitess");
const linesOf = (name: string): readonly string[] => readFileSync(join(CONFIGURATION, name), "utf8").split("\n");

/** The configuration of each tablet's MySQL, as options of its program. */
export const mysqlOptions = (): readonly string[] =>
  linesOf("my.cnf")
    .filter((line) => /^[a-z]/.test(line))
    .map((line) => `--${line.replace(" = ", "=")}`);

/**
 * The options of a program in deploy/vitess.
 *
 * @param only - the options that are wanted; by default all.
 */
export const optionsOf = (
  program: "keyspace" | "vtgate" | "vtorc" | "vttablet",
  only?: readonly string[],
): readonly string[] =>
  linesOf(`${program}.flags`)
    .filter((line) => line.startsWith("--"))
    .map((line) => line.split(" "))
    .filter(([name = ""]) => only?.includes(name) ?? true)
    .flat();

/** This machine cannot get Vitess. The message says why. */
export class NoVitess extends Error {}

/** The path of a program. {@link obtainVitess} must have been called before, by this process or another one. */
export const vitessProgram = (name: VitessProgram): string =>
  name === "etcd" && isInstalled(name) ? name : join(FOLDER, name === "etcd" ? "etcd/usr/bin" : "bin", name);

/**
 * Makes the programs ready. The first build takes about 12 minutes on 2 cores.
 *
 * @throws NoVitess when there is no Go, or when a download fails.
 */
export function obtainVitess(): void {
  const madeOf = join(FOLDER, "made-of");
  if (existsSync(madeOf) && readFileSync(madeOf, "utf8") === VITESS_VERSION) return;
  if (!isInstalled("go")) throw new NoVitess("skipped, no Go");
  mkdirSync(FOLDER, { recursive: true });
  console.error(`Building Vitess ${VITESS_VERSION} with Go (once, about 12 minutes)...`);
  try {
    if (!isInstalled("etcd")) unpackEtcd();
    build();
  } catch (error) {
    throw new NoVitess(`skipped, Vitess cannot be built: ${(error as Error).message.slice(-500)}`);
  }
  writeFileSync(madeOf, VITESS_VERSION);
}

/** `go install` refuses Vitess' own module, because it excludes versions. So a small module requires it. */
function build(): void {
  const module = join(FOLDER, "module");
  mkdirSync(module, { recursive: true });
  const paths = BUILT.map((name) => `vitess.io/vitess/go/cmd/${name}`);
  writeFileSync(join(module, "go.mod"), `module programs\n\nrequire vitess.io/vitess v${VITESS_VERSION}\n`);
  writeFileSync(
    join(module, "programs.go"),
    `//go:build tools\n\npackage programs\n\nimport (\n${paths.map((path) => `\t_ "${path}"\n`).join("")})\n`,
  );
  const env = { ...process.env, GOBIN: join(FOLDER, "bin"), GOFLAGS: "-buildvcs=false" };
  const go = (...args: readonly string[]) =>
    execFileSync("go", args, { cwd: module, env, stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
  go("mod", "tidy");
  go("install", ...paths);
}

/** Debian's package would start a service if it were installed, so it is only unpacked. */
function unpackEtcd(): void {
  if (!existsSync("/usr/bin/apt-get")) throw new Error("etcd is neither on the PATH nor can it be had from Debian");
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { cwd: FOLDER, stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
  run("apt-get", "download", "-qq", ETCD);
  for (const file of globSync(join(FOLDER, `${ETCD}_*.deb`))) run("dpkg-deb", "-x", file, join(FOLDER, "etcd"));
}
