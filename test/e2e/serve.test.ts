import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { Health, HealthCheckResponse_ServingStatus } from "../../src/gen/grpc/health/v1/health_pb.ts";
import { compileCache } from "../../testbed/programs/child.ts";
import { startWorld, startWorldOfProcesses } from "../../testbed/stage/world.ts";

const key = () => randomBytes(32).toString("base64");

/** Runs the service until it ends by itself. */
async function serve(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, ["src/main.ts", ...args], {
    env: { PATH: process.env.PATH, ...compileCache(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  const [code] = await once(child, "close");
  return { code, output };
}

test("without its required variables the service does not start, and writes a line with an example for each of them", async (t) => {
  const { code, output } = await serve({});
  t.is(code, 1);
  const lines = output.trim().split("\n");
  t.deepEqual(
    lines.map((line) => line.split(" ")[0]),
    ["DATABASE_URL", "MASTER_KEY", "JWT_KEY"],
  );
  t.true(lines.every((line) => line.includes("for example")));
});

test("a schema that is older than the program is refused, and the error explains what to do", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "serve-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const { code, output } = await serve({
    DATABASE_URL: `sqlite:${join(folder, "empty.db")}`,
    MASTER_KEY: key(),
    JWT_KEY: key(),
  });
  t.is(code, 1);
  t.regex(output, /older than this program.*npm run migrate/);
});

test("an unknown option is named in the error, and the error about an unreachable database does not show the password", async (t) => {
  const option = await serve({}, ["--migrat"]);
  t.like(option, { code: 1 });
  t.regex(option.output, /--migrat/);
  const database = await serve({
    DATABASE_URL: "mysql://nobody:hidden-word@127.0.0.1:1/none",
    MASTER_KEY: key(),
    JWT_KEY: key(),
  });
  t.like(database, { code: 1 });
  t.regex(database.output, /could not start/);
  t.notRegex(database.output, /hidden-word/);
});

test("a DATABASE_URL that can't be read is named with its remedy, without a stack and without the password", async (t) => {
  for (const url of ["mysql://u:hidden-word%@127.0.0.1:1/none", "mysql://u:hidden#word@127.0.0.1:1/none"]) {
    const { code, output } = await serve({ DATABASE_URL: url, MASTER_KEY: key(), JWT_KEY: key() });
    t.is(code, 1);
    t.regex(output, /^DATABASE_URL must be mysql:.*for example.*write % as %25[^\n]*\n$/);
    t.notRegex(output, /hidden|word%|\n +at /);
  }
});

test("the reference page has a field for a secret only in development; the description has the public address", async (t) => {
  const world = await startWorld(t);
  const staging = await world.start({ ENVIRONMENT: "staging", PUBLIC_URL: "https://api.example/aggregator" });
  const pageOf = async (port: number) => (await fetch(`http://127.0.0.1:${port}/docs`)).text();
  t.regex(await pageOf(world.first.ports.rest), /id="secret"/);
  t.notRegex(await pageOf(staging.ports.rest), /id="secret"/);
  const serverOf = async (port: number) => {
    const reply = await fetch(`http://127.0.0.1:${port}/openapi.json`);
    return ((await reply.json()) as { servers: { url: string }[] }).servers[0]?.url;
  };
  t.is(await serverOf(staging.ports.rest), "https://api.example/aggregator");
  const { rest } = world.first.ports;
  t.is(await serverOf(rest), `http://localhost:${rest}`, "without PUBLIC_URL it is this machine's");
});

test("a running service is ready and counts in its metrics; after SIGTERM it is not ready, and its process exits with 0", async (t) => {
  const world = await startWorldOfProcesses(t, { env: { DRAIN_DELAY_MS: "3000" } });
  const { rest, internalHttp } = world.first.ports;
  const get = (url: string) => fetch(url, { headers: { connection: "close" } });
  t.is((await get(`http://127.0.0.1:${rest}/health/live`)).status, 200);
  t.is((await get(`http://127.0.0.1:${rest}/health/ready`)).status, 200);

  const sessionId = await world.session();
  t.is(await world.request("bet", { sessionId, txId: "b1" }), "success");
  const metrics = await (await get(`http://127.0.0.1:${internalHttp}/metrics`)).text();
  t.regex(metrics, /^aggregator_transactions_total\{action="bet",outcome="success"\} 1$/m);
  t.regex(metrics, /^aggregator_wallet_calls_total\{merchant="shop-brl",result="accepted"\} 1$/m);
  t.regex(metrics, /^aggregator_wallet_call_duration_seconds_count\{merchant="shop-brl"\} 1$/m);
  t.regex(metrics, /^aggregator_credits_failed_total 0$/m);
  const placeBet = 'service="aggregator.provider.v1.WalletService",method="PlaceBet"';
  t.regex(metrics, new RegExp(`^aggregator_rpc_calls_total\\{${placeBet},code="OK"\\} 1$`, "m"));
  t.regex(metrics, new RegExp(`^aggregator_rpc_duration_seconds_count\\{${placeBet}\\} [1-9]`, "m"));
  for (const kind of ["claim", "settle"])
    t.regex(metrics, new RegExp(`^aggregator_batch_rows_sum\\{kind="${kind}"\\} 1$`, "m"));
  t.regex(metrics, /^aggregator_statement_duration_seconds_count\{statement="insert tx"\} 1$/m);
  t.regex(metrics, /^aggregator_http_requests_total\{method="GET",route="\/health",status="200"\} [2-9]/m);
  t.regex(metrics, /^aggregator_ready 1$/m);

  t.is(await world.request("bet", { sessionId, txId: "b0", currency: "USD" }), "CURRENCY_NOT_ENABLED");
  world.wallet.setFault({ kind: "rejected" });
  t.is(await world.request("win", { sessionId, txId: "w1" }), "failed:REJECTED");
  world.wallet.setFault({ kind: "reset" });
  t.is(await world.request("bet", { sessionId, txId: "b2" }), "pending");
  const later = await (await get(`http://127.0.0.1:${internalHttp}/metrics`)).text();
  t.regex(later, /^aggregator_credits_failed_total 1$/m);
  t.regex(later, /^aggregator_credits_failed_amount_total\{currency="BRL"\} \d/m);
  t.notRegex(later, /^aggregator_credits_failed_amount_total\{currency="BRL"\} 0$/m);
  t.regex(later, /^aggregator_transactions_total\{action="bet",outcome="pending"\} 1$/m);
  // On a busy machine the service may have refused more bets.
  t.regex(later, /^aggregator_transactions_total\{action="bet",outcome="refused"\} [1-9]/m);
  t.regex(later, /^aggregator_transactions_pending\{merchant="shop-brl",older_than="0"\} 1$/m);
  t.regex(later, /^aggregator_transactions_pending\{merchant="shop-brl",older_than="1m"\} 0$/m);

  world.first.process.kill("SIGTERM");
  while ((await get(`http://127.0.0.1:${rest}/health/ready`)).status !== 503)
    await new Promise((resolve) => setTimeout(resolve, 20));
  t.is((await get(`http://127.0.0.1:${rest}/health/live`)).status, 200);
  const [code] = await once(world.first.process, "exit");
  t.is(code, 0);
});

test("a replica whose database refuses writes fails both health checks until writes succeed; with a newer schema it is ready", async (t) => {
  const world = await startWorld(t);
  const { knex } = world.database;
  const ready = async () => (await fetch(`http://127.0.0.1:${world.first.ports.rest}/health/ready`)).json();
  const serving = async () => (await world.callerOf(world.first).call(Health.method.check, { service: "" })).status;
  const readiness = async () => [await ready(), await serving()];
  const until = async (status: HealthCheckResponse_ServingStatus) => {
    while ((await serving()) !== status) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  await knex("schema_migrations").insert({ name: "999-future", batch: 2 });
  t.deepEqual(await readiness(), [{ status: "ready" }, HealthCheckResponse_ServingStatus.SERVING]);
  await knex.schema.renameTable("heartbeats", "away");
  await until(HealthCheckResponse_ServingStatus.NOT_SERVING);
  t.deepEqual(await ready(), { status: "not_ready", reasons: ["database"] });
  await knex.schema.renameTable("away", "heartbeats");
  await until(HealthCheckResponse_ServingStatus.SERVING);
  t.deepEqual(await ready(), { status: "ready" });
});
