import { Writable } from "node:stream";
import test from "ava";
import { pino } from "pino";
import { LogsAndMetrics } from "../../../src/adapters/telemetry/telemetry.ts";
import { RateLimits } from "../../../src/app/capacity/rate-limits.ts";
import { WrongKeys } from "../../../src/app/capacity/wrong-keys.ts";
import type { KeyKind } from "../../../src/ports/telemetry.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";

/** A real log and real metrics. */
function begin() {
  const lines: Record<string, unknown>[] = [];
  const log = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const clock = new ManualClock();
  const telemetry = new LogsAndMetrics(pino(log));
  const wrongKeys = new WrongKeys(new RateLimits(clock, () => 1), clock, telemetry);
  const refused = (keyKind: KeyKind, address: string, times: number): string[] =>
    Array.from({ length: times }, () => wrongKeys.refuse(keyKind, address).refusal.code);
  return { clock, telemetry, lines, refused };
}

const alertsOf = (lines: readonly Record<string, unknown>[]) =>
  lines.filter(({ alert }) => alert !== undefined).map(({ alert, key_kind, address }) => [alert, key_kind, address]);

test("an address gets INVALID_API_KEY sixty times a minute, then RATE_LIMITED; other addresses are not affected", async (t) => {
  const { clock, refused } = begin();
  t.deepEqual(refused("admin", "10.0.0.1", 60), Array(60).fill("INVALID_API_KEY"));
  t.deepEqual(refused("admin", "10.0.0.1", 340), Array(340).fill("RATE_LIMITED"));
  t.deepEqual(refused("admin", "10.0.0.2", 1), ["INVALID_API_KEY"]);
  t.deepEqual(refused("provider", "10.0.0.1", 1), ["INVALID_API_KEY"]);
  await clock.pass(1_000);
  t.deepEqual(refused("admin", "10.0.0.1", 2), ["INVALID_API_KEY", "RATE_LIMITED"]);
});

test("all IPv6 addresses of one /64 count as one caller", (t) => {
  const { refused } = begin();
  refused("admin", "2001:db8::1", 60);
  t.deepEqual(refused("admin", "2001:db8::2", 1), ["RATE_LIMITED"]);
  t.deepEqual(refused("admin", "2001:db8:0:1::1", 1), ["INVALID_API_KEY"]);
});

test("every wrong key is counted; of an address the first ten are logged, and the tenth raises an alert; six minutes later another wrong key raises the next alert", async (t) => {
  const { clock, telemetry, lines, refused } = begin();
  refused("admin", "10.0.0.1", 9);
  t.is(lines.length, 9);
  t.like(lines[0], { level: 40, key_kind: "admin", address: "10.0.0.1", msg: "a call without a right API key" });
  t.deepEqual(alertsOf(lines), []);
  refused("admin", "10.0.0.1", 391);
  t.is(lines.length, 11);
  t.deepEqual(alertsOf(lines), [["wrong_keys", "admin", "10.0.0.1"]]);
  const metrics = await telemetry.metrics.text();
  t.regex(metrics, /^aggregator_wrong_keys_total\{key_kind="admin"\} 400$/m);
  t.regex(metrics, /^aggregator_alerts_total\{alert="wrong_keys"\} 1$/m);

  await clock.pass(360_000);
  refused("admin", "10.0.0.1", 50);
  t.is(alertsOf(lines).length, 2);
  refused("sportsbook", "10.0.0.1", 10);
  t.deepEqual(alertsOf(lines).at(-1), ["wrong_keys", "sportsbook", "10.0.0.1"]);
});
