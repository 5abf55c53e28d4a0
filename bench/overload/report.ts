/** The results of `overload`, as tables and limits. */
import { OVERLOADED } from "../load/call.ts";
import type { Measured } from "../load/orders.ts";
import type { Table, Target } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { percentile, type Spread, spread } from "../report/statistics.ts";
import type { Window } from "../stage/stage.ts";
import type { Compared, Tally } from "./answers.ts";
import type { Point } from "./saturation.ts";

/** Multiples of the number of callers that saturates the service. */
export const TIMES = [2, 5] as const;

export type Times = 1 | (typeof TIMES)[number];

/** One run of the measurement. */
export interface Run {
  readonly closed: ReadonlyMap<Times, Window>;
  readonly before: Window;
  readonly flood: Measured;
  /** MiB, measured during the flood. */
  readonly resident: readonly number[];
  /** The number of readiness checks in sequence that did not answer "ready". */
  readonly notReady: number;
  readonly after: Window;
}

const closedOf = (one: Run, times: Times): Window => {
  const window = one.closed.get(times);
  if (window === undefined) throw new Error(`${times} x was not measured`);
  return window;
};

export function closedTable(saturated: Point, runs: readonly Run[]): Table {
  const rows = ([1, ...TIMES] as const).map((times) => {
    const cell = (of: (window: Window) => number): string =>
      spreadText(spread(runs.map((one) => of(closedOf(one, times)))));
    return [
      `${saturated.callers * times}`,
      cell((w) => w.perSecond),
      cell((w) => w.latencyMs.p50),
      cell((w) => w.latencyMs.p99),
      cell(
        (w) =>
          (Object.entries(w.others).reduce((sum, [name, n]) => (name.endsWith(OVERLOADED) ? sum + n : sum), 0) *
            1_000) /
          w.windowMs,
      ),
      cell((w) => w.refusedMs.p50),
      cell((w) => w.refusedMs.p99),
    ];
  });
  return {
    title: "Closed loop",
    columns: ["callers", "succeeded/s", "p50 ms", "p99 ms", "refused/s", "refused after, p50 ms", "p99 ms"],
    rows,
  };
}

export function floodTable(runs: readonly Run[]): Table {
  const row = (what: string, of: (run: Run) => number): string[] => [what, spreadText(spread(runs.map(of)))];
  return {
    title: "Ten times, open loop",
    columns: ["", ""],
    rows: [
      row("calls made/s", ({ flood }) => (flood.answered * 1_000) / flood.windowMs),
      row("succeeded/s", ({ flood }) => (flood.succeeded * 1_000) / flood.windowMs),
      row("sent late by, p99, ms", ({ flood }) => flood.latenessMs?.p99 ?? Number.NaN),
      row("resident memory, highest, MiB", ({ resident }) => Math.max(...resident)),
      row("succeeded/s at 40 %, before", ({ before }) => before.perSecond),
      row("succeeded/s at 40 %, from 10 s after the flood", ({ after }) => after.perSecond),
      row("p99 before, ms", ({ before }) => before.latencyMs.p99),
      row("p99 from 10 s after the flood, ms", ({ after }) => after.latencyMs.p99),
    ],
  };
}

export function refusalTable(tallies: ReadonlyMap<string, Tally>): Table {
  const rows = [...tallies].flatMap(([phase, tally]) =>
    [...tally].map(([kind, counts]) => [
      phase,
      kind,
      figure(total(counts)),
      [...counts]
        .sort(([, a], [, b]) => b - a)
        .map(([outcome, n]) => `${outcome} ${n}`)
        .join(", "),
    ]),
  );
  return {
    title: "How the calls ended, all runs and warm-ups together",
    columns: ["load", "kind", "calls", "ended"],
    rows,
  };
}

export function comparedTable(compared: Compared): Table {
  return {
    title: "Every row beside what its caller was told",
    columns: [
      "rows",
      "told a status",
      "caller timed out",
      "caller told to ask again",
      "refused, with a row",
      "nobody asked for",
      "contradicted",
      "told a status, without a row",
    ],
    rows: [
      [
        compared.rows,
        compared.answered,
        compared.timedOut,
        compared.unsure,
        compared.refusedWithRow,
        compared.unrequested,
        compared.contradicted,
        compared.lost,
      ].map(String),
    ],
  };
}

export function targets(runs: readonly Run[], tallies: ReadonlyMap<string, Tally>): Target[] {
  const of = (figureOf: (run: Run) => number): Spread => spread(runs.map(figureOf));
  return [
    ...TIMES.map((times) => ({
      what: `${times} x the callers: succeeded/s, of the saturated`,
      measured: of((one) => closedOf(one, times).perSecond / closedOf(one, 1).perSecond),
      bound: { atLeast: 0.8 },
      unit: "",
    })),
    {
      what: "10 x: resident memory at the end of the flood, of that in its second quarter",
      measured: of(growth),
      bound: { atMost: 1.1 },
      unit: "",
    },
    {
      what: "10 x: asked whether it is ready, and not",
      measured: of(({ notReady }) => notReady),
      bound: { atMost: 0 },
      unit: "",
    },
    {
      what: "10 s after: succeeded/s, of what it was",
      measured: of((one) => one.after.perSecond / one.before.perSecond),
      bound: { atLeast: 0.95 },
      unit: "",
    },
    {
      what: "10 s after: p99, of what it was",
      measured: of((one) => one.after.latencyMs.p99 / one.before.latencyMs.p99),
      bound: { atMost: 1.2 },
      unit: "",
    },
    ...[...tallies].flatMap(([phase, tally]) => {
      const [bets, wins] = [refusedShare(tally, "bet"), refusedShare(tally, "win")];
      return bets === 0
        ? []
        : [
            {
              what: `${phase}: refused share of wins, of that of bets`,
              measured: spread([wins / bets]),
              bound: { atMost: 1 },
              unit: "",
            },
          ];
    }),
  ];
}

function growth({ resident }: Run): number {
  const quarter = Math.max(1, Math.floor(resident.length / 4));
  return percentile(resident.slice(-quarter), 0.5) / percentile(resident.slice(quarter, 2 * quarter), 0.5);
}

function refusedShare(tally: Tally, kind: string): number {
  const counts = tally.get(kind) ?? new Map<string, number>();
  return (counts.get(OVERLOADED) ?? 0) / Math.max(1, total(counts));
}

const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, n) => sum + n, 0);

export function added(tallies: readonly Tally[]): Tally {
  const sum: Tally = new Map();
  for (const tally of tallies)
    for (const [kind, counts] of tally)
      for (const [outcome, n] of counts) {
        const into = sum.get(kind) ?? new Map<string, number>();
        into.set(outcome, (into.get(outcome) ?? 0) + n);
        sum.set(kind, into);
      }
  return sum;
}
