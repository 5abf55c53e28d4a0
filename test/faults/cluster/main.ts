/**
 * `npm run faults -- cluster [--engine galera|mysql|vitess] [--primaries single|multi] [--rounds N] [--only TEXT] [--copies N]
 * [--looks N] [--nonces N] [--seed S]`; docs/reliability.md has the results.
 */
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import type { Cluster } from "../../../testbed/cluster/cluster.ts";
import { GaleraCluster } from "../../../testbed/cluster/galera-cluster.ts";
import { GroupCluster } from "../../../testbed/cluster/group-cluster.ts";
import { VitessCluster } from "../../../testbed/cluster/vitess-cluster.ts";
import { type Violation, violation } from "../../../testbed/judge/record.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { copies, looks, nonces, type Probed } from "./probes.ts";
import { Stage } from "./stage.ts";
import { VITESS_FAULTS } from "./vitess-faults.ts";

const WARM_UP_MS = 1_500;

/** The result of one fault. */
interface Struck {
  readonly fault: Fault;
  /** Replies with a result during and after the fault, and the longest time without one at any replica. */
  readonly acknowledged: number;
  readonly longestSilenceMs: number;
  /** From the beginning of the healing until every node is up to date and every replica ready. */
  readonly recoveredMs: number;
  readonly note: string;
}

interface Wanted {
  readonly rounds: number;
  readonly only: string;
  readonly copies: number;
  readonly looks: number;
  readonly nonces: number;
  readonly seed: number;
}

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      /** `galera`: MariaDB with Galera. `mysql`: MySQL with group replication. `vitess`: a shard of three tablets. */
      engine: { type: "string", default: "galera" },
      /** With MySQL: `single` (one member takes writes) or `multi` (all do). By default one after the other. */
      primaries: { type: "string" },
      /** Makes each fault at each target this many times. */
      rounds: { type: "string", default: "1" },
      /** Only faults whose kind contains this text. */
      only: { type: "string", default: "" },
      copies: { type: "string", default: "10" },
      looks: { type: "string", default: "1000" },
      nonces: { type: "string", default: "100" },
      seed: { type: "string", default: "1" },
    },
  });
  const wanted: Wanted = {
    rounds: Number(values.rounds),
    only: values.only,
    copies: Number(values.copies),
    looks: Number(values.looks),
    nonces: Number(values.nonces),
    seed: Number(values.seed),
  };
  const clusters = clustersOf(values.engine, values.primaries);
  if (faultsOf(wanted, values.engine).length === 0)
    throw new Error(`--only ${wanted.only}: no fault has this text. They are ${[...KINDS].join(", ")}`);
  execFileSync(process.execPath, ["tools/system-packages.mjs", "cluster"], { stdio: "inherit" });
  // Each started process adds a listener that ends it together with this process.
  process.setMaxListeners(0);
  let close = async (): Promise<void> => {};
  const interrupted = () => void close().finally(() => process.exit(130));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  let violations = 0;
  for (const begin of clusters) {
    const stage = await Stage.set(await begin(), wanted.seed);
    close = () => stage.close();
    violations += await breakCluster(stage, wanted, faultsOf(wanted, values.engine)).finally(close);
    close = async () => {};
  }
  process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
  return violations;
}

const ALL: Readonly<Record<string, readonly Fault[]>> = { vitess: [...FAULTS, ...VITESS_FAULTS] };
const KINDS = new Set(Object.values(ALL).flatMap((faults) => faults.map(({ kind }) => kind)));
const faultsOf = ({ only }: Wanted, engine: string): readonly Fault[] =>
  (ALL[engine] ?? FAULTS).filter(({ kind }) => kind.includes(only));

function clustersOf(engine: string, primaries: string | undefined): readonly (() => Promise<Cluster>)[] {
  if (engine === "galera" && primaries === undefined) return [GaleraCluster.begin];
  if (engine === "vitess" && primaries === undefined) return [() => VitessCluster.begin()];
  if (engine === "mysql" && primaries === undefined)
    return [() => GroupCluster.begin("single"), () => GroupCluster.begin("multi")];
  if (engine === "mysql" && (primaries === "single" || primaries === "multi"))
    return [() => GroupCluster.begin(primaries)];
  throw new Error("--engine must be galera, mysql or vitess, and --primaries, only with mysql, single or multi");
}

/** Returns the number of violations. */
async function breakCluster(stage: Stage, wanted: Wanted, faults: readonly Fault[]): Promise<number> {
  const started = performance.now();
  const found = new Map<string, Violation>();
  const keep = (violations: readonly Violation[]): void => {
    for (const one of violations) {
      const text = `${one.invariant} ${one.key}: ${one.what}`;
      if (!found.has(text)) console.error(`VIOLATION ${text}`);
      found.set(text, one);
    }
  };
  const struck: Struck[] = [];
  for (let round = 1; round <= wanted.rounds; round++) {
    for (const fault of faults) {
      struck.push(await strike(stage, fault));
      keep(await stage.judged());
      keep(((await fault.wrong?.(stage)) ?? []).map((what) => violation("I0", `${fault.kind} ${fault.of}`, what)));
      console.error(`${round}: ${lineOf(struck.at(-1) as Struck)}`);
    }
  }
  const probed: Probed[] = [];
  for (const [probe, rounds] of [
    [copies, wanted.copies],
    [looks, wanted.looks],
    [nonces, wanted.nonces],
  ] as const) {
    if (rounds === 0) continue;
    const one = await probe(stage, rounds);
    probed.push(one);
    keep([...one.violations, ...(await stage.judged())]);
  }
  print(stage, struck, probed, found.size, performance.now() - started);
  return found.size;
}

async function strike(stage: Stage, fault: Fault): Promise<Struck> {
  const { players } = stage;
  players.play();
  await pause(WARM_UP_MS);
  await fault.strike(stage);
  await pause(fault.forMs);
  const begun = performance.now();
  const note = await fault.heal(stage);
  await stage.untilReady();
  const recoveredMs = performance.now() - begun;
  await pause(WARM_UP_MS);
  await players.pause();
  const { acknowledged, longestSilenceMs } = players;
  return { fault, acknowledged, longestSilenceMs, recoveredMs, note };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
const lineOf = ({ fault, acknowledged, longestSilenceMs, recoveredMs, note }: Struck): string =>
  `${fault.kind}, ${fault.of}: ${acknowledged} acknowledged, ${seconds(longestSilenceMs)} s without any, whole again after ${seconds(recoveredMs)} s${note === "" ? "" : ` (${note})`}`;

function print(
  stage: Stage,
  struck: readonly Struck[],
  probed: readonly Probed[],
  violations: number,
  tookMs: number,
): void {
  const { operations } = stage.installation.history;
  const count = (kind: string) => operations.filter(({ outcome }) => outcome.kind === kind).length;
  const spread = (of: readonly number[]): string =>
    of.length === 1 ? seconds(of[0] as number) : `${seconds(Math.min(...of))} to ${seconds(Math.max(...of))}`;
  const lines = [...Map.groupBy(struck, ({ fault }) => fault.kind)].map(([kind, all]) => {
    const silence = spread(all.map((one) => one.longestSilenceMs));
    const recovered = spread(all.map((one) => one.recoveredMs));
    return `| ${kind} | ${all.length} | ${all.reduce((sum, one) => sum + one.acknowledged, 0)} | ${silence} | ${recovered} |`;
  });
  const refusals = Map.groupBy(operations, ({ outcome }) => (outcome.kind === "refused" ? outcome.code : ""));
  refusals.delete("");
  console.log(
    [
      `${stage.cluster.name}:`,
      "",
      "| fault, everybody playing | times | acknowledged meanwhile | longest time without any reply, s | from healing to all ready, s |",
      "|---|---:|---:|---:|---:|",
      ...lines,
      "",
      ...probed.map(({ what, result }) => `- ${what}: ${result}.`),
      "",
      `${operations.length} requests: ${count("ok")} with a result, ${count("unknown")} without a reply, ${count("refused")} refused (${[...refusals].map(([code, all]) => `${all.length} ${code}`).join(", ")}).`,
      `${violations} violations, ${seconds(tookMs)} s.`,
    ].join("\n"),
  );
}
