import type { LedgerRules } from "../../sandbox/merchant/ledger.ts";
import type { MariaDb } from "../../testbed/database/mariadb.ts";
import type { Violation } from "../../testbed/judge/record.ts";
import { SeededRandom } from "../../testbed/seeded-random.ts";
import { type Cell, POINTS, type Point } from "./cells.ts";
import { ALONE, type Injury, Stage } from "./stage.ts";

/** The options of a round. */
export interface RoundPlan {
  readonly seed: number;
  readonly cells: readonly Cell[];
  readonly kinds: readonly Injury["kind"][];
  /** Called for each process that was injured. */
  readonly progress: (text: string) => void;
}

interface Hit {
  readonly cell: Cell;
  readonly kind: Injury["kind"];
}

export interface RoundReport {
  /** Cells whose transaction was at the point when it happened. */
  readonly hits: readonly Hit[];
  /** Cells that were tried again and again and never were. */
  readonly missed: readonly Hit[];
  readonly injured: ReadonlyMap<string, number>;
  readonly violations: readonly Violation[];
}

/** Longer and shorter than a lease. */
const PAUSES_MS = [2_500, 2_500, 400] as const;
/**
 * Beside the wallet that keeps to what is asked of merchants. One that forgets its rejections is no match for a process
 * that stood still inside a send: what comes late, after the rejection was recorded, it would apply.
 */
const WALLETS: Readonly<Record<Injury["kind"], readonly Partial<LedgerRules>[]>> = {
  kill: [{}, { tombstones: false }, { keepsRejections: false }],
  pause: [{}, { tombstones: false }],
};
/**
 * Statements are batches: after a first one others share the next, and which of the next has most of them is chance.
 */
const BATCHED: ReadonlySet<Point> = new Set(["CP2", "CP8", "CP14"]);
const LATER = 4;
const WORTH_A_BATCH = 6;
const TRIES_MAX = 25;

/** Every cell once, killed and paused, each until it was hit. */
export async function runRound(server: Pick<MariaDb, "createDatabase">, plan: RoundPlan): Promise<RoundReport> {
  const hits: Hit[] = [];
  const missed: Hit[] = [];
  const injured = new Map<string, number>();
  const random = new SeededRandom(plan.seed, 2);

  const lane = async (points: readonly Point[], kind: Injury["kind"]): Promise<Violation[]> => {
    if (!plan.cells.some(({ point }) => points.includes(point))) return [];
    const injury: Injury = kind === "kill" ? { kind } : { kind, ms: random.pick(PAUSES_MS) };
    const stage = await Stage.open(await server.createDatabase(), random.int(1, 2 ** 30), random.pick(WALLETS[kind]));
    let left: Cell[] = [];
    try {
      for (const point of points) {
        left = plan.cells.filter((cell) => cell.point === point);
        for (let tries = 0; left.length > 0 && tries < TRIES_MAX; tries++) {
          const nth = BATCHED.has(point) && left.length > WORTH_A_BATCH ? 2 + (tries % LATER) : 1;
          const met = await stage.injure(point, left, injury, nth);
          hits.push(...met.map((cell) => ({ cell, kind })));
          injured.set(`${kind} ${point}`, (injured.get(`${kind} ${point}`) ?? 0) + (met.length > 0 ? 1 : 0));
          const how = injury.kind === "kill" ? "kill" : `pause of ${injury.ms} ms`;
          plan.progress(`${how} at ${point}: met ${met.length} of ${left.length}`);
          left = left.filter((cell) => !met.includes(cell));
        }
        missed.push(...left.map((cell) => ({ cell, kind })));
      }
    } catch (cause) {
      await stage.abandon();
      throw cause;
    }
    return stage.end();
  };

  const lanes = async (points: readonly Point[]): Promise<Violation[]> => {
    const violations: Violation[] = [];
    for (const kind of plan.kinds) violations.push(...(await lane(points, kind)));
    return violations;
  };
  const together = await Promise.all([
    lanes(POINTS.filter((point) => ALONE.has(point))),
    lanes(POINTS.filter((point) => !ALONE.has(point))),
  ]);
  return { hits, missed, injured, violations: together.flat() };
}
