/**
 * `npm start` is a sandbox. It must not touch a real service's database and keys, even if they are in the environment.
 */

import { exec, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { compileCache } from "../../testbed/programs/child.ts";
import { startSandbox } from "../../testbed/stage/sandbox.ts";

const SECRET = randomBytes(32).toString("base64");

const folder = mkdtempSync(join(tmpdir(), "start-"));
test.after.always(() => rmSync(folder, { recursive: true, force: true }));
const database = join(folder, "live.db");

/** Variables that belong to a real service. */
const REFUSED: Readonly<Record<string, string>> = {
  DATABASE_URL: `sqlite:${database}`,
  ENVIRONMENT: "development",
  MASTER_KEY: SECRET,
  JWT_KEY: SECRET,
  ADMIN_KEY: SECRET,
  PROCESSES: "4",
  PUBLIC_URL: "https://api.example",
  SPORTSBOOK_URL: "https://sportsbook.example",
  GRPC_TLS_CERT: "/etc/aggregator/tls.pem",
  GRPC_TLS_KEY: "/etc/aggregator/tls.pem",
  GRPC_TLS_CLIENT_CA: "/etc/aggregator/ca.pem",
  WALLET_ALLOW_HTTP: "false",
  WALLET_ALLOW_PRIVATE: "false",
  PROVIDER_ALLOW_PRIVATE: "false",
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
  OTEL_EXPORTER_OTLP_HEADERS: `api-key=${SECRET}`,
};

/** Variables that a sandbox may take: addresses, ports, times and limits. */
const TAKEN = [
  "HOST",
  "REST_PORT",
  "GRPC_PORT",
  "INTERNAL_HOST",
  "INTERNAL_GRPC_PORT",
  "INTERNAL_HTTP_PORT",
  "INTERNAL_ALLOWED_HOSTS",
  "TRUSTED_PROXIES",
  "WALLET_TIMEOUT_MS",
  "WALLET_CONCURRENCY_PER_MERCHANT",
  "WALLET_DNS_SERVERS",
  "WALLET_HTTP_CLIENT",
  "OTEL_SERVICE_NAME",
  "OTEL_TRACES_SAMPLER_ARG",
  "RESEND_HORIZON_HOURS",
  "REFUND_QUIET_PERIOD_MS",
  "MAX_IN_FLIGHT",
  "DRAIN_DELAY_MS",
  "SESSION_HOURS",
];

function start(env: Readonly<Record<string, string>>) {
  const free = { REST_PORT: "0", GRPC_PORT: "0", INTERNAL_GRPC_PORT: "0", INTERNAL_HTTP_PORT: "0" };
  // A sandbox that starts would run for ever.
  return spawnSync(process.execPath, ["src/start.ts"], {
    env: { PATH: process.env.PATH, ...compileCache(), ...free, ...env },
    encoding: "utf8",
    timeout: 60_000,
  });
}

for (const name of ["DATABASE_URL", "ENVIRONMENT", "ADMIN_KEY"]) {
  test(`npm start refuses ${name} with one line that names npm run serve, and changes nothing`, (t) => {
    const { status, stdout, stderr } = start({ [name]: REFUSED[name] ?? "" });
    t.is(status, 1);
    t.is(stdout, "");
    t.regex(stderr, new RegExp(`^npm start .*\\b${name} .*\`npm run serve\`.*SANDBOX_ADMIN_KEY\\.\\n$`));
    t.false(stderr.includes(SECRET) || stderr.includes(folder), "the value stays out of the message");
    t.false(existsSync(database));
  });
}

test("npm start names all refused variables at once", (t) => {
  const { status, stderr } = start(REFUSED);
  t.is(status, 1);
  for (const name of Object.keys(REFUSED)) t.regex(stderr, new RegExp(`\\b${name}\\b`));
  t.is(stderr.split("\n").length, 2);
});

test("when npm start is stopped, it reports no error and exits with 0", async (t) => {
  const { code, output } = await (await startSandbox({})).close();
  t.is(code, 0);
  t.notRegex(output, /could not start|ended by itself/);
});

test("npm start says at once that WALLET_URL is no address", (t) => {
  const { status, stdout, stderr } = start({ WALLET_URL: "localhost:7001/wallet" });
  t.deepEqual([status, stdout], [1, ""]);
  t.regex(
    stderr,
    /^WALLET_URL must be the http or https address of your wallet, such as http:\/\/localhost:7001\/wallet\.\n$/,
  );
});

/** Runs a command of the welcome as a reader pastes it. */
const pasted = (line: string) => promisify(exec)(line, { env: { PATH: process.env.PATH, ...compileCache() } });

test("with WALLET_URL one merchant calls the visitor's own wallet, and the printed command tries it at moved ports", async (t) => {
  const callers: string[] = [];
  const wallet = createServer((request, response) => {
    callers.push(String(request.headers["x-merchant-id"]));
    response.end('{"ok":true,"balance":12.5}');
  });
  await once(wallet.listen(0, "127.0.0.1"), "listening");
  t.teardown(() => wallet.close());
  const { port } = wallet.address() as AddressInfo;
  const sandbox = await startSandbox({ WALLET_URL: `http://localhost:${port}/wallet` });
  t.teardown(() => sandbox.close());
  const [line = ""] = /ADMIN_URL=.* merchant ping .*/.exec(sandbox.printed) ?? [];
  t.regex((await pasted(line)).stdout, /^balance 12\.50? BRL/);
  await pasted(line.replaceAll("-brl", "-usd"));
  t.deepEqual(callers, ["casa-luna-brl"], "the other merchants keep the sandbox's wallet");
});

test("the printed command that sets one's own wallet works as it is printed", async (t) => {
  const sandbox = await startSandbox({});
  t.teardown(() => sandbox.close());
  const [line = ""] = /ADMIN_URL=.* merchant set .*/.exec(sandbox.printed) ?? [];
  t.regex((await pasted(line)).stdout, /http:\/\/localhost:7001\/wallet/);
});

test("this test's lists of refused and of accepted variables together are the variables of the configuration's table", (t) => {
  const rows = readFileSync("docs/specification/configuration.md", "utf8")
    .split("\n")
    .filter((line) => /^\| (<a id="[^"]*"><\/a>)?`/.test(line));
  const names = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
  t.deepEqual(names.toSorted(), [...Object.keys(REFUSED), ...TAKEN].toSorted());
});
