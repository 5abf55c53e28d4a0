import test from "ava";
import { Load } from "../../src/app/load.ts";
import { ManualClock } from "../harness/manual-clock.ts";

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

test("an event loop over 100 ms late refuses debits for a second, over 500 ms credits too", async (t) => {
  const clock = new ManualClock();
  const load = new Load(clock, 10);
  load.start();
  await clock.pass(1_000);
  t.is(load.latenessMs(), 0);
  clock.jump(140);
  await clock.pass(20);
  t.false(load.enter("debit"));
  t.true(load.enter("credit"));
  await clock.pass(1_100);
  t.true(load.enter("debit"));
  clock.jump(600);
  await clock.pass(20);
  t.false(load.enter("credit"));
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
