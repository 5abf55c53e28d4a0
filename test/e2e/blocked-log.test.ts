/** The service while its standard output and standard error take nothing. */
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { compileCache } from "../../testbed/programs/child.ts";
import { freePorts } from "../../testbed/programs/ports.ts";
import { serviceEnvironment } from "../../testbed/service/environment.ts";
import { untilReady } from "../../testbed/service/readiness.ts";

/** A pipe that is full, and that nobody reads. */
function fullPipe(folder: string): number {
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  // Opened for both directions, so that it needs no other process.
  const pipe = openSync(path, constants.O_RDWR);
  const filler = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    for (;;) writeSync(filler, "x".repeat(4_096));
  } catch {
    closeSync(filler);
  }
  return pipe;
}

/** The reply, as soon as somebody listens. */
async function reached(url: string, options: RequestInit): Promise<Response> {
  for (;;) {
    const reply = await fetch(url, options).catch(() => undefined);
    if (reply !== undefined) return reply;
    await sleep(50);
  }
}

async function serves(t: ExecutionContext, output: number): Promise<void> {
  const [rest = 0, grpc = 0, internalGrpc = 0, internalHttp = 0] = await freePorts(4);
  const ports = {
    REST_PORT: rest,
    GRPC_PORT: grpc,
    INTERNAL_GRPC_PORT: internalGrpc,
    INTERNAL_HTTP_PORT: internalHttp,
  };
  const service = spawn(process.execPath, ["src/main.ts", "--migrate"], {
    env: {
      PATH: process.env.PATH,
      ...compileCache(),
      ...serviceEnvironment("sqlite::memory:", randomBytes(32)),
      ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
      DRAIN_DELAY_MS: "0",
    },
    stdio: ["ignore", output, output],
  });
  t.teardown(() => service.kill("SIGKILL"));
  const watched = { assertRuns: () => t.is(service.exitCode, null), logTail: () => "" };
  await untilReady(rest, watched);
  // Each of these calls writes a line.
  for (let i = 0; i < 5; i++) {
    // The internal listener may begin a moment after that of REST.
    const reply = await reached(`http://127.0.0.1:${internalHttp}/aggregator.admin.v1.BrandAdminService/ListBrands`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer wrong-${i}` },
      body: "{}",
    });
    t.is(reply.status, 401);
  }
  await untilReady(rest, watched);
  service.kill("SIGTERM");
  const [code] = await once(service, "exit");
  t.is(code, 0, "it stops as usual");
}

test("a disk of the log that is full does not stop the service", async (t) => {
  const full = openSync("/dev/full", "w");
  t.teardown(() => closeSync(full));
  await serves(t, full);
});

test("a reader of the log that has stopped reading does not stop the service", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "log-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const pipe = fullPipe(folder);
  t.teardown(() => closeSync(pipe));
  await serves(t, pipe);
});
