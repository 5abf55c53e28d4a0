/** The cost of a signed call of the operator API, compared with a plain Express route. */
import type { Target } from "../load/orders.ts";
import { TRUSTS_CALLERS } from "../load/rest-caller.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { type Spread, spread } from "../report/statistics.ts";
import type { Program } from "../stage/programs.ts";
import { Stage, type Window } from "../stage/stage.ts";

export const rest: Measurement = { name: "rest", run };

const CONCURRENCY = 64;
/** Enough addresses, so that each stays below its limit. */
const ADDRESSES = 1_024;
const WARM_UP_MS = 5_000;

interface Run {
  readonly service: Window;
  readonly floor: Window;
}

async function run(bench: Bench): Promise<Section> {
  const stage = await Stage.set(bench, "mariadb", (origin) => [
    { merchants: 8, sessionsEach: 1, walletUrl: `${origin}/wallet` },
  ]);
  try {
    const programs = [await stage.service("service", TRUSTS_CALLERS), await stage.express()] as const;
    const runs: Run[] = [];
    for (let i = 0; i < bench.options.runs; i++) {
      const [a, b] = i % 2 === 0 ? programs : ([programs[1], programs[0]] as const);
      const [first, second] = [await measure(bench, stage, a), await measure(bench, stage, b)];
      runs.push(i % 2 === 0 ? { service: first, floor: second } : { service: second, floor: first });
    }
    return section(bench, runs);
  } finally {
    await stage.clear();
  }
}

/** GET /v1/merchant with all merchants in turn and with this many claimed addresses in turn. */
export const signedGets = (
  program: Program,
  merchants: (Target & { protocol: "rest" })["merchants"],
  addresses: number,
): Target => ({
  protocol: "rest",
  origin: program.restOrigin,
  path: "/v1/merchant",
  connections: CONCURRENCY,
  addresses,
  merchants: merchants.map(({ code, secret }) => ({ code, secret })),
});

async function measure(bench: Bench, stage: Stage, program: Program): Promise<Window> {
  const target = signedGets(program, stage.directory.merchants, ADDRESSES);
  const measured = await stage.measure(program, {
    kind: "closed",
    target,
    concurrency: CONCURRENCY,
    warmUpMs: WARM_UP_MS,
    measureMs: bench.options.seconds * 1_000,
  });
  bench.log(
    `${program.name}: ${figure(measured.perSecond)}/s${Object.keys(measured.others).length === 0 ? "" : ` ${JSON.stringify(measured.others)}`}`,
  );
  return measured;
}

function section(bench: Bench, runs: readonly Run[]): Section {
  const of = (figureOf: (run: Run) => number): Spread => spread(runs.map(figureOf));
  const row = (name: string, window: (run: Run) => Window): string[] => [
    name,
    ...[
      (w: Window) => w.perSecond,
      (w: Window) => w.cpu.program,
      (w: Window) => w.cpu.database,
      (w: Window) => w.latencyMs.p50,
      (w: Window) => w.latencyMs.p99,
    ].map((figureOf) => spreadText(of((one) => figureOf(window(one))))),
  ];
  return {
    title: "REST",
    method:
      `Signed GET /v1/merchant of 8 merchants from ${ADDRESSES} addresses, ${CONCURRENCY} callers, nonces in MariaDB. Floor: an Express route that only verifies the same signature. CPU time in us a call. ` +
      `Median (lowest-highest) of ${bench.options.runs} interleaved runs of ${bench.options.seconds} s.`,
    tables: [
      {
        title: "",
        columns: ["", "calls/s", "program us", "database us", "p50 ms", "p99 ms"],
        rows: [row("the service", (one) => one.service), row("a bare Express route", (one) => one.floor)],
      },
    ],
    targets: [
      {
        what: "calls/s of a bare Express route",
        measured: of(({ service, floor }) => service.perSecond / floor.perSecond),
        bound: { atLeast: 0.85 },
        unit: "",
      },
    ],
    raw: runs,
  };
}
