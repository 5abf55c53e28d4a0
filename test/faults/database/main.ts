/** `npm run faults -- database [--rounds N] [--only TEXT] [--seed S]`; docs/reliability.md has what it showed. */
import { parseArgs } from "node:util";
import { startMariaDb } from "../../harness/mariadb.ts";
import type { Violation } from "../../simulation/record.ts";
import { lineFaults } from "./line-faults.ts";
import { lockFaults } from "./lock-faults.ts";
import { serverFaults } from "./server-faults.ts";
import { Stage } from "./stage.ts";
import { type Struck, strike } from "./strike.ts";

const PLAY_MS = 1_000;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      /** Each fault once. */
      rounds: { type: "string", default: "1" },
      /** Faults whose kind contains this. */
      only: { type: "string", default: "" },
      seed: { type: "string", default: "1" },
    },
  });
  const started = performance.now();
  const server = await startMariaDb();
  const ends: (() => Promise<void>)[] = [() => server.stop()];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  const interrupted = () => void close().then(() => process.exit(130));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    const struck: Struck[] = [];
    const found = new Map<string, Violation>();
    const operations: Counted[] = [];
    for (let round = 1; round <= Number(values.rounds); round++) {
      const stage = await Stage.open(server, Number(values.seed) + round);
      ends.push(() => stage.close());
      const faults = [...serverFaults(), ...lineFaults(), ...lockFaults()].filter(({ kind }) => kind.includes(values.only));
      for (const fault of faults) {
        const one = await strike(stage, fault, PLAY_MS);
        struck.push(one);
        console.error(`${round}: ${lineOf(one)}`);
        for (const violation of one.violations) {
          const text = `${round}: ${violation.invariant} ${violation.key}: ${violation.what}`;
          if (!found.has(text)) console.error(`VIOLATION ${text}`);
          found.set(text, violation);
        }
      }
      operations.push(counted(stage));
      ends.pop();
      await stage.close();
    }
    print(struck, operations, found.size, performance.now() - started);
    return found.size;
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    await close();
  }
}

type Counted = ReadonlyMap<string, number>;

/** How a round's requests ended. */
function counted({ installation }: Stage): Counted {
  const word = ({ outcome }: (typeof installation.history.operations)[number]) => (outcome.kind === "refused" ? outcome.code : outcome.kind);
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
  const codes = [...new Set(operations.flatMap((one) => [...one.keys()]))].filter((name) => name !== "ok" && name !== "unknown");
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
