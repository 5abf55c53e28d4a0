import type { BenchMerchant } from "../../testbed/directory/directory.ts";
import type { Bench, Table, Target } from "../measurement.ts";
import { pinnedCapacity, SHARE } from "../measurements/latency.ts";
import { figure, spreadText } from "../report/report.ts";
import { spread } from "../report/statistics.ts";
import type { Program } from "../stage/programs.ts";
import { Stage, type Window } from "../stage/stage.ts";

const MERCHANTS = 50;
const HANGING = [1, 5, 25] as const;
/** A wallet that was silent has all its permits again after this time. */
const WARM_UP_MS = 8_000;

interface Pair {
  readonly hanging: number;
  readonly before: Window;
  readonly during: Window;
}

export interface SomeHang {
  readonly perSecond: number;
  readonly pairs: readonly Pair[];
}

/**
 * Some of fifty wallets fall silent. All merchants share the same connections. Measures the effect on the other
 * merchants.
 */
export async function someOfFiftyHang(bench: Bench): Promise<SomeHang> {
  const stage = await Stage.set(
    bench,
    "mariadb",
    (origin) => [{ merchants: MERCHANTS, sessionsEach: 16, walletUrl: `${origin}/wallet` }],
    { pinned: true },
  );
  try {
    const service = await stage.service("service");
    const perSecond = (await pinnedCapacity(bench, stage, service)) * SHARE;
    const pairs: Pair[] = [];
    for (let i = 0; i < bench.options.runs; i++)
      for (const hanging of HANGING) {
        // Each run silences other merchants.
        const first = (i * 7) % MERCHANTS;
        const turned = [...stage.directory.merchants.slice(first), ...stage.directory.merchants.slice(0, first)];
        pairs.push(await pair(bench, stage, service, turned.slice(0, hanging), perSecond));
      }
    return { perSecond, pairs };
  } finally {
    await stage.clear();
  }
}

async function pair(
  bench: Bench,
  stage: Stage,
  service: Program,
  dead: readonly BenchMerchant[],
  perSecond: number,
): Promise<Pair> {
  const notMeasured = dead.flatMap((merchant) => merchant.sessions.map(({ id }) => id));
  const target = stage.provider(service, stage.directory.merchants, { notMeasured });
  const measureMs = bench.options.seconds * 1_000;
  const before = await stage.measure(service, { kind: "open", target, perSecond, warmUpMs: WARM_UP_MS, measureMs });
  stage.silence(dead);
  const during = await stage.measure(service, { kind: "open", target, perSecond, warmUpMs: 0, measureMs });
  stage.silence([]);
  bench.log(
    `${dead.length} of ${MERCHANTS} hang: others' p99 ${figure(before.latencyMs.p99)} -> ${figure(during.latencyMs.p99)} ms, not SUCCESS ${JSON.stringify(during.others)}; theirs ${JSON.stringify(during.notMeasured)}`,
  );
  return { hanging: dead.length, before, during };
}

export function someHangTable({ pairs }: SomeHang): Table {
  const rows = HANGING.map((hanging) => {
    const of = (figureOf: (pair: Pair) => number): string =>
      spreadText(spread(pairs.filter((one) => one.hanging === hanging).map(figureOf)));
    return [
      `${hanging} of ${MERCHANTS}`,
      of((one) => one.before.latencyMs.p50),
      of((one) => one.during.latencyMs.p50),
      of((one) => one.before.latencyMs.p99),
      of((one) => one.during.latencyMs.p99),
      of((one) => sum(one.before.others)),
      of((one) => sum(one.during.others)),
      of((one) => one.during.notMeasured.OVERLOADED ?? 0),
    ];
  });
  return {
    title: "Some of fifty wallets fall silent",
    columns: [
      "hang",
      "others' p50 before, ms",
      "p50 while they hang",
      "others' p99 before, ms",
      "p99 while they hang",
      "others' not SUCCESS before",
      "while they hang",
      "refused of those that hang",
    ],
    rows,
  };
}

export const someHangTargets = ({ pairs }: SomeHang): Target[] =>
  HANGING.map((hanging) => ({
    what: `${hanging} of ${MERCHANTS} hang: others' p99, of what it was`,
    measured: spread(
      pairs
        .filter((one) => one.hanging === hanging)
        .map(({ before, during }) => during.latencyMs.p99 / before.latencyMs.p99),
    ),
    bound: { atMost: 1.2 },
    unit: "",
  }));

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((all, n) => all + n, 0);
