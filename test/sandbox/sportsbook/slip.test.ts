import test from "ava";
import fc from "fast-check";
import { routeOf } from "../../../sandbox/sportsbook/page/route.ts";
import {
  accepted,
  EMPTY_SLIP,
  repriced,
  type Slip,
  staked,
  summary,
  toggled,
  without,
} from "../../../sandbox/sportsbook/page/slip.ts";
import { readStake, stakeText } from "../../../sandbox/sportsbook/page/stake.ts";

const line = (event: string, pick: "home" | "away" = "home", odds = 200) => ({
  ...({
    id: `${event}:winner:0:${pick}`,
    event,
    sport: "tennis",
    home: "A",
    away: "B",
    kind: "winner",
    line: 0,
    pick,
    odds,
  } as const),
});
const slipOf = (...lines: ReturnType<typeof line>[]): Slip =>
  lines.reduce<Slip>((slip, one) => toggled(slip, one), EMPTY_SLIP);

test("a second tap removes a selection from the slip", (t) => {
  const slip = slipOf(line("m-1"), line("m-2"));
  t.is(slip.lines.length, 2);
  t.deepEqual(
    toggled(slip, line("m-1")).lines.map(({ event }) => event),
    ["m-2"],
  );
  t.is(without(slip, "m-1:winner:0:home").mode, "singles", "one selection is not an accumulator");
});

test("two matches make an accumulator, unless a single has a stake already", (t) => {
  t.is(slipOf(line("m-1"), line("m-2")).mode, "accumulator");
  const first = staked(slipOf(line("m-1")), "m-1:winner:0:home", "5");
  t.is(toggled(first, line("m-2")).mode, "singles");
});

test("each single with a stake is one bet; an accumulator is one bet with all selections", (t) => {
  const slip = { ...slipOf(line("m-1"), line("m-2", "home", 150)), mode: "singles" as const };
  const one = staked(slip, "m-1:winner:0:home", "10,50");
  t.like(summary(one, "BRL"), { stakeMinor: 1_050, potentialMinor: 2_100, problem: null, bets: { length: 1 } });
  const both = staked(one, "m-2:winner:0:home", "1");
  t.like(summary(both, "BRL"), { stakeMinor: 1_150, potentialMinor: 2_250, bets: { length: 2 } });
  const accumulator = { ...both, mode: "accumulator" as const, stake: "2000" };
  t.like(summary(accumulator, "CLP"), { stakeMinor: 2_000, potentialMinor: 6_000, bets: { length: 1 } });
});

test("a slip that can't be placed shows the reason", (t) => {
  const two = slipOf(line("m-1"), line("m-2"));
  const problem = (slip: Slip) => summary(slip, "BRL").problem;
  t.is(problem(EMPTY_SLIP), "empty");
  t.is(problem(two), "no_stake");
  t.is(problem({ ...two, stake: "ten" }), "bad_stake");
  t.is(problem({ ...slipOf(line("m-1"), line("m-1", "away")), mode: "accumulator", stake: "5" }), "same_match");
  t.is(problem({ ...slipOf(line("m-1")), mode: "accumulator", stake: "5" }), "too_few");
  const priced = { ...two, stake: "5" };
  t.is(problem(priced), null);
  const moved = repriced(priced, new Map([["m-1:winner:0:home", 190]]), "better");
  t.is(problem(moved), "changed");
  t.is(problem(accepted(moved)), null);
  t.is(summary(accepted(moved), "BRL").bets[0]?.selections[0]?.odds, 190);
  t.is(problem(repriced(priced, new Map([["m-1:winner:0:home", null]]), "any")), "gone");
});

test("stakes are read as the player types them, never with more decimals than the currency has", (t) => {
  const read = (text: string, currency: string) => readStake(text, currency);
  t.deepEqual(
    ["10", "10,5", "10.50", " 0,01 ", "007"].map((text) => read(text, "BRL")),
    [1_000, 1_050, 1_050, 1, 700],
  );
  t.deepEqual(
    ["", "0", "-5", "1e3", "10,505", "1,2,3", "abc", "9999999999"].map((text) => read(text, "BRL")),
    Array(8).fill(undefined),
  );
  t.deepEqual(
    ["2000", "2.000", "1.000.000", "12.5", "12,5"].map((text) => read(text, "CLP")),
    [2_000, 2_000, 1_000_000, undefined, undefined],
  );
});

test("the text of a quick stake is read as the same amount", (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999_999 }),
      fc.constantFrom("BRL", "USD", "CLP", "ARS"),
      (minor, currency) => readStake(stakeText(minor, currency), currency) === minor,
    ),
  );
  t.pass();
});

test("a known path shows its page; an unknown path shows the whole board", (t) => {
  t.deepEqual(routeOf("/event/liga-do-sol-3?x=1"), { page: "event", id: "liga-do-sol-3" });
  t.deepEqual(routeOf("/sport/tennis"), { page: "board", only: { sport: "tennis" } });
  t.deepEqual(routeOf("/league/costa-open"), { page: "board", only: { league: "costa-open" } });
  t.deepEqual(routeOf("/bets"), { page: "bets" });
  for (const path of ["/", "", "/nowhere", "/sport/chess", "//evil.example", "/event/"])
    t.deepEqual(routeOf(path), { page: "board", only: "all" }, path);
});
