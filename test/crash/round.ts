import type { LedgerRules } from "../../sandbox/merchant/ledger.ts";
import type { DatabaseServer } from "../../testbed/database/server.ts";
import type { Violation } from "../../testbed/judge/record.ts";
import { SeededRandom } from "../../testbed/seeded-random.ts";
import { type Cell, endingOf, POINTS, type Point } from "./cells.ts";
import { type Injection, Stage, WITHOUT_SURVIVOR } from "./stage.ts";

/** The options of a round. */
export interface RoundPlan {
  readonly seed: number;
  readonly cells: readonly Cell[];
  readonly kinds: readonly Injection["kind"][];
  /** Called for each process that was killed or paused. */
  readonly progress: (text: string) => void;
}

interface Hit {
  readonly cell: Cell;
  readonly kind: Injection["kind"];
}

export interface RoundReport {
  /** Cells whose transaction was at the point when the process was killed or paused. */
  readonly hits: readonly Hit[];
  /** Cells that were tried many times and never reached their point. */
  readonly missed: readonly Hit[];
  /** The number of killed or paused processes, by kind and point. */
  readonly injections: ReadonlyMap<string, number>;
  readonly violations: readonly Violation[];
}

/** The lengths of pauses: longer and shorter than a lease. */
const PAUSES_MS = [2_500, 2_500, 400] as const;
/**
 * The wallets for each kind of fault. A wallet that forgets its rejections is not used with paused processes, because
 * it would apply the late request of such a process after the rejection was recorded.
 */
const WALLETS: Readonly<Record<Injection["kind"], readonly Partial<LedgerRules>[]>> = {
  kill: [{}, { tombstones: false }, { keepsRejections: false }],
  pause: [{}, { tombstones: false }],
};
/**
 * At these points statements are batches. A statement of one row and a large statement gather at the same time, and
 * either of them may be sent first. So the tries choose different statements, from the first to the fourth.
 */
const BATCHED: ReadonlySet<Point> = new Set(["CP2", "CP8", "CP14"]);
const STATEMENTS = 4;
const WORTH_A_BATCH = 6;
const TRIES_MAX = 25;

/** Kills and pauses processes for every cell once. Repeats a cell until its point was reached. */
export async function runRound(server: Pick<DatabaseServer, "createDatabase">, plan: RoundPlan): Promise<RoundReport> {
  const hits: Hit[] = [];
  const missed: Hit[] = [];
  const injections = new Map<string, number>();
  const random = new SeededRandom(plan.seed, 2);

  const lane = async (points: readonly Point[], kind: Injection["kind"]): Promise<Violation[]> => {
    if (!plan.cells.some(({ point }) => points.includes(point))) return [];
    const injection: Injection = kind === "kill" ? { kind } : { kind, ms: random.pick(PAUSES_MS) };
    const stage = await Stage.open(await server.createDatabase(), random.int(1, 2 ** 30), random.pick(WALLETS[kind]));
    try {
      const groups = points.flatMap((point) => [
        ...Map.groupBy(
          plan.cells.filter((cell) => cell.point === point),
          endingOf,
        ).values(),
      ]);
      for (const cells of groups) {
        let left = cells;
        const point = (cells[0] as Cell).point;
        for (let tries = 0; left.length > 0 && tries < TRIES_MAX; tries++) {
          const nth = BATCHED.has(point) && left.length > WORTH_A_BATCH ? 1 + (tries % STATEMENTS) : 1;
          const reached = await stage.inject(point, left, injection, nth);
          hits.push(...reached.map((cell) => ({ cell, kind })));
          injections.set(`${kind} ${point}`, (injections.get(`${kind} ${point}`) ?? 0) + (reached.length > 0 ? 1 : 0));
          const how = injection.kind === "kill" ? "kill" : `pause of ${injection.ms} ms`;
          plan.progress(`${how} at ${point}: met ${reached.length} of ${left.length}`);
          left = left.filter((cell) => !reached.includes(cell));
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
    lanes(POINTS.filter((point) => WITHOUT_SURVIVOR.has(point))),
    lanes(POINTS.filter((point) => !WITHOUT_SURVIVOR.has(point))),
  ]);
  return { hits, missed, injections, violations: together.flat() };
}
