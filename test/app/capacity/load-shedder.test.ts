import test from "ava";
import { Load } from "../../../src/app/capacity/load-shedder.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";

test("debits are refused from nine tenths of the bound on, credits at the bound", (t) => {
  const load = new Load(new ManualClock(), 10);
  for (let i = 0; i < 9; i++) t.true(load.enter("debit"));
  t.false(load.enter("debit"));
  t.true(load.enter("credit"));
  t.false(load.enter("credit"));
  load.leave();
  t.true(load.enter("credit"));
  t.is(load.inFlight, 10);
});

test("an event loop over 100 ms late twice in a second refuses debits, over 500 ms credits too", async (t) => {
  const clock = new ManualClock();
  const load = new Load(clock, 10);
  const late = async (ms: number) => {
    clock.jump(ms);
    await clock.pass(20);
  };
  load.start();
  await clock.pass(1_000);
  t.is(load.latenessMs(), 0);
  await late(140);
  t.true(load.enter("debit"), "once: a pause");
  t.true(load.latenessMs() > 100);
  await late(140);
  t.false(load.enter("debit"));
  t.true(load.enter("credit"));
  await clock.pass(1_100);
  t.true(load.enter("debit"));
  await late(600);
  await late(140);
  t.true(load.enter("credit"), "late enough for credits only once");
  await late(600);
  t.false(load.enter("credit"));
  await clock.pass(1_100);
  await late(140);
  await clock.pass(1_000);
  await late(140);
  t.true(load.enter("debit"), "more than a second apart");
  load.stop();
});

for (const seconds of [0.15, 0.9, 0.97, 1, 1.5, 5]) {
  test(`turns of ${seconds} s, one after the other, are a load from the second on, until a second after the last`, async (t) => {
    const clock = new ManualClock();
    const load = new Load(clock, 10);
    const turn = async () => {
      clock.jump(seconds * 1_000);
      await clock.pass(20);
    };
    load.start();
    await clock.pass(1_000);
    await turn();
    t.true(load.enter("debit"), "one late turn alone is a pause");
    for (let i = 0; i < 5; i++) {
      await turn();
      t.false(load.enter("debit"));
      t.is(load.enter("credit"), seconds < 0.5, "credits are refused above 500 ms");
      t.true(load.latenessMs() >= seconds * 1_000 - 20);
    }
    await clock.pass(900);
    t.false(load.enter("debit"));
    await clock.pass(200);
    t.true(load.enter("debit"));
    t.is(load.latenessMs(), 0);
    await turn();
    t.true(load.enter("debit"), "alone again");
    load.stop();
  });
}

test("late turns of 5 s are a load when less than a second lies between them, and pauses when more does", async (t) => {
  const clock = new ManualClock();
  const load = new Load(clock, 10);
  load.start();
  for (const [betweenMs, accepted] of [
    [1_100, true],
    [900, false],
    [1_100, true],
  ] as const) {
    await clock.pass(betweenMs);
    clock.jump(5_000);
    await clock.pass(20);
    t.is(load.enter("debit"), accepted, `${betweenMs} ms between`);
  }
  load.stop();
});

test("transactions that go on after their callers were told pending count, and nothing counts twice", (t) => {
  let atWork = 0;
  const load = new Load(new ManualClock(), 10, () => atWork);
  t.true(load.enter("debit"));
  atWork = 1;
  t.is(load.inFlight, 1);
  load.leave();
  atWork = 9;
  t.false(load.enter("debit"));
  t.true(load.enter("credit"));
  atWork = 10;
  t.false(load.enter("credit"));
});
