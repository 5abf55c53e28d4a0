/** The service's own classes, connected as in the service's container, but with simulated ports. */
import { Support } from "../../../src/app/admin/support.ts";
import { LoadShedder } from "../../../src/app/capacity/load-shedder.ts";
import { WalletPermits } from "../../../src/app/capacity/wallet-permits.ts";
import { Sequencer } from "../../../src/app/feed/sequencer.ts";
import { RoundEnds } from "../../../src/app/rounds/round-ends.ts";
import { Settings } from "../../../src/app/runtime/settings.ts";
import { type PlaceBetslip, PlaceBetslipThroughWallet } from "../../../src/app/sportsbook/place-betslip.ts";
import { SlipWorker } from "../../../src/app/sportsbook/slip-worker.ts";
import { Slips } from "../../../src/app/sportsbook/slips.ts";
import { Attempt } from "../../../src/app/transaction/attempt.ts";
import { BatchedRows } from "../../../src/app/transaction/batched-rows.ts";
import { type MoveMoney, MoveMoneyThroughWallet } from "../../../src/app/transaction/move-money.ts";
import { Play } from "../../../src/app/transaction/play.ts";
import { PlayerLookup } from "../../../src/app/transaction/player-lookup.ts";
import { QueryBalanceOfWallet } from "../../../src/app/transaction/query-balance.ts";
import { ResendTransaction } from "../../../src/app/transaction/resend-transaction.ts";
import { ResendWorker } from "../../../src/app/transaction/resend-worker.ts";
import { ReverseTransaction } from "../../../src/app/transaction/reverse-transaction.ts";
import { Transact } from "../../../src/app/transaction/transact.ts";
import type { GameRef } from "../../../src/domain/transaction/transaction.ts";
import { Clock } from "../../../src/ports/clock.ts";
import { Random } from "../../../src/ports/random.ts";
import type { SeededRandom } from "../../../testbed/seeded-random.ts";
import type { Clocks } from "../world/clocks.ts";
import type { Kernel } from "../world/kernel.ts";
import type { Life, Replica } from "../world/replica.ts";
import {
  type CountingTelemetry,
  fixedSessions,
  fixedSettings,
  GAMES,
  noAdminStore,
  PROVIDER,
} from "../world/world-fixture.ts";
import { type Database, simulatedStores } from "./simulated-store.ts";
import { SimulatedWallet, type WalletWorld } from "./simulated-wallet.ts";

export interface Policy {
  readonly walletTimeoutMs: number;
  readonly quietPeriodMs: number;
  readonly horizonMs: number;
  readonly placesPerMerchant: number;
}

export interface ServiceProcess {
  readonly moveMoney: MoveMoney;
  readonly plays: Play;
  readonly reversals: ReverseTransaction;
  readonly placeBetslip: PlaceBetslip;
  readonly ends: RoundEnds;
  readonly resendTransaction: ResendTransaction;
  readonly support: Support;
  readonly clock: Clock;
}

export interface Surroundings {
  readonly kernel: Kernel;
  readonly clocks: Clocks;
  readonly database: Database;
  readonly wallets: WalletWorld;
  readonly telemetry: CountingTelemetry;
  readonly random: SeededRandom;
  readonly policy: Policy;
  /** Whether slips are placed. If so, a worker searches for abandoned slips. */
  readonly placesSlips: boolean;
}

const SESSION_MS = 24 * 3_600_000;
const MAX_IN_FLIGHT = 4_000;
/** The game of the slips: the first game of the only provider. */
const GAME: GameRef = { id: GAMES[0].id, code: GAMES[0].code, providerId: PROVIDER.id, provider: PROVIDER.code };

/** Starts one life of a replica. */
export function startService(
  replica: Replica<ServiceProcess>,
  { kernel, clocks, database, wallets, telemetry, random, policy, placesSlips }: Surroundings,
): ServiceProcess {
  const { life } = replica;
  const clock = new ReplicaClock(kernel, replica, life, clocks);
  const source = new ReplicaRandom(random);
  const settings = new Settings(fixedSettings, clock, telemetry);
  // The settings never change in a run, and each read would be an event. So they are read once and not every 250 ms.
  void settings.start().then(() => settings.stop());
  const merchantIds = () => settings.merchants().map((merchant) => merchant.id);
  const {
    transactions: store,
    changes,
    support: closer,
    slips: slipStore,
    rounds,
    reader,
  } = simulatedStores(database, replica);
  const wallet = new SimulatedWallet(wallets, kernel, replica, policy.walletTimeoutMs);
  const loadShedder = new LoadShedder(new StoppedClock(), MAX_IN_FLIGHT);
  const permits = new WalletPermits(clock, telemetry, policy.placesPerMerchant);
  const players = new PlayerLookup(fixedSessions, settings, clock, SESSION_MS);
  const rows = new BatchedRows(store, clock);
  const sequencer = new Sequencer(changes, merchantIds, clock, telemetry, () => [PROVIDER.id]);
  const attempt = new Attempt(rows, wallet, permits, settings, clock, source, telemetry, policy, sequencer, () => {});
  const transact = new Transact(rows, attempt, permits, clock, source, telemetry, policy);
  const balance = new QueryBalanceOfWallet(players, wallet, permits, loadShedder, telemetry, settings, clock);
  const ends = new RoundEnds(rounds, settings, fixedSettings, clock);
  const moveMoney = new MoveMoneyThroughWallet(players, transact, balance, loadShedder, telemetry, ends);
  const plays = new Play(players, transact, balance, loadShedder, telemetry, ends);
  const reversals = new ReverseTransaction(players, transact, loadShedder, clock, telemetry);
  const worker = new ResendWorker(store, transact, permits, merchantIds, clock, source, telemetry, MAX_IN_FLIGHT);
  const slips = new Slips(slipStore, transact, () => GAME, clock, source, telemetry, policy);
  const placeBetslip = new PlaceBetslipThroughWallet(players, slips, transact, balance, loadShedder, clock, telemetry);
  const resendTransaction = new ResendTransaction(reader, store, sequencer, policy.quietPeriodMs);
  const support = new Support(
    reader,
    closer,
    store,
    resendTransaction,
    noAdminStore,
    settings,
    source,
    policy,
    sequencer,
  );
  sequencer.start();
  worker.start();
  if (placesSlips) new SlipWorker(slipStore, slips, clock, telemetry).start();
  return { moveMoney, plays, reversals, placeBetslip, ends, resendTransaction, support, clock };
}

/** A clock with virtual time and the replica's own system clock. Timers belong to one life of the replica. */
class ReplicaClock extends Clock {
  readonly #kernel: Kernel;
  readonly #replica: Replica<ServiceProcess>;
  readonly #life: Life;
  readonly #clocks: Clocks;

  constructor(kernel: Kernel, replica: Replica<ServiceProcess>, life: Life, clocks: Clocks) {
    super();
    this.#kernel = kernel;
    this.#replica = replica;
    this.#life = life;
    this.#clocks = clocks;
  }

  override now(): number {
    return this.#clocks.system(this.#replica.number);
  }

  override monotonic(): number {
    return this.#replica.monotonic;
  }

  override after(ms: number, run: () => void): () => void {
    let cancelled = false;
    let cancel = () => {};
    const due = this.monotonic() + ms;
    // A timer waits by the monotonic clock, so it is late by the time for which the machine was suspended.
    const wait = (left: number) => {
      cancel = this.#kernel.after(left, () =>
        this.#replica.enter(this.#life, () => {
          const rest = due - this.monotonic();
          if (cancelled) return;
          if (rest > 0.01) wait(rest);
          else run();
        }),
      );
    };
    wait(ms);
    return () => {
      cancelled = true;
      cancel();
    };
  }
}

/**
 * A clock whose timers never fire. In virtual time the event loop is never late, so this kind of overload can't happen.
 */
class StoppedClock extends Clock {
  override now(): number {
    return 0;
  }
  override monotonic(): number {
    return 0;
  }
  override after(): () => void {
    return () => {};
  }
}

class ReplicaRandom extends Random {
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    super();
    this.#random = random;
  }

  override token(): string {
    return this.#random.hex();
  }
  override uuid(): string {
    return this.#random.hex();
  }
  override fraction(): number {
    return this.#random.fraction();
  }
}
