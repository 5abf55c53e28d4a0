/**
 * `npm run faults -- cluster [--rounds N] [--only TEXT] [--copies N] [--looks N] [--nonces N] [--seed S]`;
 * docs/reliability.md has the results.
 */
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { judge } from "../../../testbed/judge/judge.ts";
import { type Violation, violation } from "../../../testbed/judge/record.ts";
import { settled } from "../../../testbed/judge/stored-rows.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { copies, looks, nonces, type Probed } from "./probes.ts";
import { Stage } from "./stage.ts";

const WARM_UP_MS = 1_500;
const SETTLED_WITHIN_MS = 60_000;

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

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
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
  execFileSync(process.execPath, ["tools/system-packages.mjs", "cluster"], { stdio: "inherit" });
  // Each started process adds a listener that ends it together with this process.
  process.setMaxListeners(0);
  const started = performance.now();
  let close = async (): Promise<void> => {};
  const interrupted = () => void close().finally(() => process.exit(130));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  const stage = await Stage.set(Number(values.seed));
  close = () => stage.close();
  try {
    const found = new Map<string, Violation>();
    const keep = (violations: readonly Violation[]): void => {
      for (const one of violations) {
        const text = `${one.invariant} ${one.key}: ${one.what}`;
        if (!found.has(text)) console.error(`VIOLATION ${text}`);
        found.set(text, one);
      }
    };
    const struck: Struck[] = [];
    for (let round = 1; round <= Number(values.rounds); round++) {
      for (const fault of FAULTS.filter(({ kind }) => kind.includes(values.only))) {
        struck.push(await strike(stage, fault));
        keep(await judged(stage));
        console.error(`${round}: ${lineOf(struck.at(-1) as Struck)}`);
      }
    }
    const probed: Probed[] = [];
    for (const [probe, rounds] of [
      [copies, Number(values.copies)],
      [looks, Number(values.looks)],
      [nonces, Number(values.nonces)],
    ] as const) {
      if (rounds === 0) continue;
      const one = await probe(stage, rounds);
      probed.push(one);
      keep([...one.violations, ...(await judged(stage))]);
    }
    print(stage, struck, probed, found.size, performance.now() - started);
    return found.size;
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    await stage.close();
  }
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

/** Waits until all work has ended, judges the run, and compares the three nodes. */
async function judged(stage: Stage): Promise<Violation[]> {
  const { installation, replicas } = stage;
  await settled(installation.database, SETTLED_WITHIN_MS);
  const ended = replicas
    .filter((replica) => !replica.isRunning)
    .map(({ output }) => `a replica ended by itself:\n${output().slice(-2_000)}`);
  const broken = installation.history.operations.flatMap(({ content, outcome }) =>
    outcome.kind === "refused" && outcome.code === "INTERNAL_ERROR"
      ? [`${content.txId} was answered INTERNAL_ERROR`]
      : [],
  );
  const conditions = { healed: true, standstills: [], bugs: [...ended, ...broken] };
  const origin = `http://127.0.0.1:${replicas[0]?.ports.rest}`;
  const tables = await stage.differences();
  const different = tables.map((table) => violation("I3", table, "isn't the same on all nodes"));
  return [...(await judge(installation, conditions, origin)), ...different];
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
