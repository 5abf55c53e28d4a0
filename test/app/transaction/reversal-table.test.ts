/**
 * The table in docs/specification/reversals.md#rev-table, end to end. Each row has the wallet's answer to a reversal,
 * and the final states of the reversal and of the transaction that it names.
 */
import test from "ava";
import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import { ResendWorker } from "../../../src/app/transaction/resend-worker.ts";
import type { Action } from "../../../src/domain/transaction/transaction.ts";
import { type ScriptedAnswer, startScriptedWallet } from "../../../testbed/callers/scripted-wallet.ts";
import { pause, startEngine, type TransactionFields } from "../../../testbed/in-process/engine.ts";

/**
 * Times that no stall of a busy machine reaches. A test lets the quiet period pass by moving the database's clock, and
 * {@link QuickClock} ends silent calls.
 */
const QUIET_MS = 20_000;
const WALLET_TIMEOUT_MS = 60_000;
const CALLER_WAITS_MS = 90_000;
const PAIRS = { bet: "refund", win: "rollback" } as const;
type Original = keyof typeof PAIRS;

/** The system's clock, but a test may end the time-out of wallet calls early. */
class QuickClock extends SystemClock {
  readonly #timeouts = new Set<() => void>();

  override after(ms: number, run: () => void): () => void {
    const cancel = super.after(ms, run);
    if (ms !== WALLET_TIMEOUT_MS) return cancel;
    this.#timeouts.add(run);
    return () => {
      this.#timeouts.delete(run);
      cancel();
    };
  }

  /** Ends the wallet calls in progress as if their time-out had passed. */
  readonly endCalls = (): void => {
    for (const end of [...this.#timeouts]) end();
  };
}

async function startScripted() {
  const clock = new QuickClock();
  const scriptedWallet = await startScriptedWallet("ACME", clock.endCalls);
  const engine = await startEngine({
    walletTimeoutMs: WALLET_TIMEOUT_MS,
    quietPeriodMs: QUIET_MS,
    walletUrl: scriptedWallet.url,
    clock,
  });
  return {
    ...engine,
    scriptedWallet,
    request: (action: Action, id: string, fields: TransactionFields = {}) =>
      engine.request(action, id, fields, CALLER_WAITS_MS),
    passQuietPeriod(): void {
      engine.database.aheadMs += QUIET_MS + 20;
    },
    /** The alerts since the last call of this function. */
    alerts: () => engine.telemetry.alerts.splice(0).map(({ name }) => name),
    async statuses(): Promise<(string | undefined)[]> {
      const rows = await Promise.all([engine.row("o"), engine.row("r")]);
      return rows.map((row) => (row?.status === "failed" ? `failed:${row.error}` : row?.status));
    },
    async close() {
      await engine.close();
      await scriptedWallet.close();
    },
  };
}

interface Row {
  /** The wallet's answers to the original's attempts, in the order of the attempts; empty: the original never came. */
  readonly original: readonly ScriptedAnswer[];
  readonly reversal: ScriptedAnswer;
  /** Whether the quiet period passes before the reversal is requested. A rollback is not sent before. */
  readonly quiet?: boolean;
  /**
   * The reversal's answer, the original's status, the reversal's status, and the answer to a later repeat of the
   * original.
   */
  readonly then: readonly [string, string, string, string];
  /** Alerts apart from that of a failed credit, which a failed refund raises and a failed rollback does not. */
  readonly alerts?: readonly string[];
  readonly only?: Original;
}

const NOT_FOUND = "TRANSACTION_NOT_FOUND";
const TABLE: Record<string, Row> = {
  "accepts the reversal of an original that succeeded": {
    original: ["accepted"],
    reversal: "accepted",
    then: ["success", "success", "success", "TRANSACTION_REVERSED"],
  },
  "accepts the reversal of an original that it did not answer": {
    original: ["silent"],
    quiet: true,
    reversal: "accepted",
    then: ["success", "success", "success", "TRANSACTION_REVERSED"],
  },
  "accepts the reversal of an original that it rejected": {
    original: ["PLAYER_BLOCKED"],
    reversal: "accepted",
    then: ["success", "success", "success", "failed:PLAYER_BLOCKED"],
    alerts: ["reversal_contradicts"],
  },
  "accepts the reversal of an original that never came": {
    original: [],
    reversal: "accepted",
    then: ["success", "success", "success", "TRANSACTION_REVERSED"],
    alerts: ["reversal_contradicts"],
  },
  "answers TRANSACTION_NOT_FOUND after the quiet period of an original that it did not answer": {
    original: ["silent"],
    quiet: true,
    reversal: NOT_FOUND,
    then: [`failed:${NOT_FOUND}`, `failed:${NOT_FOUND}`, `failed:${NOT_FOUND}`, `failed:${NOT_FOUND}`],
  },
  "answers TRANSACTION_NOT_FOUND during the quiet period of an original that it did not answer": {
    original: ["silent"],
    reversal: NOT_FOUND,
    only: "bet",
    then: ["pending", "pending", "pending", "pending"],
  },
  "answers TRANSACTION_NOT_FOUND during the quiet period of an original that it rejected after a silent attempt": {
    original: ["silent", "PLAYER_BLOCKED"],
    reversal: NOT_FOUND,
    only: "bet",
    then: ["pending", "failed:PLAYER_BLOCKED", "pending", "failed:PLAYER_BLOCKED"],
  },
  "answers TRANSACTION_NOT_FOUND after the quiet period of an original that it rejected after a silent attempt": {
    original: ["silent", "PLAYER_BLOCKED"],
    quiet: true,
    reversal: NOT_FOUND,
    then: [`failed:${NOT_FOUND}`, "failed:PLAYER_BLOCKED", `failed:${NOT_FOUND}`, "failed:PLAYER_BLOCKED"],
  },
  "answers TRANSACTION_NOT_FOUND to the reversal of an original that it rejected at once": {
    original: ["PLAYER_BLOCKED"],
    reversal: NOT_FOUND,
    then: [`failed:${NOT_FOUND}`, "failed:PLAYER_BLOCKED", `failed:${NOT_FOUND}`, "failed:PLAYER_BLOCKED"],
  },
  "answers TRANSACTION_NOT_FOUND to the reversal of an original that succeeded": {
    original: ["accepted"],
    reversal: NOT_FOUND,
    then: [`failed:${NOT_FOUND}`, "success", `failed:${NOT_FOUND}`, "success"],
    alerts: ["reversal_contradicts"],
  },
  "answers TRANSACTION_NOT_FOUND to the reversal of an original that never came": {
    original: [],
    reversal: NOT_FOUND,
    then: [`failed:${NOT_FOUND}`, "void", `failed:${NOT_FOUND}`, "TRANSACTION_REVERSED"],
  },
  "rejects with another code the reversal of an original that succeeded": {
    original: ["accepted"],
    reversal: "LIMIT",
    then: ["failed:LIMIT", "success", "failed:LIMIT", "success"],
  },
  "rejects with another code the reversal of an original that it did not answer": {
    original: ["silent"],
    quiet: true,
    reversal: "LIMIT",
    only: "bet",
    then: ["failed:LIMIT", "pending", "failed:LIMIT", "pending"],
    alerts: ["original_stuck"],
  },
  "does not answer the reversal of an original that succeeded": {
    original: ["accepted"],
    reversal: "silent",
    then: ["pending", "success", "pending", "pending"],
  },
};

for (const original of ["bet", "win"] as const) {
  const reversal = PAIRS[original];
  for (const [what, row] of Object.entries(TABLE)) {
    if (row.only !== undefined && row.only !== original) continue;
    test(`a ${original} and its ${reversal} have the statuses of the specification's table if the wallet ${what}`, async (t) => {
      const engine = await startScripted();
      t.teardown(engine.close);
      engine.scriptedWallet.setAnswers("o", ...row.original);
      for (const _ of row.original) await engine.request(original, "o");
      if (row.quiet === true) engine.passQuietPeriod();
      engine.alerts();
      engine.scriptedWallet.setAnswers("r", row.reversal);
      const answer = await engine.request(reversal, "r", { ref: "o" });
      const [originally, reversed] = await engine.statuses();
      const calls = engine.scriptedWallet.calls("o");
      t.deepEqual([answer, originally, reversed, await engine.request(original, "o")], row.then as unknown as string[]);
      t.is(engine.scriptedWallet.calls("o"), calls, "the original is not called once its reversal has started");
      const credit = reversal === "refund" && answer.startsWith("failed") ? ["credit_failed"] : [];
      t.deepEqual(engine.alerts(), [...credit, ...(row.alerts ?? [])]);
    });
  }
}

test("a repeat of a win calls the wallet again after its rollback was rejected with another code than TRANSACTION_NOT_FOUND", async (t) => {
  const engine = await startScripted();
  t.teardown(engine.close);
  engine.scriptedWallet.setAnswers("o", "silent", "accepted");
  t.is(await engine.request("win", "o"), "pending");
  engine.passQuietPeriod();
  engine.scriptedWallet.setAnswers("r", "LIMIT");
  t.is(await engine.request("rollback", "r", { ref: "o" }), "failed:LIMIT");
  t.is(await engine.request("win", "o"), "success");
  t.is(await engine.request("rollback", "r", { ref: "o" }), "failed:LIMIT");
  t.is(engine.scriptedWallet.calls("r"), 1);
});

test("the service sends a win again after its rollback was rejected, when no late copy of the rollback can reach the wallet any more", async (t) => {
  const engine = await startScripted();
  t.teardown(engine.close);
  const random = { fraction: () => 0, token: () => "", uuid: () => "" };
  const worker = new ResendWorker(
    engine.store,
    engine.transact,
    engine.permits,
    () => [1],
    engine.clock,
    random,
    engine.telemetry,
    4_000,
  );
  engine.scriptedWallet.setAnswers("o", "silent", "accepted");
  t.is(await engine.request("win", "o"), "pending");
  engine.passQuietPeriod();
  engine.scriptedWallet.setAnswers("r", "silent", "LIMIT");
  t.is(await engine.request("rollback", "r", { ref: "o" }), "pending");
  // The worker checks the held win once, and sets a later due time.
  await engine.transact.resend(engine.content("win", "o"));
  const heldUntil = (await engine.row("o"))?.nextAt ?? 0;
  t.true(heldUntil > Date.now() + engine.database.aheadMs + 50_000, String(heldUntil));
  t.is(await engine.request("rollback", "r", { ref: "o" }), "failed:LIMIT");
  const rollback = await engine.row("r");
  const quietAt = (rollback?.silentAt ?? 0) + QUIET_MS;
  const dueAt = (await engine.row("o"))?.nextAt ?? 0;
  t.true(Math.abs(dueAt - quietAt) < 5_000, `${dueAt - quietAt}`);
  // A check that comes too early sets the same due time again, not a time a minute later.
  engine.database.aheadMs = dueAt - Date.now() - 10_000;
  const early = engine.store.rows.get("1/ACME:o");
  if (early !== undefined)
    engine.store.rows.set("1/ACME:o", { ...early, transaction: { ...early.transaction, nextAt: 0 } });
  await engine.transact.resend(engine.content("win", "o"));
  t.is(engine.scriptedWallet.calls("o"), 1);
  const setAt = (await engine.row("o"))?.nextAt ?? 0;
  t.true(Math.abs(setAt - quietAt) < 5_000, `${setAt - quietAt}`);
  engine.database.aheadMs = setAt - Date.now() - 300;
  worker.start();
  t.teardown(() => worker.stop());
  while ((await engine.row("o"))?.status !== "success") await pause(20);
  t.is(engine.scriptedWallet.calls("o"), 2);
  t.true(((await engine.row("o"))?.updatedAt ?? 0) >= quietAt);
});

test("when a second refund of a bet comes, the failed first refund is sent again under its own id", async (t) => {
  const engine = await startScripted();
  t.teardown(engine.close);
  engine.scriptedWallet.setAnswers("r", "LIMIT", "accepted");
  t.is(await engine.request("bet", "o"), "success");
  t.is(await engine.request("refund", "r", { ref: "o" }), "failed:LIMIT");
  t.like(await engine.ask("refund", "again", { ref: "o" }), { ok: true, value: { status: "success", txId: "ACME:r" } });
  t.deepEqual([engine.scriptedWallet.calls("r"), engine.scriptedWallet.calls("again")], [2, 0]);
});

test("a win that is rejected after a silent attempt raises the alert credit_failed_after_silence, and a repeat sends it again", async (t) => {
  const engine = await startScripted();
  t.teardown(engine.close);
  engine.scriptedWallet.setAnswers("o", "silent", "PLAYER_BLOCKED", "accepted");
  t.deepEqual(
    [await engine.request("win", "o"), await engine.request("win", "o")],
    ["pending", "failed:PLAYER_BLOCKED"],
  );
  t.deepEqual(engine.alerts(), ["credit_failed_after_silence"]);
  t.is(await engine.request("win", "o"), "success");
});
