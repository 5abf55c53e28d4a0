import type { Content } from "../../../src/domain/transaction/transaction.ts";
import {
  APPLIED_500,
  APPLIED_SILENT,
  type Behaviour,
  NEVER_APPLIED,
  NEVER_APPLIED_500,
  OK,
  REJECTS,
} from "../../../testbed/wallet/behaviour.ts";
import type { Row } from "../row.ts";
import { pause, type Run } from "../run.ts";
import { refundOf } from "../sportsbook.ts";

const BETS = 5;
const COPIES = 3;
const PATIENCE_MS = 100_000;
const PAUSE_MS = 200;
/** The ways in which one bet ends a slip: it is rejected, gets no answer, or lands late. */
const ENDS: readonly Behaviour[] = [
  REJECTS,
  REJECTS,
  APPLIED_SILENT,
  NEVER_APPLIED,
  APPLIED_500,
  NEVER_APPLIED_500,
  { ...OK, judgedAfterMs: 2_500 },
];

/** Row D8 of docs/notebook/reliability.md. */
export const BETSLIPS: Row = {
  id: "D8",
  what: "slips of five bets, copies over three replicas, one bet rejected or without an answer",
  runs: 200,
  briefly: 4,
  atOnce: 20,
  async run(run) {
    const bets = Array.from({ length: BETS }, (_, i) => betOf(run, i));
    // In some runs the bets have no fault.
    const end = run.random.chance(0.1) ? BETS : run.random.int(0, BETS - 1);
    if (end < BETS) await run.script(bets[end] as Content, run.random.pick(ENDS));
    const outcomes = await Promise.all(Array.from({ length: COPIES }, () => placed(run, bets)));
    const verdict = outcomes[0] ?? "";
    run.expect(new Set(outcomes).size === 1, bets[0] as Content, `the slip's copies were told ${outcomes.join(", ")}`);
    // An overloaded replica may refuse a bet. Then the slip fails, too.
    run.expect(
      verdict === "failed" || (verdict === "success" && end === BETS),
      bets[0] as Content,
      `told ${verdict}, its bet ${end} fails`,
    );
    run.afterwards(({ calls, effects }) => {
      const net = bets
        .flatMap((bet) => [...effects(bet), ...effects(refundOf(bet))])
        .reduce((sum, { deltaMinor }) => sum + deltaMinor, 0n);
      const due = verdict === "success" ? -bets.reduce((sum, { amountMinor }) => sum + amountMinor, 0n) : 0n;
      run.expect(net === due, bets[0] as Content, `a slip that was told ${verdict} comes to ${net}`, "I7");
      for (const bet of bets.slice(end + 1))
        run.expect(calls(bet).length === 0, bet, "sent although a bet before it had ended the slip", "I2");
    });
  },
};

function betOf(run: Run, i: number): Content {
  const { guest } = run.stage.sportsbook;
  return {
    ...run.content("bet", `b${i}`, null, 100n * BigInt(i + 1)),
    game: guest.game,
    txId: run.wire(guest.code, `b${i}`),
    roundId: run.id(`round ${i}`),
  };
}

/** Repeats the slip until it has ended. */
async function placed(run: Run, bets: readonly Content[]): Promise<string> {
  for (const until = performance.now() + PATIENCE_MS; ; await pause(PAUSE_MS)) {
    const outcome = await run.place(run.id("slip"), bets);
    if (outcome === "success" || outcome === "failed" || performance.now() > until) return outcome;
  }
}
