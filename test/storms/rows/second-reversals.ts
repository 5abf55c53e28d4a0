import type { Content } from "../../../src/domain/transaction/transaction.ts";
import { APPLIED_500, APPLIED_SILENT, NEVER_APPLIED_500, OK, REJECTS } from "../../../testbed/wallet/behaviour.ts";
import type { Row } from "../row.ts";
import { type Run, words } from "../run.ts";

const NOT_FOUND = "failed TRANSACTION_NOT_FOUND";
const REVERSED = "TRANSACTION_REVERSED";

/** One case: a request that contradicts the transaction that it reverses. */
type Case = (run: Run) => Promise<void>;

/**
 * Two concurrent reversals of one original with two ids. Only one of them reaches the wallet, and both get its result
 * and its id.
 */
const twice =
  (action: "bet" | "win", reversal: "refund" | "rollback"): Case =>
  async (run) => {
    const original = run.content(action, "o");
    // A rejected win is judged again when it is repeated, so it proves nothing about its rollback.
    await run.script(
      original,
      run.random.pick([OK, OK, APPLIED_SILENT, APPLIED_500, NEVER_APPLIED_500, ...(action === "bet" ? [REJECTS] : [])]),
    );
    await run.ask(original);
    const [a, b] = [run.content(reversal, "r1", "o"), run.content(reversal, "r2", "o")];
    await run.script(
      run.random.pick([a, b]),
      run.random.pick([OK, NEVER_APPLIED_500, APPLIED_500, { ...OK, afterMs: 200 }]),
    );
    await Promise.all([
      run.repeatUntilFinal(a),
      run.repeatUntilFinal(b),
      run.repeatUntilFinal(a),
      run.repeatUntilFinal(b),
    ]);
    const outcomes = [await run.repeatUntilFinal(a), await run.repeatUntilFinal(b)];
    for (const outcome of outcomes)
      run.expect(["success", NOT_FOUND].includes(words(outcome)), a, `told ${words(outcome)}`);
    const ids = new Set(
      outcomes.map((outcome) => (outcome.kind === "ok" ? `${outcome.txId} ${words(outcome)}` : words(outcome))),
    );
    run.expect(ids.size === 1, original, `two answers for its one ${reversal}: ${[...ids].join(", ")}`);
    run.afterwards(({ calls, effects, reversals }) => {
      const ofOriginal = reversals(original);
      run.expect(ofOriginal.length < 2, original, `reversed ${ofOriginal.length} times`, "I7");
      run.expect(calls(a).length === 0 || calls(b).length === 0, original, "both of its reversals were sent", "I7");
      const net = [...effects(original), ...ofOriginal].reduce((sum, { deltaMinor }) => sum + deltaMinor, 0n);
      run.expect(net === 0n, original, `comes to ${net} with its ${reversal}`, "I7");
    });
  };

/** A transaction that exists before the case begins. */
type First = readonly ["bet" | "win" | "refund", string, string | null];

/**
 * A request that contradicts the transaction in its ref_tx_id is refused with the wrong field's name, and never reaches
 * the wallet.
 */
const refused =
  (first: readonly First[], wrong: (run: Run) => Content, field: string): Case =>
  async (run) => {
    for (const [action, name, ref] of first) await run.repeatUntilFinal(run.content(action, name, ref));
    const reversal = wrong(run);
    const sessionId = reversal.playerId === run.player.playerId ? run.player.sessionId : run.neighbour.sessionId;
    const outcomes = await Promise.all([
      run.repeatUntilFinal(reversal, sessionId),
      run.repeatUntilFinal(reversal, sessionId),
    ]);
    for (const outcome of outcomes)
      run.expect(words(outcome) === `TRANSACTION_MISMATCH ${field}`, reversal, `told ${words(outcome)}`, "I8");
    run.afterwards(({ calls }) => run.expect(calls(reversal).length === 0, reversal, "sent", "I2"));
  };

const BET: readonly First[] = [["bet", "o", null]];

const CASES: readonly Case[] = [
  twice("bet", "refund"),
  twice("win", "rollback"),
  refused([...BET, ["refund", "f", "o"]], (run) => run.content("refund", "x", "f"), "ref_tx_id"),
  refused([["win", "o", null]], (run) => run.content("refund", "x", "o"), "ref_tx_id"),
  refused(BET, (run) => run.content("rollback", "x", "o"), "ref_tx_id"),
  refused(BET, (run) => run.content("refund", "x", "o", 249n), "amount"),
  refused(
    BET,
    (run) => ({ ...run.content("refund", "x", "o"), playerId: run.neighbour.playerId as Content["playerId"] }),
    "player_id",
  ),
  unknownWin,
  winAndRollback,
  winAfterRefund,
];

/** Row D7 of docs/notebook/reliability.md. */
export const SECOND_REVERSALS: Row = {
  id: "D7",
  what: "second reversals, reversals of what can't be reversed, a rollback before its win, a win after its bet's refund",
  runs: 200,
  briefly: CASES.length,
  atOnce: 20,
  run: (run) => (CASES[run.n % CASES.length] as Case)(run),
};

async function unknownWin(run: Run): Promise<void> {
  const [win, rollback] = [run.content("win", "o"), run.content("rollback", "r", "o")];
  const outcomes = [
    await run.repeatUntilFinal(rollback),
    await run.repeatUntilFinal(win),
    await run.repeatUntilFinal(rollback),
  ]
    .map(words)
    .join(", ");
  run.expect(
    outcomes === [NOT_FOUND, REVERSED, NOT_FOUND].join(", "),
    win,
    `rollback, win and rollback were told ${outcomes}`,
  );
  run.afterwards(({ calls }) => run.expect(calls(win).length === 0, win, "sent after its rollback", "I7"));
}

/** Sends a win and its rollback at the same time to two replicas. Either of them may arrive first. */
async function winAndRollback(run: Run): Promise<void> {
  const [win, rollback] = [run.content("win", "o"), run.content("rollback", "r", "o")];
  await run.script(win, run.random.pick([OK, { ...OK, judgedAfterMs: 200 }]));
  const [first, back] = await Promise.all([run.repeatUntilFinal(win), run.repeatUntilFinal(rollback)]);
  run.expect(["success", NOT_FOUND, REVERSED].includes(words(first)), win, `told ${words(first)}`);
  run.expect(["success", NOT_FOUND].includes(words(back)), rollback, `told ${words(back)}`);
  const later = words(await run.repeatUntilFinal(win));
  run.expect(later === REVERSED || later === NOT_FOUND, win, `told ${later} after its rollback was ${words(back)}`);
  run.afterwards(({ effects }) => {
    const net = [...effects(win), ...effects(rollback)].reduce((sum, { deltaMinor }) => sum + deltaMinor, 0n);
    run.expect(net === 0n, win, `comes to ${net} with its rollback`, "I7");
  });
}

/** A win is accepted after the refund of a bet of its round, because a round may have several bets. */
async function winAfterRefund(run: Run): Promise<void> {
  const bet = run.content("bet", "o");
  const win: Content = { ...run.content("win", "w", null, 700n), roundId: bet.roundId };
  const outcomes = [
    await run.repeatUntilFinal(bet),
    await run.repeatUntilFinal(run.content("refund", "r", "o")),
    await run.repeatUntilFinal(win),
  ]
    .map(words)
    .join(", ");
  run.expect(outcomes === "success, success, success", win, `bet, refund and win were told ${outcomes}`);
  run.afterwards(({ effects }) => run.expect(effects(win).length === 1, win, `${effects(win).length} effects`, "I1"));
}
