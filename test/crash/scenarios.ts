/** Ends of processes that no failpoint makes. */
import type { MariaDb } from "../harness/mariadb.ts";
import type { Replica } from "../rig/replica.ts";
import type { Violation } from "../simulation/record.ts";
import { credentialsUsedUp } from "./credentials.ts";
import { Stage } from "./stage.ts";

export type Scenario = (server: Pick<MariaDb, "createDatabase" | "kill" | "restart">, seed: number) => Promise<Violation[]>;

/** A second signal comes while the first one's work is under way. */
const BETWEEN_SIGNALS_MS = 50;

async function staged(databaseUrl: string, seed: number, play: (stage: Stage) => Promise<void>): Promise<Violation[]> {
  const stage = await Stage.open(databaseUrl, seed);
  try {
    await play(stage);
  } catch (cause) {
    await stage.abandon();
    throw cause;
  }
  return stage.end();
}

const killed = (replicas: readonly Replica[]): Promise<void> => Promise.all(replicas.map((replica) => replica.kill())).then(() => {});

/** SIGTERM: all that is under way is finished and answered, and the process ends well. */
const drained: Scenario = async (server, seed) =>
  staged(await server.createDatabase(), seed, async (stage) => {
    const outcomes = await stage.interrupt(1, async ([victim]) => {
      const ended = await victim?.drain();
      if (ended !== 0) stage.report(`a process that was told to stop ended with ${ended}:\n${victim?.output.slice(-2_000)}`);
    });
    const lost = outcomes.filter(({ kind }) => kind === "unknown").length;
    if (lost > 0) stage.report(`${lost} of ${outcomes.length} calls that were under way at a stop were never answered`);
  });

/** A second SIGTERM: the process is gone at once, and what was under way is taken up by another. */
const stoppedTwice: Scenario = async (server, seed) =>
  staged(await server.createDatabase(), seed, async (stage) => {
    await stage.interrupt(1, async ([victim]) => {
      victim?.signal("SIGTERM");
      await new Promise((resolve) => void setTimeout(resolve, BETWEEN_SIGNALS_MS));
      victim?.signal("SIGTERM");
      const ended = await victim?.ended();
      if (ended !== "SIGTERM") stage.report(`a process that was told to stop twice ended with ${ended}`);
    });
  });

const allKilled: Scenario = async (server, seed) =>
  staged(await server.createDatabase(), seed, async (stage) => {
    await stage.interrupt(2, killed);
  });

/** Service and database at once, as when the power goes; the wallet is elsewhere. */
const powerCut: Scenario = async (server, seed) =>
  staged(await server.createDatabase(), seed, async (stage) => {
    await stage.interrupt(2, async (replicas) => {
      await Promise.all([killed(replicas), server.kill()]);
      await server.restart();
    });
  });

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "SIGTERM with calls under way": drained,
  "a second SIGTERM": stoppedTwice,
  "all replicas killed together": allKilled,
  "service and database killed together": powerCut,
  "CP16, CP17: credentials used up": credentialsUsedUp,
};
