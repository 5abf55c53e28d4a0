/** One merchant calls the operator API far more often than it may: what the others notice. */
import type { LoadMessage, Order } from "../load/orders.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import type { Program } from "../programs.ts";
import { figure, spreadText } from "../report.ts";
import { TRUSTS_CALLERS } from "../rest-caller.ts";
import { Stage, type Window } from "../stage.ts";
import { type Spread, spread } from "../statistics.ts";
import { capacityOf, SHARE } from "./latency.ts";
import { signedGets } from "./rest.ts";

export const flood: Measurement = { name: "flood", run };

const OTHERS = 8;
/** The merchant may do 5 of these a second. */
const FLOOD_PER_SECOND = 1_000;
/** Enough for each address to stay below its own limit, so that it is the merchant's that counts. */
const FLOOD_ADDRESSES = 10;
const OTHERS_PER_SECOND = 100;
const WARM_UP_MS = 3_000;

interface Pair {
  readonly before: Window;
  readonly during: Window;
  /** What the flood was answered. */
  readonly flood: Readonly<Record<string, number>>;
}

async function run(bench: Bench): Promise<Section> {
  const stage = await Stage.set(bench, "mariadb", (origin) => [
    { merchants: OTHERS, sessionsEach: 64, walletUrl: `${origin}/wallet` },
    { merchants: 1, sessionsEach: 1, walletUrl: `${origin}/wallet`, limited: true },
  ]);
  try {
    const service = await stage.service("service", TRUSTS_CALLERS);
    const others = stage.directory.merchants.slice(0, OTHERS);
    const bets = stage.target(service, others);
    bench.capacity ??= await capacityOf(bench, stage, service, bets);
    const window = { warmUpMs: WARM_UP_MS, measureMs: bench.options.seconds * 1_000 };
    const orders = {
      bets: { kind: "open", target: bets, perSecond: bench.capacity * SHARE, ...window },
      calls: { kind: "open", target: signedGets(service, others, 65_536), perSecond: OTHERS_PER_SECOND, ...window },
    } as const;
    const runs: { bets: Pair; calls: Pair }[] = [];
    for (let i = 0; i < bench.options.runs; i++)
      runs.push({ bets: await pair(bench, stage, service, "bets", orders.bets), calls: await pair(bench, stage, service, "calls", orders.calls) });
    return section(bench, bench.capacity * SHARE, runs);
  } finally {
    await stage.clear();
  }
}

async function pair(bench: Bench, stage: Stage, service: Program, what: string, order: Order & { kind: "open" }): Promise<Pair> {
  const before = await stage.measure(service, order);
  const load = await stage.secondLoad();
  try {
    const [began, ended] = [load.next<LoadMessage & { kind: "begin" }>("begin"), load.next<LoadMessage & { kind: "end" }>("end")];
    const target = signedGets(service, stage.directory.merchants.slice(OTHERS), FLOOD_ADDRESSES);
    load.send({ kind: "open", target, perSecond: FLOOD_PER_SECOND, warmUpMs: 0, measureMs: order.warmUpMs + order.measureMs } satisfies Order);
    await began;
    const during = await stage.measure(service, order);
    const { measured } = await ended;
    bench.say(
      `others' ${what}: p99 ${figure(before.latencyMs.p99)} -> ${figure(during.latencyMs.p99)} ms; the flood: ${JSON.stringify({ SUCCESS: measured.succeeded, ...measured.others })}`,
    );
    return { before, during, flood: measured.others };
  } finally {
    await load.stop();
  }
}

function section(bench: Bench, perSecond: number, runs: readonly { bets: Pair; calls: Pair }[]): Section {
  const of = (what: "bets" | "calls", figureOf: (pair: Pair) => number): Spread => spread(runs.map((one) => figureOf(one[what])));
  const row = (name: string, what: "bets" | "calls"): string[] => [
    name,
    ...[
      (one: Pair) => one.before.latencyMs.p50,
      (one: Pair) => one.before.latencyMs.p99,
      (one: Pair) => one.during.latencyMs.p50,
      (one: Pair) => one.during.latencyMs.p99,
    ].map((figureOf) => spreadText(of(what, figureOf))),
  ];
  const ratio = ({ before, during }: Pair): number => during.latencyMs.p99 / before.latencyMs.p99;
  return {
    title: "A flood is its merchant's alone",
    method:
      `One merchant sends ${FLOOD_PER_SECOND} signed calls a second of which 5 are allowed, from ${FLOOD_ADDRESSES} addresses. ${OTHERS} others get ${figure(perSecond)} bets/s, then make ${OTHERS_PER_SECOND} signed calls a ` +
      `second, in open loops, before the flood and in it; the flood's own sender is on the same machine. Median (lowest-highest) of ${bench.options.runs} runs of ${bench.options.seconds} s.`,
    tables: [
      {
        title: "",
        columns: ["others'", "p50 before, ms", "p99 before, ms", "p50 in the flood, ms", "p99 in the flood, ms"],
        rows: [row("bets", "bets"), row("signed calls", "calls")],
      },
    ],
    targets: (["bets", "calls"] as const).map((what) => ({
      what: `others' p99 of ${what}, of what it was`,
      measured: of(what, ratio),
      bound: { atMost: 1.2 },
      unit: "",
    })),
    raw: runs,
  };
}
