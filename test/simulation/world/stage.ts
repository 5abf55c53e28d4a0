import { Ledger } from "../../../sandbox/merchant/ledger.ts";
import { MemoryChangeStore } from "../../../testbed/memory/change-store.ts";
import { MemoryRoundStore } from "../../../testbed/memory/round-store.ts";
import { MemorySlipStore } from "../../../testbed/memory/slip-store.ts";
import { MemoryTransactionStore } from "../../../testbed/memory/transaction-store.ts";
import { MemoryTransactionSupport } from "../../../testbed/memory/transaction-support.ts";
import { SeededRandom } from "../../../testbed/seeded-random.ts";
import type { Mirror, Stores } from "../mirror/mirror.ts";
import { mirrored } from "../mirror/mirrored-stores.ts";
import { RecordedRows } from "../service/recorded-rows.ts";
import { type Policy, type ServiceProcess, startService } from "../service/service-process.ts";
import { Database } from "../service/simulated-store.ts";
import { type WalletLimits, WalletWorld } from "../service/simulated-wallet.ts";
import { Clocks, SKEW_MS } from "./clocks.ts";
import { type Faults, NO_FAULTS } from "./faults.ts";
import { Fired } from "./fired.ts";
import { Kernel } from "./kernel.ts";
import { Links, linkToDatabase, linkToProvider, linkToWallet } from "./links.ts";
import { Replica } from "./replica.ts";
import { CountingTelemetry, MERCHANTS, PLAYERS } from "./world-fixture.ts";

/** The longest pause inside a send. After a longer pause the process sends nothing. */
const PAUSE_IN_SEND_MAX_MS = 6_000;
const FORWARD_MAX_MS = 5_000;
const FAST_MS = { min: 5, max: 60 };

export interface StagePlan {
  readonly seed: number;
  readonly replicas: number;
  readonly faults: Faults;
  readonly policy: Policy;
  /** The ledger's setting of this name, see sandbox/merchant/ledger.ts. */
  readonly tombstones: boolean;
  /** The wallets' setting of this name, see simulated-wallet.ts. */
  readonly keepsNotFound: boolean;
  /** See {@link WalletLimits}. */
  readonly walletFastMs?: WalletLimits["fastMs"];
  /** Returns the opening balance of a merchant's players, in minor units. */
  readonly opening: () => bigint;
  /** Whether slips are placed, and abandoned slips are taken over. */
  readonly slips: boolean;
  /** Every statement also runs on this database. */
  readonly mirror?: Mirror | undefined;
}

/** The parts of a run before any request: replicas, database, wallets, the network between them, and random faults. */
export class Stage {
  readonly kernel = new Kernel();
  readonly fired = new Fired();
  readonly telemetry = new CountingTelemetry();
  readonly rows = new RecordedRows(this.kernel);
  readonly faults: Faults;
  readonly clocks: Clocks;
  readonly links: Links;
  readonly changes: MemoryChangeStore;
  readonly slips: MemorySlipStore;
  readonly database: Database;
  readonly ledger: Ledger;
  readonly wallets: WalletWorld;
  readonly replicas: readonly Replica<ServiceProcess>[];
  readonly #random: SeededRandom;
  #calm = false;

  constructor(plan: StagePlan) {
    const { seed, replicas, faults, policy, tombstones, keepsNotFound, opening, slips, mirror } = plan;
    const stream = (n: number) => new SeededRandom(seed, n);
    const numbers = Array.from({ length: replicas }, (_, i) => i);
    const { kernel, fired, rows, telemetry } = this;
    this.faults = faults;
    this.#random = stream(7);
    const forwardMaxMs = faults.dbClockForward === 0 ? 0 : Math.min(FORWARD_MAX_MS, policy.quietPeriodMs / 4);
    this.clocks = new Clocks({ replicas, forwardMaxMs }, kernel, faults, stream(8), fired);
    const names = numbers.flatMap((n) => [
      linkToDatabase(n),
      linkToProvider(n),
      ...MERCHANTS.map(({ code }) => linkToWallet(n, code)),
    ]);
    this.links = new Links(names, kernel, faults, stream(9), fired);
    const now = () => this.clocks.database();
    const rounds = new MemoryRoundStore(now, (round) => rows.roundStored(round));
    const transactions = new MemoryTransactionStore(now, rows, rounds);
    this.changes = new MemoryChangeStore(transactions);
    this.slips = new MemorySlipStore(now);
    const support = new MemoryTransactionSupport(transactions);
    const memory: Stores = {
      transactions,
      changes: this.changes,
      support,
      slips: this.slips,
      rounds,
    };
    const stores = mirror === undefined ? memory : mirrored(memory, mirror, now);
    this.database = new Database(transactions, stores, this, stream(2), (replica) => {
      this.clocks.asking = replica;
      rows.nextStatement();
    });
    this.ledger = new Ledger({ tombstones });
    for (const { code, currency } of MERCHANTS) {
      this.ledger.addMerchant(code, currency);
      for (const player of PLAYERS) this.ledger.addPlayer(code, player, opening());
    }
    // The quiet period is longer than a late request, a pause inside a send, and the error of the database's clocks.
    const pauseInSendMaxMs = faults.pause === 0 ? 0 : Math.min(faults.pauseMaxMs, PAUSE_IN_SEND_MAX_MS);
    const lateMaxMs = policy.quietPeriodMs - pauseInSendMaxMs - forwardMaxMs - (faults.nodeSkew > 0 ? 2 * SKEW_MS : 0);
    const fastMs = plan.walletFastMs ?? FAST_MS;
    const limits = { pauseInSendMaxMs, lateMaxMs, fastMs, keepsNotFound };
    this.wallets = new WalletWorld(this.ledger, this, stream(3), limits);
    const { clocks, database, wallets } = this;
    const surroundings = {
      kernel,
      clocks,
      database,
      wallets,
      telemetry,
      random: stream(4),
      policy,
      placesSlips: slips,
    };
    this.replicas = numbers.map(
      (n) =>
        new Replica<ServiceProcess>(n, kernel, faults, stream(10 + n), fired, (replica) =>
          startService(replica, surroundings),
        ),
    );
    this.#weather();
  }

  /** Causes random faults once a second. */
  #weather(): void {
    if (this.#calm) return;
    this.database.tick();
    this.links.tick();
    this.clocks.tick();
    for (const { code } of MERCHANTS) this.wallets.tick(code, PLAYERS);
    if (this.#random.chance(this.faults.blackout)) this.#blackout();
    this.kernel.after(1_000, () => this.#weather());
  }

  #blackout(): void {
    this.fired.count("blackout");
    if (this.#random.chance(0.5)) this.database.goDown();
    for (const replica of this.replicas) replica.crash();
  }

  /** Ends all faults. Only the clocks keep their errors. */
  heal(): void {
    this.#calm = true;
    Object.assign(this.faults, NO_FAULTS);
    this.database.heal();
    this.wallets.heal();
    this.links.heal();
  }

  /** Kills all replicas. Then the messages on the network arrive. */
  async end(): Promise<void> {
    this.#calm = true;
    for (const replica of this.replicas) replica.stop();
    await this.kernel.run(Number.POSITIVE_INFINITY);
  }

  /** The number of times that each fault and alert happened. */
  counts(): Map<string, number> {
    const processFaults = this.replicas.flatMap((replica) => replica.processFaults);
    const of = (kind: string) => processFaults.filter((one) => one.kind === kind).length;
    // The end of the run kills each replica once more. These kills are not counted.
    return new Map([
      ...this.fired.counts,
      ...this.telemetry.counts,
      ["crash", of("crash") - this.replicas.length],
      ["pause", of("pause")],
    ]);
  }
}
