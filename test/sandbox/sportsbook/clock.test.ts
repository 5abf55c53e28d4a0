import test from "ava";
import { Book } from "../../../sandbox/sportsbook/model/book.ts";
import { clockOf } from "../../../sandbox/sportsbook/model/clock.ts";
import { SPORTS } from "../../../sandbox/sportsbook/model/scores.ts";

const NO_SCORE = { home: 0, away: 0 };

test("the clock of football shows the minute that is being played, from 1 to 90", (t) => {
  const minute = (played: number) => clockOf("football", played, NO_SCORE);
  t.deepEqual(minute(0), { kind: "minute", minute: 1 });
  t.deepEqual(minute(67.5 / 90), { kind: "minute", minute: 68 });
  t.deepEqual(minute(1), { kind: "minute", minute: 90 });
});

test("the clock of basketball shows the quarter and its remaining time", (t) => {
  const quarter = (played: number) => clockOf("basketball", played, NO_SCORE);
  t.deepEqual(quarter(0), { kind: "quarter", quarter: 1, left_s: 600 });
  t.deepEqual(quarter(888 / 2400), { kind: "quarter", quarter: 2, left_s: 312 });
  t.deepEqual(quarter(0.5), { kind: "quarter", quarter: 3, left_s: 600 });
  t.deepEqual(quarter(1), { kind: "quarter", quarter: 4, left_s: 0 });
});

test("the clock of tennis, volleyball and esports shows the set or map that is being played", (t) => {
  t.deepEqual(clockOf("tennis", 0.6, { home: 1, away: 0 }), { kind: "set", number: 2 });
  t.deepEqual(clockOf("volleyball", 0.9, { home: 2, away: 2 }), { kind: "set", number: 5 });
  t.deepEqual(clockOf("esports", 0.1, NO_SCORE), { kind: "map", number: 1 });
});

test("a live match has a clock that never goes back and never passes the match's end", (t) => {
  let now = Date.UTC(2026, 0, 1);
  const book = new Book(7, () => now);
  const told = new Map<string, number>();
  for (let i = 0; i < 80; i++, now += 4_000)
    for (const { id, phase, clock } of book.board()) {
      t.is(clock === null, phase !== "live", id);
      if (clock === null) continue;
      const order =
        clock.kind === "minute"
          ? clock.minute
          : clock.kind === "quarter"
            ? clock.quarter * 600 - clock.left_s
            : clock.number;
      t.true(order >= (told.get(id) ?? 0), id);
      told.set(id, order);
      const last = { minute: 90, quarter: 2_400, set: 5, map: 3 }[clock.kind];
      t.true(order <= last, `${id}: ${JSON.stringify(clock)}`);
    }
  const kinds = new Set(book.board().flatMap(({ clock }) => (clock === null ? [] : [clock.kind])));
  t.true(kinds.size >= 3, [...kinds].join());
  t.is(SPORTS.length, 5);
});
