import type { Ledger } from "../../sandbox/merchant/ledger.ts";
import type { Slip } from "../../src/ports/transactions/slip-store.ts";
import type { MemorySlipStore } from "../../testbed/memory/slip-store.ts";
import { SeededRandom } from "../../testbed/seeded-random.ts";
import { checkTimes } from "./judge/check-times.ts";
import type { Mirror } from "./mirror/mirror.ts";
import { type Placed, SlipDriver } from "./people/slip-driver.ts";
import type { Policy } from "./service/service-process.ts";
import { drawFaults } from "./world/faults.ts";
import { Stage } from "./world/stage.ts";

/** The time for healing: the worker takes over abandoned slips, and two of the longest backoffs pass. */
const HEALED_MAX_MS = 1_800_000;
/** After this time every request that a paused process or a slow database delayed has become a slip. */
const TAKEN_UP_MS = 10_000;

export interface SlipsReport {
  readonly seed: number;
  /** Descriptions of the violations. The list is empty if every slip debited all of its bets or none. */
  readonly violations: readonly string[];
  readonly hash: string;
  readonly counts: ReadonlyMap<string, number>;
  /** The number of times that each fault hit each call. */
  readonly cells: ReadonlyMap<string, number>;
}

/**
 * One run of slips on one to three replicas. Any faults may occur until they are switched off. The seed decides
 * everything in it.
 *
 * @param mirror - an empty database that also runs every statement.
 */
export async function runSlips(seed: number, mirror?: Mirror): Promise<SlipsReport> {
  const stream = (n: number) => new SeededRandom(seed, n);
  const plan = stream(1);
  // The merchant of a blocked player rejects the refund. Then the sportsbook must repeat the refund, and the service
  // does not. So no player is blocked here.
  const faults = Object.assign(drawFaults(plan), { blocked: 0 });
  const policy: Policy = {
    walletTimeoutMs: plan.pick([2_000, 8_000]),
    quietPeriodMs: plan.pick([15_000, 30_000, 60_000]),
    horizonMs: 72 * 3_600_000,
    placesPerMerchant: plan.pick([1, 2, 64]),
  };
  const tombstones = plan.chance(0.3);
  const opening = () => BigInt(plan.int(0, 3_000));
  const stage = new Stage({
    seed,
    replicas: plan.int(1, 3),
    faults,
    policy,
    tombstones,
    keepsNotFound: false,
    // A slip whose wallet is slow needs several leases.
    ...(plan.chance(0.3) && { walletFastMs: { min: policy.walletTimeoutMs / 4, max: policy.walletTimeoutMs / 2 } }),
    opening,
    slips: true,
    mirror,
  });
  const { kernel, rows, slips, ledger, replicas, telemetry } = stage;
  const begunAt = kernel.now;
  const driver = new SlipDriver(stage, stream(5));
  let played = false;
  void driver.play(plan.int(3, 12), plan.pick([500, 5_000, 30_000])).then(() => {
    played = true;
  });
  await kernel.run(begunAt + plan.int(20_000, 120_000));
  stage.heal();
  await kernel.run(kernel.now + HEALED_MAX_MS, () => played && replicas.every((replica) => replica.isRunning()));
  await kernel.run(Math.max(kernel.now, stage.database.busyUntil) + TAKEN_UP_MS);
  const isOver = () => driver.slips.every(({ key }) => (slips.peek(key)?.dueAt ?? null) === null);
  await kernel.run(kernel.now + HEALED_MAX_MS, () => isOver() && !rows.hasOpenCredit());
  const hash = rows.digest();
  await stage.end();

  const violations = [
    ...driver.bugs,
    ...[...telemetry.counts.keys()].filter((name) => name.startsWith("error")),
    ...driver.slips.flatMap((placed) => judge(placed, slips.peek(placed.key), ledger)),
    ...checkTimes(rows.writes).map(({ key, what }) => `${key}: ${what}`),
    ...[...rows.values()]
      .filter(({ transaction }) => transaction.status === "pending")
      .map(({ transaction }) => `${transaction.txId} is pending for ever`),
  ];
  const counts = new Map([...stage.counts(), ...verdicts(driver.slips, slips)]);
  const rowsAtEnd = new Map([...rows].map(([key, { transaction, feedSeq }]) => [key, { transaction, feedSeq }]));
  await mirror?.compareEnd({ rows: rowsAtEnd, sums: stage.changes.sums }, stage.clocks.database());
  await mirror?.compareSlips(slips.all(), stage.clocks.database());
  return { seed, violations, hash, counts, cells: stage.fired.cells };
}

/** Compares a slip's effects at the wallet with the service's answer. */
function judge({ key, merchant, bets, replies, refundedBy }: Placed, slip: Slip | undefined, ledger: Ledger): string[] {
  const name = `slip ${merchant}/${key.slipId}`;
  const effects = (action: string, id: string) =>
    ledger.effects.filter(
      (effect) =>
        effect.merchant === merchant &&
        effect.action === action &&
        (action === "bet" ? effect.txId : effect.refTxId) === `ACME:${id}`,
    );
  const found: string[] = [];
  const claim = (holds: boolean, what: string) => void (holds || found.push(`${name}: ${what}`));
  const verdict = slip === undefined ? "never opened" : slip.state.status;
  claim(slip === undefined || slip.dueAt === null, `it is not over (${verdict})`);
  for (const reply of replies) {
    if (reply === "pending") claim(slip !== undefined, "it was promised, and is not there");
    if (reply === "success" || reply === "failed")
      claim(reply === (verdict === "accepted" ? "success" : verdict), `told ${reply}, is ${verdict}`);
  }
  for (const { txId, amountMinor } of bets) {
    const [debits, refunds] = [effects("bet", txId), effects("refund", txId)];
    claim(debits.length <= 1, `${txId} was debited ${debits.length} times`);
    claim(
      refunds.length <= debits.length,
      `${txId} was refunded ${refunds.length} times, and debited ${debits.length} times`,
    );
    claim(
      [...debits, ...refunds].every(({ deltaMinor }) => deltaMinor === amountMinor || deltaMinor === -amountMinor),
      `${txId} moved another amount`,
    );
    if (verdict === "accepted") {
      claim(debits.length === (amountMinor > 0n ? 1 : 0), `accepted, but ${txId} was not debited`);
      claim(refunds.length === 0 || refundedBy.has(txId), `accepted, but ${txId} was refunded`);
    } else claim(debits.length === refunds.length, `${verdict}, but ${txId} was debited and not refunded`);
  }
  return found;
}

/** The number of slips by their end. */
function verdicts(placed: readonly Placed[], slips: MemorySlipStore): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key, bets } of placed) {
    const state = slips.peek(key)?.state;
    const what =
      state?.status === "failed"
        ? `failed: ${state.why.kind} at ${state.at === 0 ? "the first" : state.at === bets.length - 1 ? "the last" : "another"}`
        : (state?.status ?? "never opened");
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return counts;
}
