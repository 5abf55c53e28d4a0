/** A kit's example wallet, as a process of its own. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Currency } from "../../../certify/wallet/calls/money.ts";
import { freePort } from "../../../testbed/programs/ports.ts";
import { type Command, start } from "../../../testbed/programs/toolchain.ts";

const LISTENS_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 10_000;

/** The players of each merchant who may play. The player `blocked` is blocked. */
export const PLAYERS = ["ana", "rui", "eva", "leo"] as const;
export const OPENING_MINOR = 10_000;

/** The secrets of the example's merchants. */
const SECRETS = {
  shop: ["sk_shop"],
  other: ["sk_other"],
  /** This merchant's secret is being changed. */
  turning: ["sk_turning_old", "sk_turning_new"],
} as const;

interface ExampleOptions {
  readonly currency?: Currency;
  /** The path of the SQLite file. Without a path the wallet keeps everything in memory. */
  readonly database?: string;
}

interface Example {
  readonly url: URL;
  /** Sends SIGTERM. Throws when the process does not end. */
  stop(): Promise<void>;
  /** The resident memory of the process and its children, in MiB; 0 on systems without /proc. */
  memoryMib(): number;
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>;
}

/** The resident memory of all processes in the process group of this process. */
function memoryMib(group: number): number {
  if (!existsSync("/proc/self/stat")) return 0;
  let pages = 0;
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(fields[2]) === group) pages += Number(fields[21]);
    } catch {
      // The process has ended meanwhile.
    }
  }
  return Math.round(pages / 256);
}

/** Starts the example. Resolves when it listens. The process ends with the test. */
export async function startExample(
  t: { teardown(end: () => Promise<void>): void },
  command: Command,
  { currency = "BRL", database = "" }: ExampleOptions = {},
): Promise<Example> {
  const merchants = Object.entries(SECRETS).map(([code, secrets]) => ({ code, secrets, currency }));
  const players = merchants.flatMap(({ code: merchant }) =>
    [...PLAYERS, "blocked"].map((id) => ({
      merchant,
      id,
      balance_minor: OPENING_MINOR,
      blocked: id === "blocked",
    })),
  );
  const port = await freePort();
  const env = {
    PORT: String(port),
    MERCHANTS: JSON.stringify(merchants),
    PLAYERS: JSON.stringify(players),
    DATABASE: database,
  };
  const example = start({ ...command, env: { ...command.env, ...env } });
  const end = async (signal: NodeJS.Signals): Promise<boolean> => {
    example.end(signal);
    return Promise.race([
      example.ended.then(() => true),
      sleep(ENDS_WITHIN_MS, undefined, { ref: false }).then(() => false),
    ]);
  };
  const kill = async (): Promise<void> => void (await end("SIGKILL"));
  t.teardown(kill);
  const url = `http://127.0.0.1:${port}/wallet`;
  const until = performance.now() + LISTENS_WITHIN_MS;
  while (!example.output().includes(`listening on ${url}`)) {
    const { exitCode, signalCode } = example.process;
    if (exitCode !== null || signalCode !== null || performance.now() > until)
      throw new Error(`The example wallet did not print "listening on ${url}":\n${example.log()}`);
    await Promise.race([sleep(20), example.ended]);
  }
  return {
    url: new URL(url),
    kill,
    memoryMib: () => memoryMib(example.process.pid ?? 0),
    async stop() {
      if (await end("SIGTERM")) return;
      throw new Error(`The example wallet did not end within ${ENDS_WITHIN_MS} ms of SIGTERM:\n${example.log()}`);
    },
  };
}
