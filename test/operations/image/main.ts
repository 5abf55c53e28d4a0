/**
 * `npm run test:image`: runs every step of deploy/docker/Dockerfile in root file systems that debootstrap makes, then
 * starts the container's command in the result, as its user and with a read-only file system. No image is pulled. It
 * needs root on Linux.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { programOf } from "../../../testbed/programs/operations-program.ts";
import { freePorts } from "../../../testbed/programs/ports.ts";
import { until } from "../monitoring.ts";
import { commandOf, type Instruction, readDockerfile } from "./dockerfile.ts";
import { CERTIFICATES, debootstrap, type ProcessOptions, Root } from "./root.ts";

const DOCKER = "deploy/docker";
/** The paths that Docker would send as the context. */
const CONTEXT = [...readFileSync(`${DOCKER}/Dockerfile.dockerignore`, "utf8").matchAll(/^!(.+)$/gm)].map(
  ([, path = ""]) => path,
);

/** What the instructions before have set. */
interface Built {
  readonly root: Root;
  env: Record<string, string>;
  cwd: string;
  user: string;
  health: readonly string[];
  command: readonly string[];
}

const stages: { readonly name: string; readonly built: Built }[] = [];
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");
/** Where npm finds packages here, and the machine's certificates, which Root copies. */
const npm = {
  npm_config_registry: execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim(),
  NODE_EXTRA_CA_CERTS: CERTIFICATES,
};

function copy(built: Built, text: string): void {
  const [first = "", ...rest] = words(text);
  const from = /^--from=(.+)$/.exec(first)?.[1];
  const names = from === undefined ? [first, ...rest] : rest;
  const target = built.root.path(resolve(built.cwd, names.at(-1) ?? "."));
  for (const name of names.slice(0, -1)) {
    const source = stages.find((stage) => stage.name === from)?.built.root;
    if (from !== undefined && source === undefined) throw new Error(`COPY: there is no stage ${from}`);
    if (source !== undefined) cpSync(source.path(name), target, { recursive: true, verbatimSymlinks: true });
    else if (name === ".") for (const path of CONTEXT) cpSync(path, join(target, path), { recursive: true });
    else if (CONTEXT.includes(name)) cpSync(name, join(target, name), { recursive: true });
    else throw new Error(`COPY: ${name} is not in the context, because Dockerfile.dockerignore leaves it out`);
  }
}

function run(built: Built, text: string): void {
  const { root, env, cwd, user } = built;
  const { status, stdout, stderr } = root.run(["/bin/sh", "-c", text], { env: { ...env, ...npm }, cwd, user });
  if (status !== 0) throw new Error(`RUN ${text}: ended with ${status}\n${stdout}${stderr}`);
}

function step(built: Built, instruction: Instruction): void {
  const { name, text } = instruction;
  console.error(`  ${name} ${text}`);
  if (name === "RUN") run(built, text);
  else if (name === "COPY") copy(built, text);
  else if (name === "WORKDIR") mkdirSync(built.root.path((built.cwd = text)), { recursive: true });
  else if (name === "ENV") Object.assign(built.env, Object.fromEntries(words(text).map((word) => word.split("="))));
  else if (name === "USER") built.user = text;
  else if (name === "HEALTHCHECK") built.health = commandOf(instruction);
  else if (name === "CMD") built.command = commandOf(instruction);
  else if (name !== "EXPOSE" && name !== "STOPSIGNAL") throw new Error(`${name} is unknown here`);
}

/** Starts the image's command on free ports, and looks at it as an orchestrator does. */
async function serve({ root, env, cwd, user, health, command }: Built): Promise<void> {
  const key = () => randomBytes(32).toString("base64");
  const [rest, grpc, internalGrpc, internalHttp] = await freePorts(4);
  const ports = {
    REST_PORT: String(rest),
    GRPC_PORT: String(grpc),
    INTERNAL_GRPC_PORT: String(internalGrpc),
    INTERNAL_HTTP_PORT: String(internalHttp),
  };
  const secrets = { DATABASE_URL: "sqlite:/tmp/a.db", MASTER_KEY: key(), JWT_KEY: key() };
  const options: ProcessOptions = {
    env: { ...env, ...ports, ...secrets, DRAIN_DELAY_MS: "0" },
    cwd,
    user,
    isReadOnly: true,
  };
  const inside = (...words: readonly string[]) => root.run(words, options);
  assert.equal(inside("id", "-u").stdout, "1000\n", "the user is not root");
  assert.notEqual(inside("touch", "file").status, 0, "the file system is read-only");
  assert.notEqual(
    root.run(["touch", "file"], { ...options, isReadOnly: false }).status,
    0,
    "the code is not the user's",
  );
  assert.equal(inside(...health).status, 1, "the health check fails while nothing answers");
  const child = root.start([...command, "--migrate"], options, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise((done) => child.once("exit", done));
  try {
    await until("the health check passes", async () => inside(...health).status === 0);
    for (const path of ["/health/ready", "/openapi.json", "/docs"])
      assert.equal((await fetch(`http://127.0.0.1:${rest}${path}`)).status, 200, path);
    assert.match(readFileSync(`/proc/${child.pid}/maps`, "utf8"), /libjemalloc/, "the memory is jemalloc's");
    child.kill("SIGTERM");
    assert.equal(await ended, 0, "SIGTERM ends the service");
  } finally {
    child.kill("SIGKILL");
  }
}

const program = programOf("debootstrap");
if (process.getuid?.() !== 0 || program === undefined) {
  console.error("skipped: this needs root and debootstrap (`node tools/operations-programs.mjs debootstrap`)");
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), "image-"));
try {
  for (const { name, from, instructions } of readDockerfile(readFileSync(`${DOCKER}/Dockerfile`, "utf8"))) {
    const suite = /^node:[\d.]+-(\w+)-slim$/.exec(from)?.[1];
    if (suite === undefined) throw new Error(`FROM ${from}: only official images of Node on Debian can be imitated`);
    const debian = resolve(".cache/debootstrap", suite);
    debootstrap(program, suite, debian);
    console.error(`FROM ${from}: Debian ${suite} of debootstrap with Node ${process.versions.node}`);
    const root = Root.like(debian, join(folder, String(stages.length)));
    const built: Built = { root, env: {}, cwd: "/", user: "root", health: [], command: [] };
    for (const instruction of instructions) step(built, instruction);
    stages.push({ name, built });
  }
  await serve((stages.at(-1) as (typeof stages)[number]).built);
  console.log("The Dockerfile's steps ran, and the service starts, answers and stops in the result.");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
