/** The load generator: a process of its own, so that its CPU time is told apart. Takes orders over IPC, one at a time. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LoadMessage, Order, Target } from "./orders.ts";
import { type PlaceBet, placeBetAt } from "./place-bet.ts";
import { Recorder } from "./recorder.ts";
import { signedGetAt } from "./signed-get.ts";

/** Who was refused for overload comes again after 50 to 150 ms, not all of them together. */
const afterRefusalMs = (): number => 50 + 100 * Math.random();
/** The callers of a closed loop begin within this. */
const RAMP_MS = 500;

const tell = (message: LoadMessage): void => void process.send?.(message);
const targets = new Map<string, PlaceBet>();

/** Connections stay from one order to the next. */
function placeBetOf(order: Order): PlaceBet {
  const key = JSON.stringify(order.target);
  const known = targets.get(key) ?? callerOf(order.target);
  targets.set(key, known);
  return known;
}

const callerOf = (target: Target): PlaceBet => (target.protocol === "rest" ? signedGetAt(target) : placeBetAt(target));

async function window(recorder: Recorder, warmUpMs: number, measureMs: number): Promise<void> {
  await sleep(warmUpMs);
  recorder.begin();
  tell({ kind: "begin" });
  await sleep(measureMs);
  recorder.end();
}

async function closed({ concurrency, warmUpMs, measureMs }: Order & { kind: "closed" }, place: PlaceBet, recorder: Recorder): Promise<void> {
  let goesOn = true;
  const caller = (done: () => void): void => {
    if (!goesOn) return done();
    const sentAt = performance.now();
    place((outcome) => {
      recorder.answered(outcome, sentAt);
      if (outcome === "OVERLOADED") setTimeout(caller, afterRefusalMs(), done);
      else caller(done);
    });
  };
  const callers = Array.from({ length: concurrency }, async (_, i) => {
    await sleep((i / concurrency) * RAMP_MS);
    await new Promise<void>(caller);
  });
  await window(recorder, warmUpMs, measureMs);
  goesOn = false;
  await Promise.all(callers);
}

async function open({ perSecond, warmUpMs, measureMs }: Order & { kind: "open" }, place: PlaceBet, recorder: Recorder): Promise<void> {
  let goesOn = true;
  let underWay = 0;
  let due = performance.now();
  const tick = (): void => {
    if (!goesOn) return;
    for (let now = performance.now(); due <= now; now = performance.now()) {
      recorder.late(now - due);
      underWay += 1;
      place((outcome) => {
        underWay -= 1;
        recorder.answered(outcome, now);
      });
      due += (-Math.log(1 - Math.random()) * 1_000) / perSecond;
    }
    setTimeout(tick, 1);
  };
  tick();
  await window(recorder, warmUpMs, measureMs);
  goesOn = false;
  while (underWay > 0) await sleep(10);
}

async function flood({ count, withinMs }: Order & { kind: "flood" }, place: PlaceBet, recorder: Recorder): Promise<void> {
  recorder.begin();
  tell({ kind: "begin" });
  const one = async (i: number): Promise<void> => {
    await sleep((i / count) * withinMs);
    for (;;) {
      const sentAt = performance.now();
      const outcome = await new Promise<string>(place);
      recorder.answered(outcome, sentAt);
      if (outcome !== "OVERLOADED") return;
      await sleep(afterRefusalMs());
    }
  };
  await Promise.all(Array.from({ length: count }, (_, i) => one(i)));
  recorder.end();
}

async function obey(order: Order): Promise<void> {
  const recorder = new Recorder();
  const place = placeBetOf(order);
  if (order.kind === "closed") await closed(order, place, recorder);
  else if (order.kind === "open") await open(order, place, recorder);
  else await flood(order, place, recorder);
  tell({ kind: "end", measured: recorder.result() });
}

process.on("message", (order) => void obey(order as Order));
process.once("SIGTERM", () => process.exit(0));
tell({ kind: "ready" });
