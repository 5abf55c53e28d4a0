/** One merchant calls the operator API far above its limit. Measures the effect on the other merchants. */
import type { LoadMessage, Measured, Order } from "../load/orders.ts";
import { TRUSTS_CALLERS } from "../load/rest-caller.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { type Spread, spread } from "../report/statistics.ts";
import type { Program } from "../stage/programs.ts";
import { Stage, type Window } from "../stage/stage.ts";
import { capacityOf, SHARE } from "./latency.ts";
import { signedGets } from "./rest.ts";

export const flood: Measurement = { name: "flood", run };

const OTHERS = 8;
/** The merchant's limit is 5 of these calls per second. */
const FLOOD_PER_SECOND = 1_000;
/** Enough addresses, so that the merchant's limit is reached and no address's own limit. */
const FLOOD_ADDRESSES = 10;
const OTHERS_PER_SECOND = 100;
const WARM_UP_MS = 3_000;

/**
 * The duration of one kind of call of the other merchants: without a flood, during a flood at another program, and
 * during a flood at the service.
 */
interface Compared {
  readonly quiet: Window;
  readonly elsewhere: Window;
  readonly here: Window;
  /** The results of the flood's calls at the service. */
  readonly flood: Measured;
}

async function run(bench: Bench): Promise<Section> {
  const stage = await Stage.set(bench, "mariadb", (origin) => [
    { merchants: OTHERS, sessionsEach: 64, walletUrl: `${origin}/wallet` },
    { merchants: 1, sessionsEach: 1, walletUrl: `${origin}/wallet`, limited: true },
  ]);
  try {
    const service = await stage.service("service", TRUSTS_CALLERS);
    const elsewhere = await stage.express();
    const others = stage.directory.merchants.slice(0, OTHERS);
    bench.capacity ??= await capacityOf(bench, stage, service, stage.target(service, others));
    const window = { warmUpMs: WARM_UP_MS, measureMs: bench.options.seconds * 1_000 };
    const bets = {
      kind: "open",
      target: stage.provider(service, others, { lean: true }),
      perSecond: bench.capacity * SHARE,
      ...window,
    } as const;
    const calls = {
      kind: "open",
      target: signedGets(service, others, 65_536),
      perSecond: OTHERS_PER_SECOND,
      ...window,
    } as const;
    const compare = async (
      what: string,
      order: Order & { kind: "open" },
      elsewhereFirst: boolean,
    ): Promise<Compared> => {
      const quiet = await stage.measure(service, order);
      const flooded = (program: Program) => inFlood(stage, service, order, program);
      const first = await flooded(elsewhereFirst ? elsewhere : service);
      const second = await flooded(elsewhereFirst ? service : elsewhere);
      const [there, here] = elsewhereFirst ? [first, second] : [second, first];
      bench.log(
        `others' ${what}: p99 ${[quiet, there.window, here.window].map(({ latencyMs }) => figure(latencyMs.p99)).join(", ")} ms`,
      );
      return { quiet, elsewhere: there.window, here: here.window, flood: here.flood };
    };
    const runs: { bets: Compared; calls: Compared }[] = [];
    for (let i = 0; i < bench.options.runs; i++)
      runs.push({ bets: await compare("bets", bets, i % 2 === 0), calls: await compare("calls", calls, i % 2 === 0) });
    return section(bench, bench.capacity * SHARE, runs);
  } finally {
    await stage.clear();
  }
}

/** Runs the order while the limited merchant floods a program. */
async function inFlood(
  stage: Stage,
  service: Program,
  order: Order & { kind: "open" },
  program: Program,
): Promise<{ window: Window; flood: Measured }> {
  const load = await stage.secondLoad();
  try {
    const [began, ended] = [
      load.next<LoadMessage & { kind: "begin" }>("begin"),
      load.next<LoadMessage & { kind: "end" }>("end"),
    ];
    const target = signedGets(program, stage.directory.merchants.slice(OTHERS), FLOOD_ADDRESSES);
    load.send({
      kind: "open",
      target,
      perSecond: FLOOD_PER_SECOND,
      warmUpMs: 0,
      measureMs: order.warmUpMs + order.measureMs,
    } satisfies Order);
    await began;
    const window = await stage.measure(service, order);
    return { window, flood: (await ended).measured };
  } finally {
    await load.stop();
  }
}

function section(bench: Bench, perSecond: number, runs: readonly { bets: Compared; calls: Compared }[]): Section {
  const of = (what: "bets" | "calls", figureOf: (one: Compared) => number): Spread =>
    spread(runs.map((one) => figureOf(one[what])));
  const row = (name: string, what: "bets" | "calls"): string[] => [
    name,
    ...(["quiet", "elsewhere", "here"] as const).flatMap((when) => [
      spreadText(of(what, (one) => one[when].latencyMs.p50)),
      spreadText(of(what, (one) => one[when].latencyMs.p99)),
    ]),
  ];
  const violations = runs.flatMap(({ bets, calls }) => [bets.flood, calls.flood]).filter((flood) => !wasLimited(flood));
  return {
    title: "A flood is its merchant's alone",
    method:
      `One merchant sends ${FLOOD_PER_SECOND} signed calls a second of which 5 are allowed, from ${FLOOD_ADDRESSES} addresses. ${OTHERS} others get ${figure(perSecond)} bets/s, then make ${OTHERS_PER_SECOND} signed calls a ` +
      "second, in open loops. The flood's sender is on the same machine and takes its part of it, so beside the flood at the service stands the same flood at another program (a bare Express route). " +
      `Median (lowest-highest) of ${bench.options.runs} runs of ${bench.options.seconds} s.`,
    tables: [
      {
        title: "",
        columns: [
          "others'",
          "p50 without, ms",
          "p99 without, ms",
          "p50, flood elsewhere, ms",
          "p99, flood elsewhere, ms",
          "p50 in the flood, ms",
          "p99 in the flood, ms",
        ],
        rows: [row("bets", "bets"), row("signed calls", "calls")],
      },
    ],
    targets: (["bets", "calls"] as const).map((what) => ({
      what: `others' p99 of ${what} in the flood, of that with the flood elsewhere`,
      measured: of(what, ({ elsewhere, here }) => here.latencyMs.p99 / elsewhere.latencyMs.p99),
      bound: { atMost: 1.2 },
      unit: "",
    })),
    violations: violations.map(
      (flood) =>
        `the flood had too few calls, or was not limited: ${flood.succeeded} succeeded, ${JSON.stringify(flood.others)}`,
    ),
    raw: runs,
  };
}

/** Nearly all planned calls were sent, and were refused because of the limit. */
const wasLimited = ({ others, windowMs }: Measured): boolean =>
  (others.RATE_LIMITED ?? 0) > (0.9 * FLOOD_PER_SECOND * windowMs) / 1_000;
