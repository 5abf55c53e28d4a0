import test from "ava";
import fc from "fast-check";
import { marketsOf, readSelection } from "../../../sandbox/sportsbook/model/markets.ts";
import { type Outcome, outcomeOf } from "../../../sandbox/sportsbook/model/outcome.ts";
import { finalScores, type MatchState, SPORTS } from "../../../sandbox/sportsbook/model/scores.ts";

const score = fc.record({ home: fc.nat({ max: 9 }), away: fc.nat({ max: 9 }) });
const MIRROR: Readonly<Record<Outcome, Outcome>> = {
  won: "lost",
  half_won: "half_lost",
  void: "void",
  half_lost: "half_won",
  lost: "won",
};

test("each market is settled from the final score", (t) => {
  const twoOne = { home: 2, away: 1 };
  const oneOne = { home: 1, away: 1 };
  const outcome = (
    kind: Parameters<typeof outcomeOf>[0]["kind"],
    line: number,
    pick: Parameters<typeof outcomeOf>[1],
    final = twoOne,
  ) => outcomeOf({ kind, line }, pick, final);
  t.deepEqual(
    [outcome("result", 0, "home"), outcome("result", 0, "draw"), outcome("result", 0, "draw", oneOne)],
    ["won", "lost", "won"],
  );
  t.deepEqual([outcome("double_chance", 0, "home_draw"), outcome("double_chance", 0, "draw_away")], ["won", "lost"]);
  t.deepEqual([outcome("draw_no_bet", 0, "away"), outcome("draw_no_bet", 0, "away", oneOne)], ["lost", "void"]);
  t.deepEqual(
    [
      outcome("both_score", 0, "yes"),
      outcome("both_score", 0, "no"),
      outcome("both_score", 0, "no", { home: 2, away: 0 }),
    ],
    ["won", "lost", "won"],
  );
  t.deepEqual(
    [outcome("total", 10, "over"), outcome("total", 12, "over"), outcome("total", 14, "over")],
    ["won", "void", "lost"],
  );
});

test("a bet on a quarter line can win, return or lose half of the stake", (t) => {
  const level = { home: 1, away: 1 };
  t.is(outcomeOf({ kind: "handicap", line: -1 }, "home", level), "half_lost", "-0.25 on a draw");
  t.is(outcomeOf({ kind: "handicap", line: -1 }, "away", level), "half_won", "+0.25 on a draw");
  t.is(outcomeOf({ kind: "handicap", line: -3 }, "home", { home: 2, away: 1 }), "half_won", "-0.75, won by one");
  t.is(outcomeOf({ kind: "total", line: 9 }, "over", { home: 2, away: 0 }), "half_lost", "over 2.25, two goals");
  t.is(outcomeOf({ kind: "total", line: 9 }, "under", { home: 2, away: 0 }), "half_won", "under 2.25, two goals");
});

test("the two sides of a line have opposite results", (t) => {
  fc.assert(
    fc.property(score, fc.integer({ min: -20, max: 40 }), (final, line) => {
      const over = outcomeOf({ kind: "total", line }, "over", final);
      const home = outcomeOf({ kind: "handicap", line }, "home", final);
      return (
        outcomeOf({ kind: "total", line }, "under", final) === MIRROR[over] &&
        outcomeOf({ kind: "handicap", line }, "away", final) === MIRROR[home]
      );
    }),
  );
  t.pass();
});

test("in every sport a bet on any selection returns 93 to 100.5 percent of its stake on average, while at least a twentieth of the match is left", (t) => {
  const RETURN: Readonly<Record<Outcome, (odds: number) => number>> = {
    won: (odds) => odds / 100,
    half_won: (odds) => (odds / 100 + 1) / 2,
    void: () => 1,
    half_lost: () => 0.5,
    lost: () => 0,
  };
  const state = fc.record({
    edge: fc.double({ min: -1, max: 1, noNaN: true }),
    left: fc.double({ min: 0.05, max: 1, noNaN: true }),
  });
  for (const sport of SPORTS) {
    fc.assert(
      fc.property(state, fc.record({ home: fc.nat({ max: 1 }), away: fc.nat({ max: 1 }) }), ({ edge, left }, now) => {
        const match: MatchState = { sport, edge, left, score: now };
        const scores = finalScores(match);
        for (const market of marketsOf("m-1", match, { sport, edge, left: 1, score: { home: 0, away: 0 } })) {
          for (const { pick, odds } of market.offers) {
            if (odds === null) continue;
            const mean = scores.reduce(
              (sum, final) => sum + final.chance * RETURN[outcomeOf(market, pick, final)](odds),
              0,
            );
            // The bounds are not exact, because prices are rounded to hundredths.
            if (mean < 0.93 || mean > 1.005) return false;
          }
        }
        return true;
      }),
      { numRuns: sport === "basketball" ? 10 : 60 },
    );
  }
  t.pass();
});

test("a selection can be read from its id, and any other text is refused", (t) => {
  t.deepEqual(readSelection("liga-do-sol-0:handicap:-3:home"), {
    event: "liga-do-sol-0",
    market: { kind: "handicap", line: -3 },
    pick: "home",
  });
  for (const id of [
    "",
    "x",
    "liga-do-sol-0:result:0:over",
    "liga-do-sol-0:nothing:0:home",
    "liga-do-sol-0:constructor:0:home",
    "a:result:0:home:more",
  ]) {
    t.is(readSelection(id), undefined, id);
  }
});
