import test from "ava";
import { ResendWorker } from "../../src/app/resend-worker.ts";
import { pause, startEngine } from "../harness/engine.ts";
import { RecordedTelemetry } from "../harness/recorded-telemetry.ts";

/** The worker over an engine whose wallet answers when told to. */
async function startWorker(options: Parameters<typeof startEngine>[0] = {}) {
  const engine = await startEngine(options);
  const random = { fraction: () => 0, token: () => "", uuid: () => "" };
  const worker = new ResendWorker(engine.store, engine.transact, () => [1], engine.clock, random, new RecordedTelemetry());
  worker.start();
  return { engine, worker };
}

test("a win and a refund without an answer are sent again until they have one, each credited once; a bet and a rollback are not", async (t) => {
  const { engine, worker } = await startWorker({ walletTimeoutMs: 100, quietPeriodMs: 10 });
  await engine.say("bet", "b0");
  await engine.say("win", "w0");
  engine.wallet.setFault({ kind: "applied_no_reply" });
  const silent = [engine.say("bet", "b1"), engine.say("win", "w1"), engine.say("refund", "f1", { ref: "b0" }), engine.say("rollback", "k1", { ref: "w0" })];
  t.deepEqual(await Promise.all(silent), ["pending", "pending", "pending", "pending"]);
  engine.wallet.setFault({ kind: "none" });
  while ((await engine.row("w1"))?.status !== "success" || (await engine.row("f1"))?.status !== "success") await pause(50);
  await pause(1_200);
  await worker.stop();
  t.deepEqual(["b1", "w1", "f1", "k1"].map(engine.calls), [1, 2, 2, 1]);
  t.is((await engine.row("w1"))?.resolvedBy, "resend");
  t.deepEqual([(await engine.row("b1"))?.status, (await engine.row("k1"))?.status], ["pending", "pending"]);
  t.is(engine.balance(), 10_000n - 250n + 250n + 250n + 250n - 250n - 250n);
  await engine.close();
});

test("the gap between two attempts is at least the backoff", async (t) => {
  const { engine, worker } = await startWorker({ walletTimeoutMs: 50 });
  engine.wallet.setFault({ kind: "silent" });
  t.is(await engine.say("win", "w1"), "pending");
  while (engine.calls("w1") < 3) await pause(20);
  await worker.stop();
  const times = engine.callbacks.map((callback) => callback.at);
  const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
  t.true((gaps[0] ?? 0) >= 1_000 && (gaps[1] ?? 0) >= 2_000, String(gaps));
  await engine.close();
});

test("a rejected win is not sent again by the worker", async (t) => {
  const { engine, worker } = await startWorker();
  engine.wallet.setFault({ kind: "rejected" });
  t.regex(await engine.say("win", "w1"), /^failed:/);
  await pause(1_200);
  await worker.stop();
  t.is(engine.calls("w1"), 1);
  await engine.close();
});
