import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { buildPackage } from "../../../certify/build/build-package.ts";
import { WalletUnderTest } from "./wallet-under-test.ts";

const run = promisify(execFile);

test("the package runs from an empty folder with npx and the machine's own Node, without a registry", async (t) => {
  const [built, empty] = await Promise.all(
    ["certify-built-", "certify-empty-"].map((name) => mkdtemp(join(tmpdir(), name))),
  );
  if (built === undefined || empty === undefined) return t.fail();
  t.teardown(() => Promise.all([built, empty].map((folder) => rm(folder, { recursive: true, force: true }))));
  const tarball = await buildPackage(built);
  await copyFile(tarball, join(empty, "certify-wallet.tgz"));
  const { url, close } = await new WalletUnderTest().listen();
  t.teardown(close);
  // The path without the project's Node 26.
  const PATH = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .join(delimiter);
  const options = { cwd: empty, env: { PATH, HOME: empty, npm_config_offline: "true", SECRET: "sk_shop" } };
  t.log(`Node ${(await run("node", ["--version"], options)).stdout.trim()}`);
  const words = [
    "--url",
    url.href,
    "--merchant",
    "shop",
    "--player",
    "ana",
    "--player",
    "rui",
    "--histories",
    "2",
    "--json",
  ];
  const { stdout } = await run("npx", ["--yes", "./certify-wallet.tgz", ...words], { ...options, maxBuffer: 1e8 });
  const report = JSON.parse(stdout) as { exit_code: number; counts: Record<string, number> };
  t.is(report.exit_code, 0);
  t.true((report.counts.passed ?? 0) > 150);
  const { stdout: listed } = await run("tar", ["-tzf", tarball]);
  t.deepEqual(
    listed
      .trim()
      .split("\n")
      .filter((file) => !file.endsWith(".js"))
      .sort(),
    ["package/LICENSE", "package/README.md", "package/package.json"],
  );
  t.deepEqual(
    (await readdir(empty)).filter((file) => !file.startsWith(".")),
    ["certify-wallet.tgz"],
    "nothing is left in the folder",
  );
});
