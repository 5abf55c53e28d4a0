import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildPackage as buildCertify } from "../../certify/build/build-package.ts";
import { builtRenderer } from "../../web-renderer/build/built-renderer.ts";
import { cycloneDx } from "../supply-chain/cyclonedx.ts";
import type { Lock } from "../supply-chain/lock.ts";

const run = promisify(execFile);

/** The project's files cannot become a release. The message says why, and what to change. */
export class NotReleasable extends Error {}

/** What a release is made from. */
export interface Release {
  /** The product's version, from `package.json`. */
  readonly version: string;
  /** The commit's hash, and its time in ISO 8601. */
  readonly commit: string;
  readonly at: string;
  /** The version's section of CHANGELOG.md, without its heading. */
  readonly notes: string;
}

/**
 * Checks that the project in this folder can be released: nothing is uncommitted, and CHANGELOG.md has a section for the
 * version of `package.json` and no unreleased entries.
 *
 * @throws NotReleasable
 */
export async function releaseOf(root: string): Promise<Release> {
  const git = async (...args: string[]) => (await run("git", args, { cwd: root })).stdout.trim();
  const changed = await git("status", "--porcelain");
  if (changed !== "")
    throw new NotReleasable(`These files differ from the last commit. Commit or remove them:\n${changed}`);
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  const changelog = await readFile(join(root, "CHANGELOG.md"), "utf8");
  const sections = new Map(
    changelog.split(/^## /m).map((section): [string, string] => {
      const [heading = "", ...lines] = section.split("\n");
      return [heading.split(" - ")[0] ?? "", lines.join("\n").trim()];
    }),
  );
  const notes = sections.get(version) ?? "";
  if (notes === "")
    throw new NotReleasable(
      `CHANGELOG.md has no entries for ${version}, the version in package.json. Add a section "## ${version} - <date>".`,
    );
  if ((sections.get("Unreleased") ?? "") !== "")
    throw new NotReleasable(
      `CHANGELOG.md has entries under "Unreleased". Move them to a section of the new version, and set that version in package.json (now ${version}).`,
    );
  const [commit = "", at = ""] = (await git("log", "-1", "--format=%H %cI")).split(" ");
  return { version, commit, at: new Date(at).toISOString(), notes };
}

/**
 * Writes a release's files into an empty folder: the source, the npm packages of the browser library and of
 * certify-wallet, the bill of materials, the notes, and `SHA256SUMS` of all of them. The same commit always gives the
 * same bytes.
 */
export async function writeRelease(root: string, release: Release, folder: string): Promise<void> {
  const { version, commit, at, notes } = release;
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw new NotReleasable(`${folder} is not empty. Remove it, or choose --out.`);
  const name = `game-aggregator-${version}`;
  await run("git", ["archive", `--prefix=${name}/`, `--output=${join(folder, `${name}.tar.gz`)}`, commit], {
    cwd: root,
  });
  await run("npm", ["pack", "--offline", "--pack-destination", folder, join(await builtRenderer(), "package")], {
    cwd: folder,
  });
  await buildCertify(folder);
  const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as { packages: Lock };
  await writeFile(join(folder, `${name}.sbom.cdx.json`), `${JSON.stringify(cycloneDx(packages, at), null, 2)}\n`);
  await writeFile(
    join(folder, "RELEASE-NOTES.md"),
    `# ${version}\n\nCommit ${commit}, ${at.slice(0, 10)}.\n\n${notes}\n`,
  );
  await writeFile(join(folder, "SHA256SUMS"), await checksumsOf(folder));
}

/** One line for each file of the folder, as `sha256sum --check` reads it. */
async function checksumsOf(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((file) => file !== "SHA256SUMS").sort();
  const lines = files.map(async (file) => {
    const hash = createHash("sha256").update(await readFile(join(folder, file)));
    return `${hash.digest("hex")}  ${file}\n`;
  });
  return (await Promise.all(lines)).join("");
}
