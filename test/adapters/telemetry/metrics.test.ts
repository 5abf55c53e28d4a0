import test from "ava";
import { kindOf } from "../../../src/adapters/sql/connection/measure.ts";
import { type Definition, METRICS } from "../../../src/adapters/telemetry/definitions.ts";
import { Metrics } from "../../../src/adapters/telemetry/metrics.ts";
import { TopMerchants } from "../../../src/adapters/telemetry/top-merchants.ts";

test("the names of metrics follow Prometheus' conventions: the service's prefix, base units, _total for counters", (t) => {
  for (const [name, { type }] of Object.entries<Definition>(METRICS)) {
    t.regex(name, /^aggregator_[a-z_]+$/);
    t.is(name.endsWith("_total"), type === "counter", name);
    t.notRegex(name, /_(ms|milliseconds|minutes|kb|mb)(_|$)/);
    t.false(type === "histogram" && !/_(seconds|rows)$/.test(name), `${name} has no unit`);
  }
});

const READINGS = {
  inFlight: () => 0,
  inFlightLimit: 4_000,
  eventLoopLateMs: () => 250,
  settingsAgeMs: () => 500,
  feedLagMs: () => 0,
  feedScanAgeMs: () => 0,
  ready: () => true,
  replicas: () => 1,
  connections: () => [{ pool: "writes", used: 1, idle: 2, waiting: 3 }],
  limitedMerchants: () => [],
  pending: async () => [],
};

test("every defined metric is exported", async (t) => {
  const metrics = new Metrics();
  metrics.observe(READINGS);
  const text = await metrics.text();
  for (const [name, { type, help }] of Object.entries<Definition>(METRICS))
    t.true(text.includes(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`), name);
  t.regex(text, /^aggregator_event_loop_late_seconds_total 0.25$/m);
  t.regex(text, /^aggregator_database_connections\{pool="writes",state="waiting"\} 3$/m);
});

test("the time of late turns is counted once, however often and by how many programs the metrics are read", async (t) => {
  const metrics = new Metrics();
  let lateMs = 250;
  metrics.observe({ ...READINGS, eventLoopLateMs: () => lateMs });
  for (const [ms, seconds] of [
    [250, 0.25],
    [250, 0.25],
    [1_250, 1.25],
  ] as const) {
    lateMs = ms;
    t.true((await metrics.text()).includes(`\naggregator_event_loop_late_seconds_total ${seconds}\n`), String(ms));
  }
});

test("a refused call has its error code, and `wallet` as its cause if a wallet has caused it", async (t) => {
  const metrics = new Metrics();
  const call = { service: "s", method: "m", seconds: 0.01 };
  metrics.rpc({ ...call, code: "OK", refusal: undefined });
  metrics.rpc({ ...call, code: "INTERNAL", refusal: undefined });
  metrics.rpc({ ...call, code: "RESOURCE_EXHAUSTED", refusal: { code: "OVERLOADED" } });
  metrics.rpc({ ...call, code: "RESOURCE_EXHAUSTED", refusal: { code: "OVERLOADED", cause: "wallet" } });
  const text = await metrics.text();
  for (const labels of [
    'code="OK"',
    'code="INTERNAL"',
    'code="RESOURCE_EXHAUSTED",error="OVERLOADED"',
    'code="RESOURCE_EXHAUSTED",error="OVERLOADED",cause="wallet"',
  ])
    t.true(text.includes(`\naggregator_rpc_calls_total{service="s",method="m",${labels}} 1\n`), labels);
});

const merchantsOf = (text: string, metric: string): string[] => [
  ...new Set([...text.matchAll(new RegExp(`^${metric}\\{merchant="([^"]+)"`, "gm"))].map(([, code = ""]) => code)),
];

test("200 merchants get 50 labels and `other`, and every call is counted", async (t) => {
  const metrics = new Metrics();
  for (let round = 0; round < 30; round++)
    for (let i = 0; i < 200; i++) metrics.walletCall(`m${i}`, i % 2 === 0 ? "accepted" : "timeout", 0.01);
  const pending = Array.from({ length: 200 }, (_, i) => ({ merchant: `m${i}`, olderThan: "0", count: i + 1 }));
  metrics.observe({
    ...READINGS,
    pending: async () => pending,
    limitedMerchants: () => pending.map(({ merchant, count }) => ({ merchant, limit: count })),
  });
  const text = await metrics.text();
  for (const metric of [
    "aggregator_wallet_calls_total",
    "aggregator_wallet_call_duration_seconds_count",
    "aggregator_transactions_pending",
  ]) {
    const merchants = merchantsOf(text, metric);
    t.is(merchants.length, 51, metric);
    t.true(merchants.includes("other"));
  }
  const values = (metric: string) =>
    [...text.matchAll(new RegExp(`^${metric}\\{.*\\} (\\d+)$`, "gm"))].map(([, n]) => n);
  const sum = (metric: string) => values(metric).reduce((all, n) => all + Number(n), 0);
  t.is(sum("aggregator_wallet_calls_total"), 6_000);
  t.is(sum("aggregator_transactions_pending"), (200 * 201) / 2);
  t.true(merchantsOf(text, "aggregator_transactions_pending").includes("m199"), "those with most pending have a label");
  t.is(merchantsOf(text, "aggregator_wallet_permits").length, 50);
  t.regex(text, /^aggregator_wallets_limited 200$/m);
});

test("a merchant with more and more calls takes the label of the merchant with the fewest, whose series then end", async (t) => {
  const dropped: string[] = [];
  const top = new TopMerchants(2, (merchant) => dropped.push(merchant));
  t.deepEqual([top.labelOf("a"), top.labelOf("b"), top.labelOf("c")], ["a", "b", "other"]);
  for (let i = 0; i < 3_000; i++) for (const merchant of ["a", "c"]) top.labelOf(merchant);
  t.deepEqual(dropped, ["b"]);
  t.deepEqual([top.labelOf("a"), top.labelOf("b"), top.labelOf("c")], ["a", "other", "c"]);

  const metrics = new Metrics();
  for (let i = 0; i < 50; i++) metrics.walletCall(`quiet${i}`, "accepted", 0.01);
  for (let i = 0; i < 2_000; i++) metrics.walletCall("busy", "accepted", 0.01);
  const text = await metrics.text();
  for (const metric of ["aggregator_wallet_calls_total", "aggregator_wallet_call_duration_seconds_count"]) {
    const merchants = merchantsOf(text, metric);
    t.true(merchants.includes("busy"), metric);
    t.is(merchants.filter((merchant) => merchant.startsWith("quiet")).length, 49, metric);
  }
});

test("merchants with equal numbers of calls keep their labels", (t) => {
  const top = new TopMerchants(2, () => t.fail());
  for (let i = 0; i < 5_000; i++) for (const merchant of ["a", "b", "c"]) top.labelOf(merchant);
  t.pass();
});

test("a statement's kind is its verb and its first table", (t) => {
  t.is(kindOf("INSERT INTO tx (a, b) SELECT 1 FROM other"), "insert tx");
  t.is(kindOf("  insert ignore into `nonces` values (?)"), "insert nonces");
  t.is(kindOf("UPDATE tx JOIN attempt_log SET a = 1"), "update tx");
  t.is(kindOf("delete from `jtis` where 1"), "delete jtis");
  t.is(kindOf("SELECT t.a FROM (SELECT b FROM sessions) t"), "select sessions");
  t.is(kindOf("WITH line AS (SELECT * FROM json_each(?)) INSERT INTO tx SELECT 1 FROM line"), "insert tx");
  t.is(kindOf("WITH line AS (SELECT 1 FROM\n tx) SELECT 2"), "select tx");
  t.is(kindOf("SELECT a FROM tx WHERE b = 1 FOR UPDATE"), "select tx");
  t.is(kindOf("SET time_zone = '+00:00'"), "set");
  t.is(kindOf("BEGIN;"), "begin");
});
