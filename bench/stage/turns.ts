/**
 * Bets on several databases or variants of the service, measured in turns: each window of one is compared with the
 * window of another beside it.
 */
import { invent } from "../../testbed/directory/seed.ts";
import type { RoundCalls } from "../load/orders.ts";
import type { Bench } from "../measurement.ts";
import { figure } from "../report/report.ts";
import { type Spread, spread } from "../report/statistics.ts";
import type { BenchDatabase } from "./bench-database.ts";
import type { Program, ServiceName } from "./programs.ts";
import { Stage, type Window } from "./stage.ts";

const MERCHANTS = 8;
const SESSIONS = 512;
const WARM_UP_MS = 3_000;

/** A text for the report's method. */
export const PLAYED = `${MERCHANTS} merchants, ${SESSIONS} sessions`;

export interface Competitor {
  readonly name: string;
  /**
   * Starts its server. Competitors with the same function share one server, and each has a database of its own.
   *
   * @param folder - a folder for files.
   */
  readonly start: (folder: string) => Promise<BenchDatabase>;
  /** The number of its server's merchants, 8 by default. They share the sessions evenly. */
  readonly merchants?: number;
  /** Variables of its service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its program; `service` by default. */
  readonly program?: ServiceName;
  /** Another checkout of the project, whose service it is; absent: this one. */
  readonly checkout?: string;
  /** Competitors with the same text here share one program. Absent: it has a program of its own. */
  readonly shared?: string;
  /** What a caller sends; absent: a bet. */
  readonly round?: RoundCalls;
}

/** The windows of a competitor with one number of callers, in the order of the turns. */
export interface Turns {
  readonly name: string;
  readonly concurrency: number;
  readonly windows: readonly Window[];
}

/**
 * Starts all servers, and a service for each competitor. They run the whole time, and their windows take turns, so that
 * slow minutes of the machine affect all of them.
 */
export async function measureInTurns(
  bench: Bench,
  competitors: readonly Competitor[],
  concurrencies: readonly number[],
): Promise<readonly Turns[]> {
  const stages = new Map<Competitor["start"], Stage>();
  try {
    const programs: Program[] = [];
    const shares = new Map<string, Program>();
    for (const { start, env, merchants = MERCHANTS, program = "service", shared, checkout } of competitors) {
      const known = shared === undefined ? undefined : shares.get(shared);
      if (known !== undefined) {
        programs.push(known);
        continue;
      }
      const stage =
        stages.get(start) ??
        (await Stage.around(bench, start, (origin) =>
          invent([{ merchants, sessionsEach: Math.ceil(SESSIONS / merchants), walletUrl: `${origin}/wallet` }]),
        ));
      stages.set(start, stage);
      const started = await stage.service(program, env, checkout);
      programs.push(started);
      if (shared !== undefined) shares.set(shared, started);
    }
    const turns = concurrencies.map((concurrency) =>
      competitors.map(({ name }) => ({ name, concurrency, windows: [] as Window[] })),
    );
    for (let run = 0; run < bench.options.runs; run++) {
      for (const row of turns) {
        for (const n of competitors.keys()) {
          // Each run begins with another competitor.
          const at = (n + run) % competitors.length;
          const { name, concurrency, windows } = row[at] as (typeof row)[number];
          const { start, round } = competitors[at] as Competitor;
          const stage = stages.get(start) as Stage;
          const window = await measured(bench, stage, programs[at] as Program, concurrency, round);
          windows.push(window);
          const { perSecond, cpu } = window;
          bench.log(
            `${name}, ${concurrency} callers: ${figure(perSecond)} bets/s, service ${figure(cpu.program)} us, database ${figure(cpu.database)} us`,
          );
        }
      }
    }
    return turns.flat();
  } finally {
    for (const stage of stages.values()) await stage.clear();
  }
}

function measured(
  bench: Bench,
  stage: Stage,
  program: Program,
  concurrency: number,
  round: RoundCalls | undefined,
): Promise<Window> {
  return stage.measure(program, {
    kind: "closed",
    target: stage.provider(program, stage.directory.merchants, { lean: true, ...(round && { round }) }),
    concurrency,
    warmUpMs: WARM_UP_MS,
    measureMs: bench.options.seconds * 1_000,
  });
}

/** A figure of each window, divided by the same figure of the other competitor's window in the same run. */
export const ratio = (turns: Turns, other: Turns, of: (window: Window) => number): Spread =>
  spread(turns.windows.map((window, i) => of(window) / of(other.windows[i] as Window)));
