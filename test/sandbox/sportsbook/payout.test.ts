import test from "ava";
import fc from "fast-check";
import type { Outcome } from "../../../sandbox/sportsbook/model/outcome.ts";
import { betResult, type Leg, payoutMinor, potentialMinor } from "../../../sandbox/sportsbook/model/payout.ts";

const stake = fc.bigInt({ min: 1n, max: 10_000_000n });
const leg = (outcomes: readonly Outcome[] = ["won", "half_won", "void", "half_lost", "lost"]) =>
  fc.record({ odds: fc.integer({ min: 101, max: 10_000 }), outcome: fc.constantFrom(...outcomes) });
const legs = (outcomes?: readonly Outcome[]) => fc.array(leg(outcomes), { minLength: 1, maxLength: 20 });

const bet = (stakeMinor: bigint, ...list: readonly [number, Outcome][]) => {
  const all: Leg[] = list.map(([odds, outcome]) => ({ odds, outcome }));
  return [payoutMinor(stakeMinor, all), betResult(all)];
};

test("a bet on one selection pays by the selection's outcome, rounded down to whole minor units", (t) => {
  t.deepEqual(bet(10_00n, [185, "won"]), [18_50n, "won"]);
  t.deepEqual(bet(333n, [185, "won"]), [616n, "won"], "616.05 is cut to the minor unit");
  t.deepEqual(bet(1_001n, [150, "won"]), [1_501n, "won"], "1501.5 pesos are 1501");
  t.deepEqual(bet(10_00n, [185, "lost"]), [0n, "lost"]);
  t.deepEqual(bet(10_00n, [185, "void"]), [10_00n, "void"]);
  t.deepEqual(bet(10_00n, [185, "half_won"]), [14_25n, "won"], "half at 1.85, half returned");
  t.deepEqual(bet(10_00n, [185, "half_lost"]), [5_00n, "partly_returned"]);
  t.deepEqual(bet(1n, [185, "half_lost"]), [0n, "partly_returned"], "half a peso can't be paid");
});

test("an accumulator multiplies its odds, a void leg counts as one, and a lost leg loses everything", (t) => {
  t.deepEqual(bet(10_00n, [200, "won"], [150, "won"], [133, "won"]), [39_90n, "won"]);
  t.deepEqual(bet(10_00n, [200, "won"], [150, "void"]), [20_00n, "won"]);
  t.deepEqual(bet(10_00n, [200, "won"], [150, "half_lost"]), [10_00n, "partly_returned"]);
  t.deepEqual(bet(10_00n, [200, "void"], [150, "void"]), [10_00n, "void"]);
  t.deepEqual(bet(10_00n, [200, "won"], [150, "lost"], [300, "void"]), [0n, "lost"]);
  t.deepEqual(bet(333n, [133, "won"], [133, "won"], [133, "won"]), [783n, "won"], "783.42… is cut once, at the end");
});

test("the paid amount is the exact return, cut by less than one minor unit", (t) => {
  const factor = ({ odds, outcome }: Leg): bigint =>
    BigInt({ won: 2 * odds, half_won: odds + 100, void: 200, half_lost: 100, lost: 0 }[outcome]);
  fc.assert(
    fc.property(stake, legs(), (minor, all) => {
      const exact = all.reduce((product, one) => product * factor(one), minor);
      const scale = 200n ** BigInt(all.length);
      const cut = exact - payoutMinor(minor, all) * scale;
      return cut >= 0n && cut < scale;
    }),
  );
  t.pass();
});

test("the order of the legs changes no result, and a void leg changes no result", (t) => {
  fc.assert(
    fc.property(stake, legs(), leg(["void"]), (minor, all, nothing) => {
      const paid = payoutMinor(minor, all);
      return payoutMinor(minor, all.toReversed()) === paid && payoutMinor(minor, [...all, nothing]) === paid;
    }),
  );
  t.pass();
});

test("the betslip shows exactly the amount that is paid if every selection wins", (t) => {
  fc.assert(
    fc.property(
      stake,
      legs(["won"]),
      (minor, all) =>
        potentialMinor(
          minor,
          all.map(({ odds }) => odds),
        ) === payoutMinor(minor, all),
    ),
  );
  t.pass();
});
