import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import type { Release } from "../../testbed/service/replica.ts";

/** The newest tag, or else the commit that set the present version of package.json. */
export function lastRelease(): string {
  try {
    return git("describe", "--tags", "--abbrev=0");
  } catch {
    return git("log", "-1", "--format=%H", "-G", '^  "version":', "--", "package.json");
  }
}

/** The hash, date and subject of a commit. */
export const describeCommit = (commit: string): string => git("log", "-1", "--format=%h of %cs, %s", commit);

/** Copies a release out of git into .cache/releases and installs its own packages, once. */
export function obtainRelease(commit: string): Release {
  const hash = git("rev-parse", "--verify", `${commit}^{commit}`);
  const folder = resolve(".cache/releases", hash);
  if (!existsSync(folder)) {
    const unpacked = `${folder}.part`;
    rmSync(unpacked, { recursive: true, force: true });
    mkdirSync(unpacked, { recursive: true });
    const archive = execFileSync("git", ["archive", hash], { maxBuffer: 2 ** 30 });
    execFileSync("tar", ["-x", "-C", unpacked], { input: archive });
    renameSync(unpacked, folder);
  }
  const node = execFileSync(process.execPath, ["tools/setup.mjs", "--omit=dev"], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();
  return { folder, node };
}

/** Runs `npm run migrate` of a release. Returns what it prints. */
export async function migrateWith({ folder, node }: Release, url: string): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: url };
  const { stdout } = await promisify(execFile)(node, ["src/migrate-main.ts"], { cwd: folder, env });
  return stdout.trim();
}

const git = (...args: readonly string[]): string =>
  execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
