/**
 * The load generator. It is a separate process, so that its CPU time is measured separately. It takes orders over IPC,
 * one at a time.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Call, type CallResult, OVERLOADED } from "./call.ts";
import { grpcProvider } from "./grpc-provider.ts";
import { History } from "./history.ts";
import { leanProvider } from "./lean-provider.ts";
import type { LoadMessage, Order, Target } from "./orders.ts";
import { Recorder } from "./recorder.ts";
import { signedGetAt } from "./signed-get.ts";
import { upstreamCaller } from "./upstream-caller.ts";
import { walletCaller } from "./wallet-caller.ts";

/** A caller that gets OVERLOADED repeats after 50 to 150 ms. The random part spreads the repeats. */
const afterRefusalMs = (): number => 50 + 100 * Math.random();
/** All callers of a closed loop begin within this time. */
const RAMP_MS = 500;
/** When an open loop can't keep up with its rate, it reads answers after sending for this time. */
const SENDS_AT_MOST_MS = 5;

const send = (message: LoadMessage): void => void process.send?.(message);
const targets = new Map<string, Call>();

/** Connections stay open from one order to the next. */
function callOf(order: Order): Call {
  const key = JSON.stringify(order.target);
  const known = targets.get(key) ?? callerOf(order.target);
  targets.set(key, known);
  return known;
}

function callerOf(target: Target): Call {
  if (target.protocol === "rest") return signedGetAt(target);
  if (target.protocol === "http") return walletCaller(target.url);
  if (target.protocol === "connector") return upstreamCaller(target);
  return target.lean ? leanProvider(target) : grpcProvider(target);
}

async function window(recorder: Recorder, warmUpMs: number, measureMs: number): Promise<void> {
  await sleep(warmUpMs);
  recorder.begin();
  send({ kind: "begin" });
  await sleep(measureMs);
  recorder.end();
}

async function closed(
  { concurrency, warmUpMs, measureMs }: Order & { kind: "closed" },
  call: Call,
  recorder: Recorder,
): Promise<void> {
  let isRunning = true;
  const caller = (done: () => void): void => {
    if (!isRunning) return done();
    const sentAt = performance.now();
    call((result) => {
      recorder.answered(result, sentAt);
      if (result.outcome === OVERLOADED) setTimeout(caller, afterRefusalMs(), done);
      else caller(done);
    });
  };
  const callers = Array.from({ length: concurrency }, async (_, i) => {
    await sleep((i / concurrency) * RAMP_MS);
    await new Promise<void>(caller);
  });
  await window(recorder, warmUpMs, measureMs);
  isRunning = false;
  await Promise.all(callers);
}

async function open(
  { perSecond, warmUpMs, measureMs }: Order & { kind: "open" },
  call: Call,
  recorder: Recorder,
): Promise<void> {
  let isRunning = true;
  let underWay = 0;
  let due = performance.now();
  const tick = (): void => {
    if (!isRunning) return;
    const beganAt = performance.now();
    for (let now = beganAt; due <= now && now - beganAt < SENDS_AT_MOST_MS; now = performance.now()) {
      recorder.late(now - due);
      underWay += 1;
      call((result) => {
        underWay -= 1;
        recorder.answered(result, now);
      });
      due += (-Math.log(1 - Math.random()) * 1_000) / perSecond;
    }
    setTimeout(tick, 1);
  };
  tick();
  await window(recorder, warmUpMs, measureMs);
  isRunning = false;
  while (underWay > 0) await sleep(10);
}

async function flood({ count, withinMs }: Order & { kind: "flood" }, call: Call, recorder: Recorder): Promise<void> {
  recorder.begin();
  send({ kind: "begin" });
  const one = async (i: number): Promise<void> => {
    await sleep((i / count) * withinMs);
    for (;;) {
      const sentAt = performance.now();
      const result = await new Promise<CallResult>(call);
      recorder.answered(result, sentAt);
      if (result.outcome !== OVERLOADED) return;
      await sleep(afterRefusalMs());
    }
  };
  await Promise.all(Array.from({ length: count }, (_, i) => one(i)));
  recorder.end();
}

async function execute(order: Order): Promise<void> {
  const recorder = new Recorder();
  const history = order.history === undefined ? undefined : new History(order.history);
  const call = history === undefined ? callOf(order) : history.of(callOf(order));
  if (order.kind === "closed") await closed(order, call, recorder);
  else if (order.kind === "open") await open(order, call, recorder);
  else await flood(order, call, recorder);
  await history?.end();
  send({ kind: "end", measured: recorder.result() });
}

process.on("message", (order) => void execute(order as Order));
process.once("SIGTERM", () => process.exit(0));
// The process that sent the orders has ended.
process.once("disconnect", () => process.exit(0));
send({ kind: "ready" });
