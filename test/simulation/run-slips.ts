import { Ledger } from "../../sandbox/merchant/ledger.ts";
import { MemoryChangeStore } from "../../src/adapters/memory/change-store.ts";
import { MemorySlipStore } from "../../src/adapters/memory/slip-store.ts";
import { MemoryTransactionStore } from "../../src/adapters/memory/transaction-store.ts";
import type { Slip } from "../../src/ports/slip-store.ts";
import { drawFaults, NO_FAULTS } from "./faults.ts";
import { Kernel } from "./kernel.ts";
import { RecordedRows } from "./recorded-rows.ts";
import { Replica } from "./replica.ts";
import { SeededRandom } from "./seeded-random.ts";
import { type Policy, type ServiceProcess, startService } from "./service-process.ts";
import { Database } from "./simulated-store.ts";
import { WalletWorld } from "./simulated-wallet.ts";
import { type Placed, SlipDriver } from "./slip-driver.ts";
import { CountingTelemetry, MERCHANTS, PLAYERS } from "./world-fixture.ts";

/** After healing: what is left behind is taken up, and two of the longest backoffs pass. */
const HEALED_MAX_MS = 1_800_000;
/** A request that was held up, in a process that stood still or by a slow database, has become a slip by then. */
const TAKEN_UP_MS = 10_000;

export interface SlipsReport {
  readonly seed: number;
  /** In words; empty: every slip came to all of its bets or to nothing. */
  readonly violations: readonly string[];
  readonly hash: string;
  readonly counts: ReadonlyMap<string, number>;
}

/** One run of slips on one to three replicas, under any faults until they heal: everything in it follows from the seed. */
export async function runSlips(seed: number): Promise<SlipsReport> {
  const stream = (n: number) => new SeededRandom(seed, n);
  const plan = stream(1);
  // A refund that a blocked player's merchant rejects is the sportsbook's to repeat, not the service's.
  const faults = Object.assign(drawFaults(plan), { blocked: 0 });
  const policy: Policy = {
    walletTimeoutMs: plan.pick([2_000, 8_000]),
    quietPeriodMs: plan.pick([15_000, 30_000, 60_000]),
    horizonMs: 72 * 3_600_000,
    placesPerMerchant: plan.pick([1, 2, 64]),
  };
  const kernel = new Kernel();
  const begunAt = kernel.now;
  const rows = new RecordedRows(kernel);
  const transactions = new MemoryTransactionStore(() => Math.floor(kernel.now), rows);
  const database = new Database(transactions, new MemoryChangeStore(transactions), kernel, faults, stream(2), () => rows.nextStatement());
  const slips = new MemorySlipStore(() => Math.floor(kernel.now));
  const ledger = new Ledger({ tombstones: plan.chance(0.3) });
  for (const { code, currency } of MERCHANTS) {
    ledger.addMerchant(code, currency);
    for (const player of PLAYERS) ledger.addPlayer(code, player, BigInt(plan.int(0, 3_000)));
  }
  const pauseInSendMaxMs = faults.pause === 0 ? 0 : Math.min(faults.pauseMaxMs, 6_000);
  const limits = { pauseInSendMaxMs, lateMaxMs: policy.quietPeriodMs - pauseInSendMaxMs, keepsNotFound: false };
  const wallets = new WalletWorld(ledger, kernel, faults, stream(3), limits);
  const telemetry = new CountingTelemetry();
  const surroundings = { kernel, database, wallets, telemetry, random: stream(4), policy, slips };
  const replicas = Array.from(
    { length: plan.int(1, 3) },
    (_, i) => new Replica<ServiceProcess>(i, kernel, faults, stream(10 + i), (replica) => startService(replica, surroundings)),
  );
  const driver = new SlipDriver(kernel, replicas, faults, stream(5));

  let healed = false;
  const weather = () => {
    if (healed) return;
    database.tick();
    for (const { code } of MERCHANTS) wallets.tick(code, PLAYERS);
    kernel.after(1_000, weather);
  };
  weather();
  let played = false;
  void driver.play(plan.int(3, 12), plan.pick([500, 5_000, 30_000])).then(() => {
    played = true;
  });
  await kernel.run(begunAt + plan.int(20_000, 120_000));
  healed = true;
  Object.assign(faults, NO_FAULTS);
  database.heal();
  wallets.heal();
  await kernel.run(kernel.now + HEALED_MAX_MS, () => played && replicas.every((replica) => replica.isRunning()));
  await kernel.run(kernel.now + TAKEN_UP_MS);
  const isOver = () => driver.slips.every(({ key }) => (slips.peek(key)?.dueAt ?? null) === null);
  await kernel.run(kernel.now + HEALED_MAX_MS, () => isOver() && !rows.hasOpenCredit());
  const hash = rows.digest();
  for (const replica of replicas) replica.stop();
  await kernel.run(Number.POSITIVE_INFINITY);

  const violations = [
    ...driver.bugs,
    ...[...telemetry.counts.keys()].filter((name) => name.startsWith("error")),
    ...driver.slips.flatMap((placed) => judge(placed, slips.peek(placed.key), ledger)),
    ...[...rows.values()].filter(({ transaction }) => transaction.status === "pending").map(({ transaction }) => `${transaction.txId} is pending for ever`),
  ];
  const counts = new Map([...database.fired, ...wallets.fired, ...telemetry.counts, ...verdicts(driver.slips, slips)]);
  counts.set("crash", replicas.flatMap(({ injuries }) => injuries).filter(({ kind }) => kind === "crash").length - replicas.length);
  counts.set("pause", replicas.flatMap(({ injuries }) => injuries).filter(({ kind }) => kind === "pause").length);
  return { seed, violations, hash, counts };
}

/** What a slip came to at the wallet, against what the service says it did. */
function judge({ key, merchant, bets, replies, refundedBy }: Placed, slip: Slip | undefined, ledger: Ledger): string[] {
  const name = `slip ${merchant}/${key.slipId}`;
  const effects = (action: string, id: string) =>
    ledger.effects.filter(
      (effect) => effect.merchant === merchant && effect.action === action && (action === "bet" ? effect.txId : effect.refTxId) === `ACME:${id}`,
    );
  const found: string[] = [];
  const claim = (holds: boolean, what: string) => void (holds || found.push(`${name}: ${what}`));
  const verdict = slip === undefined ? "never opened" : slip.state.status;
  claim(slip === undefined || slip.dueAt === null, `it is not over (${verdict})`);
  for (const reply of replies) {
    if (reply === "pending") claim(slip !== undefined, "it was promised, and is not there");
    if (reply === "success" || reply === "failed") claim(reply === (verdict === "accepted" ? "success" : verdict), `told ${reply}, is ${verdict}`);
  }
  for (const { txId, amountMinor } of bets) {
    const [debits, refunds] = [effects("bet", txId), effects("refund", txId)];
    claim(debits.length <= 1, `${txId} was debited ${debits.length} times`);
    claim(refunds.length <= debits.length, `${txId} was refunded ${refunds.length} times, and debited ${debits.length} times`);
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

/** How many slips came to which end. */
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
