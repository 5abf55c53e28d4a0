import type { SeededRandom } from "../../../testbed/seeded-random.ts";

/**
 * The faults of one run, and the probability of each. Each seed draws its own values. After healing all of them are
 * zero. Where a comment has "rate", the value is the probability per second.
 */
export interface Faults {
  /**
   * At each call of a port: the process is killed before the call leaves, or after it was carried out but before its
   * answer.
   */
  crash: number;
  /** At each call of a port: the process is paused, before the call leaves or before the process reads its answer. */
  pause: number;
  pauseMaxMs: number;
  /** The share of pauses in which the whole machine is suspended, so that its monotonic clock stands still. */
  suspend: number;
  /** The database refuses the statement and runs nothing of it. */
  dbRefused: number;
  /** The database runs the statement, and its answer is lost. */
  dbLost: number;
  /** One element of the batch gets a StoreFault, and the others succeed. */
  dbPoisoned: number;
  /** Another session has locked a row of one element of the batch. This element gets a LineLocked. */
  dbLocked: number;
  /**
   * The statement arrives seconds late, perhaps after its caller has stopped waiting, and still runs. Or its answer
   * arrives seconds late.
   */
  dbSlow: number;
  /** The adapter has sent the statement twice. The database runs it, and runs its other copy later. */
  dbAgain: number;
  /** The rate at which the database becomes unavailable for a while. */
  dbDown: number;
  /** The wallet can't be reached, and no part of the request arrives. */
  walletRefused: number;
  /** The request arrives late, perhaps after the caller has stopped waiting, and is then applied. */
  walletLate: number;
  /** The request is applied, and its reply is late or lost. */
  walletReplyLost: number;
  /** The wallet answers with 5xx or an unreadable body. It may or may not have applied the request. */
  walletBroken: number;
  /** The rate at which a wallet stops answering all of a merchant's requests for a while. */
  walletDown: number;
  /** The rate at which the merchant blocks a player for a while, and so rejects every request for the player. */
  blocked: number;
  /** A provider's request or its reply is lost. */
  callerLost: number;
  /** The rate at which some connections clog one by one. They are released in another order. */
  clog: number;
  /** The rate at which all replicas are killed at once, in half of the cases together with the database. */
  blackout: number;
  /** The rate at which a replica's system clock steps by minutes. */
  clockStep: number;
  /** The rate at which the database's clock steps back by up to five minutes. */
  dbClockBack: number;
  /** The rate at which the database's clock steps forward by seconds. */
  dbClockForward: number;
  /** Each replica's node of the database has its own clock. This is on or off for the whole run. */
  nodeSkew: number;
}

export type FaultName = keyof Faults;

export const NO_FAULTS: Readonly<Faults> = {
  crash: 0,
  pause: 0,
  pauseMaxMs: 0,
  suspend: 0,
  dbRefused: 0,
  dbLost: 0,
  dbPoisoned: 0,
  dbLocked: 0,
  dbSlow: 0,
  dbAgain: 0,
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

/** Values at which each fault is common, but the run still makes progress. */
const COMMON: Readonly<Faults> = {
  crash: 0.01,
  pause: 0.015,
  pauseMaxMs: 0,
  suspend: 0.6,
  dbRefused: 0.04,
  dbLost: 0.05,
  dbPoisoned: 0.02,
  dbLocked: 0.02,
  dbSlow: 0.02,
  dbAgain: 0.06,
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
 * Draws each fault separately ("swarm testing"): it is off in half of the runs, and otherwise rare, common or frequent.
 * In some runs only the wallets misbehave.
 */
export function drawFaults(random: SeededRandom): Faults {
  const faults = { ...NO_FAULTS };
  const calm = random.chance(0.15);
  for (const name of Object.keys(COMMON) as FaultName[]) {
    const on = random.chance(0.5) && (!calm || WALLET_FAULTS.has(name));
    const factor = random.pick([0.2, 1, 1, 2]);
    if (on) faults[name] = COMMON[name] * factor;
  }
  // A suspended machine's system clock is right when the machine resumes. So it must not step back at the same time.
  if (faults.clockStep > 0) faults.suspend = 0;
  faults.pauseMaxMs = random.pick([800, 6_000, 12_000, 90_000]);
  return faults;
}
