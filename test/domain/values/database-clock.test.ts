import test from "ava";
import { DatabaseClock } from "../../../src/domain/values/database-clock.ts";

/** A clock of a database that is `ahead` ms ahead of the process. The request and the answer each take the given ms. */
function reader(clock: DatabaseClock, state: { ahead: number }) {
  return (at: number, thereMs: number, backMs: number): void =>
    clock.observe(at + thereMs + state.ahead, at, at + thereMs + backMs);
}

test("atLeast is never ahead of the database's clock and atMost is never behind it, and the fastest readings give the bounds", (t) => {
  const clock = new DatabaseClock();
  const state = { ahead: 7_000 };
  const read = reader(clock, state);
  read(0, 40, 60);
  t.deepEqual([clock.atLeast(100), clock.atMost(100)], [7_040, 7_140]);
  read(200, 10, 500);
  t.deepEqual(
    [clock.atLeast(800), clock.atMost(800)],
    [7_740, 7_810],
    "the slow way back changes the upper bound only",
  );
  read(900, 300, 5);
  t.deepEqual([clock.atLeast(1_300), clock.atMost(1_300)], [8_295, 8_310]);
  for (let at = 2_000; at < 20_000; at += 700) {
    read(at, (at * 7) % 90, (at * 13) % 110);
    t.true(clock.atLeast(at + 300) <= at + 300 + state.ahead);
    t.true(clock.atMost(at + 300) >= at + 300 + state.ahead);
  }
});

test("a reading is used for 5 s", (t) => {
  const clock = new DatabaseClock();
  const read = reader(clock, { ahead: 0 });
  t.false(clock.isKnown(0));
  read(0, 0, 0);
  t.true(clock.isKnown(5_000));
  t.false(clock.isKnown(5_001));
  read(4_900, 50, 50);
  t.deepEqual([clock.atLeast(5_000), clock.atMost(5_000)], [5_000, 5_000], "the exact reading still counts");
  read(5_100, 50, 50);
  t.deepEqual([clock.atLeast(5_200), clock.atMost(5_200)], [5_150, 5_250]);
});

test("after the database's clock has been changed, the next reading replaces the earlier ones", (t) => {
  for (const step of [-60_000, 60_000]) {
    const clock = new DatabaseClock();
    const state = { ahead: 0 };
    const read = reader(clock, state);
    read(0, 5, 5);
    state.ahead = step;
    read(250, 20, 20);
    t.deepEqual([clock.atLeast(290), clock.atMost(290)], [270 + step, 310 + step]);
  }
});
