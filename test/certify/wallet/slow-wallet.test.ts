import test from "ava";
import { nameOf, passOf } from "./passes.ts";

const CODES = {
  INSUFFICIENT_FUNDS: "NO_MONEY",
  PLAYER_NOT_FOUND: "who?",
  PLAYER_BLOCKED: "account_closed",
  TRANSACTION_NOT_FOUND: "404",
  INVALID_SIGNATURE: "forged",
  ALREADY_REVERSED: "",
};

test("a slow wallet with its own codes, additional fields and HTTP 200 for every reply passes with two kinds of warnings", async (t) => {
  t.timeout(480_000);
  // Cases with different players run at the same time, so many players make the pass short. Other tests cover many
  // cases in sequence with one player.
  const players = Array.from({ length: 160 }, (_, i) => `player-${i}`);
  const extra = {
    currency: "BRL",
    trace: { id: 7, balance: -1, ok: false },
    list: [{ balance: "x" }],
    note: 'saldo: "ção" {',
  };
  const habits = { codes: CODES, extra, rejectionStatus: 200, delayMs: 1_000, readsOneSignature: true };
  const { outcomes } = await passOf({ players, habits }, {
    histories: 0,
    atOnce: 1_000,
    blocked: undefined,
    other: undefined,
  } as never);
  const names = (...statuses: string[]): string[] =>
    outcomes.filter(({ status }) => statuses.includes(status)).map(nameOf);
  t.deepEqual(names("failed"), []);
  t.deepEqual(names("warning").sort(), [
    "actions/funds-code",
    "actions/player-code",
    "reversals/refund-unknown-code",
    "reversals/rollback-unknown-code",
    "signature/next-accepted",
    "signature/next-alone",
  ]);
  t.true(names("passed").length > 145);
  t.deepEqual(outcomes.filter(({ unprepared }) => unprepared).map(nameOf), []);
  const slowest = Math.min(
    ...outcomes.flatMap(({ exchanges }) => exchanges).map(({ reply }) => (reply.status === null ? 1_000 : reply.ms)),
  );
  t.true(slowest >= 990, "every reply took its time");
});
