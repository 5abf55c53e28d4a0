import test from "ava";
import { Book } from "../../../sandbox/sportsbook/model/book.ts";
import { ODDS_HABITS, type OddsHabit, takes } from "../../../sandbox/sportsbook/model/odds-habit.ts";
import {
  accepted,
  EMPTY_SLIP,
  repriced,
  staked,
  summary,
  toggled,
  withHabit,
} from "../../../sandbox/sportsbook/page/slip.ts";

const ID = "m-1:winner:0:home";
const slip = staked(
  toggled(EMPTY_SLIP, {
    id: ID,
    event: "m-1",
    sport: "tennis",
    home: "A",
    away: "B",
    kind: "winner",
    line: 0,
    pick: "home",
    odds: 200,
  }),
  ID,
  "12,50",
);
const moved = (odds: number | null, habit: OddsHabit) => repriced(slip, new Map([[ID, odds]]), habit);
const problem = (odds: number | null, habit: OddsHabit) => summary(moved(odds, habit), "BRL").problem;

test("the setting any accepts all changes of odds, better accepts only better odds, and ask accepts no change", (t) => {
  t.deepEqual(
    ODDS_HABITS.map((habit) => [habit, takes(habit, 200, 210), takes(habit, 200, 190), takes(habit, 200, 200)]),
    [
      ["better", true, false, true],
      ["any", true, true, true],
      ["ask", false, false, true],
    ],
  );
});

test("a change that the player's setting accepts needs no tap; another change waits for the player", (t) => {
  t.deepEqual([problem(210, "better"), problem(190, "better")], [null, "changed"]);
  t.deepEqual([problem(210, "any"), problem(190, "any")], [null, null]);
  t.deepEqual([problem(210, "ask"), problem(190, "ask")], ["changed", "changed"]);
  for (const habit of ODDS_HABITS) t.is(problem(null, habit), "gone", "a selection that is gone is never accepted");
});

test("the slip keeps its stake when odds change, and shows the odds that it had before", (t) => {
  for (const habit of ODDS_HABITS)
    for (const odds of [190, 210, null]) t.is(moved(odds, habit).lines[0]?.stake, "12,50");
  t.like(moved(210, "better").lines[0], { odds: 210, now: 210, was: 200 });
  t.like(moved(190, "better").lines[0], { odds: 200, now: 190, was: null });
  t.like(accepted(moved(190, "ask")).lines[0], { odds: 190, was: null });
  t.is(summary(moved(210, "better"), "BRL").potentialMinor, 2_625);
});

test("after higher odds were accepted, a fall is measured from the higher odds", (t) => {
  const up = moved(210, "better");
  t.is(summary(repriced(up, new Map([[ID, 205]]), "better"), "BRL").problem, "changed");
});

test("a new setting applies at once to a change that waits for the player", (t) => {
  const waiting = moved(190, "better");
  t.is(summary(withHabit(waiting, "any"), "BRL").problem, null);
  t.is(summary(withHabit(waiting, "ask"), "BRL").problem, "changed");
});

test("odds can be set by hand while they are offered", (t) => {
  const book = new Book(7, () => 0);
  const id = "liga-do-sol-3:result:0:home";
  const before = book.selection(id)?.odds ?? 0;
  t.true(book.setOdds(id, before + 5));
  t.is(book.selection(id)?.odds, before + 5);
  t.is(
    book
      .board()
      .flatMap(({ markets }) => markets.flatMap(({ offers }) => offers))
      .find((offer) => offer.id === id)?.odds,
    before + 5,
  );
  t.false(book.setOdds("no-such-3:result:0:home", 200));
  book.finish("liga-do-sol-3", { home: 1, away: 0 });
  t.false(book.setOdds(id, 200), "the match is over");
});
