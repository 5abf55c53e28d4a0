/**
 * Tests which packages and which Node `npm run serve` and the other commands install and use. It runs tools/setup.mjs
 * and package.json's scripts in a separate folder.
 */
import { execFile, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";

const run = promisify(execFile);
const lockHash = createHash("sha256").update(readFileSync("package-lock.json")).digest("hex");

function folderOf(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), "setup-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function executable(file: string, ...lines: readonly string[]): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, ["#!/bin/sh", ...lines, ""].join("\n"));
  chmodSync(file, 0o755);
  return file;
}

/**
 * Creates a clone without packages, a false npm that records its arguments, and a false Node that answers whether it
 * can run the service.
 */
function clone(t: ExecutionContext) {
  const folder = folderOf(t);
  cpSync("tools/setup.mjs", join(folder, "tools/setup.mjs"));
  cpSync("package-lock.json", join(folder, "package-lock.json"));
  const calls = join(folder, "npm-calls");
  // Like the real npm, it starts with an empty node_modules, and installs a Node unless the arguments exclude it.
  const brings = 'case "$*" in *--include=optional*) mkdir -p node_modules/.bin; : > node_modules/.bin/node;; esac';
  executable(join(folder, "bin/npm"), `echo "$*" >> ${calls}`, "rm -rf node_modules; mkdir node_modules", brings);
  const able = executable(join(folder, "bin/able"), "echo true");
  const unable = executable(join(folder, "bin/unable"), "echo false");
  const setUp = async (args: readonly string[], machinesNode: string): Promise<string> => {
    const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}`, npm_node_execpath: machinesNode };
    return (await run(process.execPath, ["tools/setup.mjs", ...args], { cwd: folder, env })).stdout;
  };
  /** The options of each `npm install` since the last call of this function. */
  const installed = (): string[] => {
    const lines = existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [];
    rmSync(calls, { force: true });
    return lines.map((line) => (line.match(/--(omit|include)=\w+/g) ?? []).join(" "));
  };
  return { folder, able, unable, setUp, installed, packages: join(folder, "node_modules/.bin/node") };
}

const ALL = "--include=dev --include=optional";
const NO_DEV = "--omit=dev --include=optional";
const NO_NODE = "--omit=dev --omit=optional";
const SERVE = ["--omit=dev"];

test("if the machine's Node can run the service, no other Node and no development package is installed", async (t) => {
  const { able, setUp, installed } = clone(t);
  t.is(await setUp(SERVE, able), `${able}\n`);
  t.deepEqual(installed(), [NO_NODE]);
  t.is(await setUp(SERVE, able), `${able}\n`);
  t.deepEqual(installed(), [], "once");
});

test("if the machine has an older Node, the service runs on the package's Node", async (t) => {
  const { unable, able, setUp, installed, packages } = clone(t);
  t.is(await setUp(SERVE, unable), `${packages}\n`);
  t.deepEqual(installed(), [NO_DEV]);
  t.is(await setUp(SERVE, able), `${able}\n`);
  t.deepEqual(installed(), [], "what is there is enough");
});

test("if the machine's Node is replaced by an older one, the package's Node is installed", async (t) => {
  const { unable, able, setUp, installed, packages } = clone(t);
  await setUp(SERVE, able);
  t.is(await setUp(SERVE, unable), `${packages}\n`);
  t.deepEqual(installed(), [NO_NODE, NO_DEV]);
});

test("if npm itself runs on the package's Node, that Node is kept", async (t) => {
  const { folder, setUp, installed, packages } = clone(t);
  const inPackages = executable(join(folder, "node_modules/node/bin/node"), "echo true");
  t.is(await setUp(SERVE, inPackages), `${packages}\n`);
  t.deepEqual(installed(), [NO_DEV]);
});

test("a test run installs the development packages that npm start left out, and a later npm start installs nothing", async (t) => {
  const { able, unable, setUp, installed } = clone(t);
  await setUp(SERVE, unable);
  t.is(await setUp([], able), "");
  t.deepEqual(installed(), [NO_DEV, ALL]);
  await setUp([], able);
  await setUp(SERVE, able);
  await setUp(SERVE, unable);
  t.deepEqual(installed(), []);
});

for (const character of [":", "*"])
  test(`in a folder with a "${character}" in its path, the message says so`, async (t) => {
    const folder = join(folderOf(t), `a${character}b`);
    mkdirSync(folder);
    const { stderr } =
      (await t.throwsAsync<Error & { stderr: string }>(
        run(process.execPath, [resolve("tools/setup.mjs")], { cwd: folder }),
      )) ?? t.fail();
    const [first, ...more] = stderr.split("\n");
    t.true(first?.startsWith(`The folder ${folder} has a "${character}" in its path. `), stderr);
    t.true(first?.endsWith(" Rename the folder."), stderr);
    t.deepEqual(more, [""], "one line");
  });

test("after a change of the lock file, the packages are installed again", async (t) => {
  const { folder, able, setUp, installed } = clone(t);
  await setUp([], able);
  writeFileSync(join(folder, "package-lock.json"), "{}");
  await setUp(SERVE, able);
  t.deepEqual(installed(), [ALL, NO_NODE]);
});

test("if no Node can run the service, one line names the version that is needed", async (t) => {
  const { folder, unable, setUp } = clone(t);
  executable(join(folder, "bin/npm"), "mkdir -p node_modules");
  const failed = await t.throwsAsync<Error & { stderr: string; code: number }>(setUp(SERVE, unable));
  t.is(failed.code, 1);
  t.regex(failed.stderr, /^Node 26 or newer is needed .*\n$/m);
});

test("the setup accepts the Node of this process, and refuses a Node without type stripping or Temporal", async (t) => {
  const { folder, setUp, packages } = clone(t);
  t.is(await setUp(SERVE, process.execPath), `${process.execPath}\n`);
  const flagged = (flag: string) => executable(join(folder, "bin/flagged"), `exec ${process.execPath} ${flag} "$@"`);
  for (const flag of ["--no-experimental-strip-types", "--no-harmony-temporal"])
    t.is(await setUp(SERVE, flagged(flag)), `${packages}\n`, flag);
});

interface Locked {
  readonly dev?: boolean;
  readonly optional?: boolean;
}

/**
 * Copies the service's committed files and the design of its pages. Adds only the packages that `npm ci --omit=dev`
 * installs.
 */
function production(t: ExecutionContext): string {
  const folder = folderOf(t);
  for (const path of [
    "src",
    "contract",
    "look",
    "web-files",
    "docs",
    "CHANGELOG.md",
    "reconcile",
    "tools",
    "package.json",
    "package-lock.json",
    ".npmrc",
  ])
    cpSync(path, join(folder, path), { recursive: true });
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const wanted = Object.entries(packages).filter(
    ([path, { dev, optional }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && dev !== true && optional !== true,
  );
  for (const [path] of wanted) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(resolve(path), join(folder, path));
  }
  mkdirSync(join(folder, "node_modules/.bin"));
  symlinkSync(process.execPath, join(folder, "node_modules/.bin/node"));
  writeFileSync(join(folder, "node_modules/.setup-stamp"), `${lockHash} without dev`);
  return folder;
}

test("without the development packages the service starts and answers, and its commands run", async (t) => {
  const folder = production(t);
  const key = () => randomBytes(32).toString("base64");
  const env = {
    ...process.env,
    // With this option a package finds other packages beside its link and not beside the link's target. So it can't
    // find development packages.
    NODE_OPTIONS: "--preserve-symlinks",
    DATABASE_URL: "sqlite:service.db",
    MASTER_KEY: key(),
    JWT_KEY: key(),
    ADMIN_KEY: key(),
    DRAIN_DELAY_MS: "0",
    HOST: "127.0.0.1",
    REST_PORT: "0",
    GRPC_PORT: "0",
    INTERNAL_GRPC_PORT: "0",
    INTERNAL_HTTP_PORT: "0",
  };
  const npm = (...args: string[]) => run("npm", ["run", "-s", ...args], { cwd: folder, env });
  await t.throwsAsync(run(process.execPath, ["-e", 'require("webpack")'], { cwd: folder, env }), {
    message: /Cannot find module 'webpack'/,
  });

  t.regex((await npm("migrate")).stdout, /^The schema is up to date now: /);
  const service = spawn("npm", ["run", "-s", "serve"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const end = () => process.kill(-(service.pid ?? 0), "SIGTERM");
  t.teardown(() => service.exitCode === null && service.signalCode === null && end());
  let [rest, internal] = ["", ""];
  for await (const line of createInterface({ input: service.stdout })) {
    [, rest = "", internal = ""] = /^Ready\. REST on port (\d+), .* Connect and \/metrics on (\d+)\./.exec(line) ?? [];
    if (rest !== "") break;
  }
  const ready = await fetch(`http://127.0.0.1:${rest}/health/ready`);
  t.deepEqual([ready.status, await ready.json()], [200, { status: "ready" }]);
  for (const path of ["/openapi.json", "/docs"])
    t.is((await fetch(`http://127.0.0.1:${rest}${path}`)).status, 200, path);
  t.is((await fetch(`http://127.0.0.1:${internal}/metrics`)).status, 200);

  const admin = await run("npm", ["run", "-s", "admin", "--", "brand", "create", "--code", "shop"], {
    cwd: folder,
    env: { ...env, ADMIN_URL: `http://127.0.0.1:${internal}` },
  });
  t.regex(admin.stdout, /Made the brand shop/);
  t.regex((await npm("reconcile", "--", "--help")).stdout, /--ledger/);
  const ended = once(service, "exit");
  end();
  await ended;
});

test("in a clone without packages, no npm script runs TypeScript with the Node that the shell found before the packages", (t) => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  // A shell remembers where it found `node`. `exec` and a path search anew.
  for (const [name, script] of Object.entries(scripts))
    if (script.startsWith("node tools/setup.mjs")) t.notRegex(script, /&& node \S+\.ts\b/, name);
});
