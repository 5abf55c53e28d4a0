import type { SeededRandom } from "../../../testbed/seeded-random.ts";

/** The faults of one run and their shares. Each seed draws its own set. After healing all shares are zero. */
export interface Faults {
  /**
   * At each call of a port: the process is killed before the call leaves, or after it was carried out but before its
   * answer.
   */
  crash: number;
  /** At each call of a port: the process is paused, before the call leaves or before its answer is taken. */
  pause: number;
  pauseMaxMs: number;
  /** The database refuses the statement and runs nothing of it. */
  dbRefused: number;
  /** The database runs the statement, and its answer is lost. */
  dbLost: number;
  /** One line of the batch gets a StoreFault, and the others succeed. */
  dbPoisoned: number;
  /**
   * The statement takes seconds on its way, perhaps more than its caller waits, and runs late. Or its answer takes
   * seconds on the way back.
   */
  dbSlow: number;
  /** The database is unavailable for a while, this often per second. */
  dbDown: number;
  /** The wallet can't be reached; nothing of the request arrives. */
  walletRefused: number;
  /** The request arrives late, perhaps after the caller gave up, and is applied then. */
  walletLate: number;
  /** The request is applied, and its reply is late or lost. */
  walletReplyLost: number;
  /** 5xx or an unreadable body, with or without applying the request. */
  walletBroken: number;
  /** The wallet hangs for all of a merchant's requests for a while, this often per second. */
  walletDown: number;
  /** The merchant blocks a player for a while: every request is rejected. This often per second. */
  blocked: number;
  /** A provider's request or its reply is lost. */
  callerLost: number;
  /** Some connections clog one by one and are released in another order, this often per second. */
  clog: number;
  /** All replicas are killed at once, in half of the cases with the database, this often per second. */
  blackout: number;
  /** A replica's system clock steps by minutes, this often per second. */
  clockStep: number;
  /** The database's clock steps back by up to five minutes, this often per second. */
  dbClockBack: number;
  /** The database's clock steps forward by seconds, this often per second. */
  dbClockForward: number;
  /** Each replica's node of the database has a clock of its own. On or off for the whole run. */
  nodeSkew: number;
}

export type FaultName = keyof Faults;

export const NO_FAULTS: Readonly<Faults> = {
  crash: 0,
  pause: 0,
  pauseMaxMs: 0,
  dbRefused: 0,
  dbLost: 0,
  dbPoisoned: 0,
  dbSlow: 0,
  dbDown: 0,
  walletRefused: 0,
  walletLate: 0,
  walletReplyLost: 0,
  walletBroken: 0,
  walletDown: 0,
  blocked: 0,
  callerLost: 0,
  clog: 0,
  blackout: 0,
  clockStep: 0,
  dbClockBack: 0,
  dbClockForward: 0,
  nodeSkew: 0,
};

/** Rates at which a fault is common without drowning the run. */
const COMMON: Readonly<Faults> = {
  crash: 0.01,
  pause: 0.015,
  pauseMaxMs: 0,
  dbRefused: 0.04,
  dbLost: 0.05,
  dbPoisoned: 0.02,
  dbSlow: 0.02,
  dbDown: 0.02,
  walletRefused: 0.1,
  walletLate: 0.25,
  walletReplyLost: 0.15,
  walletBroken: 0.1,
  walletDown: 0.03,
  blocked: 0.05,
  callerLost: 0.05,
  clog: 0.06,
  blackout: 0.008,
  clockStep: 0.05,
  dbClockBack: 0.01,
  dbClockForward: 0.02,
  nodeSkew: 1,
};

const WALLET_FAULTS: ReadonlySet<FaultName> = new Set([
  "walletRefused",
  "walletLate",
  "walletReplyLost",
  "walletBroken",
  "walletDown",
  "blocked",
]);

/**
 * A swarm: each fault is off in half of the runs, else rare, common or frequent. In some runs only the wallets
 * misbehave.
 */
export function drawFaults(random: SeededRandom): Faults {
  const faults = { ...NO_FAULTS };
  const calm = random.chance(0.15);
  for (const name of Object.keys(COMMON) as FaultName[]) {
    const on = random.chance(0.5) && (!calm || WALLET_FAULTS.has(name));
    const factor = random.pick([0.2, 1, 1, 2]);
    if (on) faults[name] = COMMON[name] * factor;
  }
  faults.pauseMaxMs = random.pick([800, 6_000, 12_000, 90_000]);
  return faults;
}
