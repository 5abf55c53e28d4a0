import test from "ava";
import { LoadShedder } from "../../../src/app/capacity/load-shedder.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";

test("debits are refused at nine tenths of the limit, credits at the limit", (t) => {
  const loadShedder = new LoadShedder(new ManualClock(), 10);
  for (let i = 0; i < 9; i++) t.true(loadShedder.enter("debit"));
  t.false(loadShedder.enter("debit"));
  t.true(loadShedder.enter("credit"));
  t.false(loadShedder.enter("credit"));
  loadShedder.leave();
  t.true(loadShedder.enter("credit"));
  t.is(loadShedder.inFlight, 10);
});

test("debits are refused if the event loop is 100 ms late twice within a second; at 500 ms credits are refused, too", async (t) => {
  const clock = new ManualClock();
  const loadShedder = new LoadShedder(clock, 10);
  const late = async (ms: number) => {
    clock.jump(ms);
    await clock.pass(20);
  };
  loadShedder.start();
  await clock.pass(1_000);
  await late(140);
  t.true(loadShedder.enter("debit"), "once: a pause");
  await late(140);
  t.false(loadShedder.enter("debit"));
  t.true(loadShedder.enter("credit"));
  await clock.pass(1_100);
  t.true(loadShedder.enter("debit"));
  await late(600);
  await late(140);
  t.true(loadShedder.enter("credit"), "late enough for credits only once");
  await late(600);
  t.false(loadShedder.enter("credit"));
  await clock.pass(1_100);
  await late(140);
  await clock.pass(1_000);
  await late(140);
  t.true(loadShedder.enter("debit"), "more than a second apart");
  loadShedder.stop();
});

for (const seconds of [0.15, 0.9, 0.97, 1, 1.5, 5]) {
  test(`consecutive turns of the event loop that are ${seconds} s late count as load from the second turn until a second after the last one`, async (t) => {
    const clock = new ManualClock();
    const loadShedder = new LoadShedder(clock, 10);
    const turn = async () => {
      clock.jump(seconds * 1_000);
      await clock.pass(20);
    };
    loadShedder.start();
    await clock.pass(1_000);
    await turn();
    t.true(loadShedder.enter("debit"), "one late turn alone is a pause");
    for (let i = 0; i < 5; i++) {
      await turn();
      t.false(loadShedder.enter("debit"));
      t.is(loadShedder.enter("credit"), seconds < 0.5, "credits are refused above 500 ms");
    }
    await clock.pass(900);
    t.false(loadShedder.enter("debit"));
    await clock.pass(200);
    t.true(loadShedder.enter("debit"));
    await turn();
    t.true(loadShedder.enter("debit"), "alone again");
    loadShedder.stop();
  });
}

test("two turns of the event loop that are 5 s late count as load if they come within a second of each other, and otherwise as pauses", async (t) => {
  const clock = new ManualClock();
  const loadShedder = new LoadShedder(clock, 10);
  loadShedder.start();
  for (const [betweenMs, accepted] of [
    [1_100, true],
    [900, false],
    [1_100, true],
  ] as const) {
    await clock.pass(betweenMs);
    clock.jump(5_000);
    await clock.pass(20);
    t.is(loadShedder.enter("debit"), accepted, `${betweenMs} ms between`);
  }
  loadShedder.stop();
});

test("the delays of the event loop above 100 ms are added up, however long ago they were", async (t) => {
  const clock = new ManualClock();
  const loadShedder = new LoadShedder(clock, 10);
  loadShedder.start();
  await clock.pass(1_000);
  t.is(loadShedder.lateMs, 0);
  const late = async (ms: number) => {
    clock.jump(ms);
    await clock.pass(20);
  };
  await late(100);
  t.is(loadShedder.lateMs, 0);
  await late(600);
  const once = loadShedder.lateMs;
  t.true(once >= 580 && once <= 600, String(once));
  await clock.pass(30_000);
  t.is(loadShedder.lateMs, once);
  await late(5_000);
  t.true(loadShedder.lateMs >= once + 4_980 && loadShedder.lateMs <= once + 5_000, String(loadShedder.lateMs));
  loadShedder.stop();
});

test("a transaction in progress counts towards the limit even after its caller got pending, and it counts only once", (t) => {
  const work = { active: 0 };
  const loadShedder = new LoadShedder(new ManualClock(), 10, work);
  t.true(loadShedder.enter("debit"));
  work.active = 1;
  t.is(loadShedder.inFlight, 1);
  loadShedder.leave();
  work.active = 9;
  t.false(loadShedder.enter("debit"));
  t.true(loadShedder.enter("credit"));
  work.active = 10;
  t.false(loadShedder.enter("credit"));
});
