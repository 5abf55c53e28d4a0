/** `npm run faults -- database [--rounds N] [--only TEXT] [--seed S]`; docs/reliability.md has the results. */
import { parseArgs } from "node:util";
import { type DatabaseServer, startDatabaseServer } from "../../../testbed/database/server.ts";
import { abandonedFaults } from "./abandoned-faults.ts";
import { diskFull, openOnSmallDisk } from "./disk-faults.ts";
import { lineFaults } from "./line-faults.ts";
import { lockFaults } from "./lock-faults.ts";
import { RESTORED, restore } from "./restore.ts";
import { serverFaults } from "./server-faults.ts";
import { Stage } from "./stage.ts";
import { type Fault, type Struck, strike } from "./strike.ts";

const PLAY_MS = 1_000;
const RESTORED_PLAY_MS = 3_000;
const SHOWN_MAX = 10;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      /** The number of rounds. A round makes each fault once. */
      rounds: { type: "string", default: "1" },
      /** Only faults whose kind contains this text. */
      only: { type: "string", default: "" },
      seed: { type: "string", default: "1" },
    },
  });
  const started = performance.now();
  const server = await startDatabaseServer();
  const ends: (() => Promise<void>)[] = [() => server.stop()];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  const interrupted = () => void close().then(() => process.exit(130));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    const struck: Struck[] = [];
    const found = new Set<string>();
    const operations: Counted[] = [];
    const take = (round: number, one: Struck): void => {
      struck.push(one);
      console.error(`${round}: ${lineOf(one)}`);
      const fresh = one.violations
        .map((violation) => `${round}: ${violation.invariant} ${violation.key}: ${violation.what}`)
        .filter((text) => !found.has(text));
      for (const text of fresh.slice(0, SHOWN_MAX)) console.error(`VIOLATION ${text}`);
      if (fresh.length > SHOWN_MAX) console.error(`... and ${fresh.length - SHOWN_MAX} more`);
      for (const text of fresh) found.add(text);
    };
    /** Runs the faults of one server one after the other, each with its own database. */
    const act = async (
      round: number,
      on: DatabaseServer,
      faults: readonly Fault[],
      last?: (stage: Stage) => Promise<Struck>,
    ): Promise<void> => {
      const wanted = faults.filter(({ kind }) => kind.includes(values.only));
      if (wanted.length === 0 && (last === undefined || !RESTORED.includes(values.only))) return;
      const stage = await Stage.open(on, Number(values.seed) + round);
      ends.push(() => stage.close());
      for (const fault of wanted) take(round, await strike(stage, fault, PLAY_MS));
      if (last !== undefined && RESTORED.includes(values.only)) take(round, await last(stage));
      operations.push(counted(stage));
      ends.pop();
      await stage.close();
    };
    const disk = await openOnSmallDisk();
    if (disk === undefined) console.error("disk full is left out: only root may mount a small file system");
    else ends.push(() => disk.close());
    for (let round = 1; round <= Number(values.rounds); round++) {
      await act(round, server, [...serverFaults(), ...lineFaults(), ...lockFaults(), ...abandonedFaults()], (stage) =>
        restore(stage, RESTORED_PLAY_MS),
      );
      if (disk !== undefined) await act(round, disk.server, [diskFull(disk)]);
    }
    if (struck.length === 0) throw new Error(`--only ${values.only}: no fault has this text`);
    print(struck, operations, found.size, performance.now() - started);
    return found.size;
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    await close();
  }
}

type Counted = ReadonlyMap<string, number>;

/** The outcomes of a round's requests. */
function counted({ installation }: Stage): Counted {
  const word = ({ outcome }: (typeof installation.history.operations)[number]) =>
    outcome.kind === "refused" ? outcome.code : outcome.kind;
  return new Map([...Map.groupBy(installation.history.operations, word)].map(([name, all]) => [name, all.length]));
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
const lineOf = ({ kind, fired, acknowledged, longestSilenceMs, recoveredMs }: Struck): string =>
  `${kind}: ${fired} fired, ${acknowledged} acknowledged, ${seconds(longestSilenceMs)} s without any, ready ${seconds(recoveredMs)} s after`;

function print(struck: readonly Struck[], operations: readonly Counted[], violations: number, tookMs: number): void {
  const sum = (of: readonly number[]): number => of.reduce((total, one) => total + one, 0);
  const most = (of: readonly number[]): string => seconds(Math.max(...of));
  const lines = [...Map.groupBy(struck, ({ kind }) => kind)].map(([kind, all]) => {
    const columns = [all.length, sum(all.map((one) => one.fired)), sum(all.map((one) => one.acknowledged))];
    return `| ${kind} | ${columns.join(" | ")} | ${most(all.map((one) => one.longestSilenceMs))} | ${most(all.map((one) => one.recoveredMs))} |`;
  });
  const total = (name: string): number => sum(operations.map((one) => one.get(name) ?? 0));
  const codes = [...new Set(operations.flatMap((one) => [...one.keys()]))].filter(
    (name) => name !== "ok" && name !== "unknown",
  );
  const requests = sum(operations.flatMap((one) => [...one.values()]));
  console.log(
    [
      "| fault, everybody playing | times | fired | acknowledged meanwhile | longest time without any reply, s | longest from healing to all ready, s |",
      "|---|---:|---:|---:|---:|---:|",
      ...lines,
      "",
      `${requests} requests: ${total("ok")} with a result, ${total("unknown")} without a reply; refused: ${codes.map((code) => `${total(code)} ${code}`).join(", ")}.`,
      `${violations} violations, ${seconds(tookMs)} s.`,
    ].join("\n"),
  );
}
