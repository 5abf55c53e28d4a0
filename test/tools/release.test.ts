import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import { NotReleasable, releaseOf } from "../../tools/release/release.ts";

const ROOT = join(import.meta.dirname, "../..");
const VERSION = "7.8.9";
const run = promisify(execFile);

async function folderOf(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "release-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function commit(folder: string): Promise<void> {
  await run("git", ["add", "--all"], { cwd: folder });
  await run("git", ["-c", "user.name=T", "-c", "user.email=t@localhost", "commit", "-qm", "a change"], { cwd: folder });
}

/** Creates and commits a project with this changelog. */
async function projectWith(t: ExecutionContext, changelog: string): Promise<string> {
  const folder = await folderOf(t);
  await run("git", ["init", "-q"], { cwd: folder });
  await writeFile(join(folder, "package.json"), JSON.stringify({ version: VERSION }));
  await writeFile(join(folder, "CHANGELOG.md"), changelog);
  await commit(folder);
  return folder;
}

const refusalOf = async (t: ExecutionContext, folder: string): Promise<string> =>
  (await t.throwsAsync(releaseOf(folder), { instanceOf: NotReleasable }))?.message ?? "";

test("a release needs a section for its version, no unreleased entries, and no uncommitted file", async (t) => {
  const right = `# Changelog\n\n## Unreleased\n\n## ${VERSION} - 2026-01-02\n\n### Added\n\n- All.\n\n## 1.0.0 - 2025-01-02\n\n- Old.\n`;
  const folder = await projectWith(t, right);
  t.like(await releaseOf(folder), { version: VERSION, notes: "### Added\n\n- All." });

  t.regex(
    await refusalOf(t, await projectWith(t, right.replace(VERSION, "7.8.8"))),
    /CHANGELOG.md has no entries for 7.8.9/,
  );
  t.regex(
    await refusalOf(t, await projectWith(t, right.replace("Unreleased\n", "Unreleased\n\n- New.\n"))),
    /CHANGELOG.md has entries under "Unreleased"/,
  );
  await writeFile(join(folder, "left-over.txt"), "");
  t.regex(await refusalOf(t, folder), /Commit or remove them:\n\?\? left-over.txt/);
});

/** Clones the repository in `source`. The clone uses this project's packages. */
async function clone(t: ExecutionContext, source: string): Promise<string> {
  const folder = await folderOf(t);
  await run("git", ["clone", "-q", source, folder]);
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  // .gitignore has only folders, so a link with this name must be ignored separately.
  await writeFile(join(folder, ".git/info/exclude"), "node_modules\n");
  return folder;
}

test("two clones of a commit give identical release files", async (t) => {
  const first = await clone(t, ROOT);
  const manifest = JSON.parse(await readFile(join(first, "package.json"), "utf8"));
  await writeFile(join(first, "package.json"), `${JSON.stringify({ ...manifest, version: VERSION }, null, 2)}\n`);
  await writeFile(join(first, "CHANGELOG.md"), `# Changelog\n\n## ${VERSION} - 2026-01-02\n\n- Everything.\n`);
  await commit(first);
  const second = await clone(t, first);

  const sums: string[] = [];
  for (const folder of [first, second]) {
    await run(process.execPath, ["tools/release/main.ts"], { cwd: folder });
    sums.push(await readFile(join(folder, "dist/release", VERSION, "SHA256SUMS"), "utf8"));
  }
  t.is(sums[0], sums[1]);

  const out = join(first, "dist/release", VERSION);
  await run("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: out });
  const files = (await readdir(out)).sort();
  t.deepEqual(
    files.filter((file) => !file.startsWith("sb-renderer-")),
    [
      "RELEASE-NOTES.md",
      "SHA256SUMS",
      "certify-wallet-1.2.0.tgz",
      `game-aggregator-${VERSION}.sbom.cdx.json`,
      `game-aggregator-${VERSION}.tar.gz`,
    ],
  );
  t.is(files.filter((file) => /^sb-renderer-[\d.]+\.tgz$/.test(file)).length, 1);
  t.regex(
    await readFile(join(out, "RELEASE-NOTES.md"), "utf8"),
    /^# 7\.8\.9\n\nCommit [0-9a-f]{40}, .*\n\n- Everything\.\n$/,
  );
  // The archive must have exactly the commit's files.
  const { stdout: archived } = await run("tar", ["-tzf", `game-aggregator-${VERSION}.tar.gz`], {
    cwd: out,
    maxBuffer: 1e7,
  });
  const { stdout: tracked } = await run("git", ["ls-files"], { cwd: first, maxBuffer: 1e7 });
  t.deepEqual(
    archived
      .split("\n")
      .filter((path) => path !== "" && !path.endsWith("/"))
      .map((path) => path.slice(`game-aggregator-${VERSION}/`.length))
      .sort(),
    tracked.trim().split("\n").sort(),
  );
  await t.throwsAsync(run(process.execPath, ["tools/release/main.ts"], { cwd: first }), { message: /is not empty/ });
});
