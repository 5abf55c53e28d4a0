import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import test from "ava";
import { keptBuild } from "../../web-files/kept-build.ts";

test("callers at the same time share one build, later callers get it, and a failed build leaves nothing", async (t) => {
  const name = `test-${process.pid}`;
  const sources = ["test/web-files"];
  let builds = 0;
  const build = async (folder: string) => {
    builds++;
    await mkdir(folder, { recursive: true });
    await turn();
    await writeFile(join(folder, "file"), String(builds));
  };
  const fails = async (folder: string) => {
    await mkdir(folder, { recursive: true });
    throw new Error("no build");
  };
  await t.throwsAsync(keptBuild(name, sources, fails), { message: "no build" });
  const folders = await Promise.all([1, 2, 3].map(() => keptBuild(name, sources, build)));
  const [folder = ""] = folders;
  const all = dirname(folder);
  t.teardown(() => rm(all, { recursive: true }));
  t.deepEqual(folders, [folder, folder, folder]);
  t.is(builds, 1);
  t.deepEqual(await readdir(all), [basename(folder)]);
  t.is(await keptBuild(name, sources, fails), folder);
});
