/** Ends of processes without a failpoint, each in the middle of calls of every kind. */
import type { DatabaseServer } from "../../testbed/database/server.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import type { Stage } from "./stage.ts";

type Scenario = (stage: Stage, server: Pick<DatabaseServer, "kill" | "restart">) => Promise<void>;

/** The time of a stop in which the second signal must arrive, however busy the machine is. */
const STOP_TAKES_MS = 10_000;

const killed = (replicas: readonly Replica[]): Promise<void> =>
  Promise.all(replicas.map((replica) => replica.kill())).then(() => {});

/** The process finishes and answers its open calls, and ends with 0. */
export const drained: Scenario = async (stage) => {
  const outcomes = await stage.interrupt(1, async ([victim]) => {
    const ended = await victim?.drain();
    if (ended !== 0)
      stage.report(`a process that was told to stop ended with ${ended}:\n${victim?.output().slice(-2_000)}`);
  });
  const lost = outcomes.filter(({ kind }) => kind === "unknown").length;
  if (lost > 0) stage.report(`${lost} of ${outcomes.length} calls that were under way at a stop were never answered`);
};

/** The process ends at once, and another process takes its open calls over. */
export const stoppedTwice: Scenario = async (stage) => {
  const stopTwice = async ([victim]: readonly Replica[]): Promise<void> => {
    victim?.signal("SIGTERM");
    // The process is not ready as soon as it has handled the first signal.
    while (await victim?.isReady()) await new Promise((resolve) => void setTimeout(resolve, 10));
    victim?.signal("SIGTERM");
    const ended = await victim?.ended();
    if (ended !== "SIGTERM") stage.report(`a process that was told to stop twice ended with ${ended}`);
  };
  await stage.interrupt(1, stopTwice, { DRAIN_DELAY_MS: String(STOP_TAKES_MS) });
};

export const allKilled: Scenario = async (stage) => {
  await stage.interrupt(2, killed);
};

/** Kills all processes and the database at once, like a power failure. The wallet continues to run. */
export const powerCut: Scenario = async (stage, server) => {
  await stage.interrupt(1, async (replicas) => {
    await Promise.all([killed(replicas), server.kill()]);
    await server.restart();
  });
};

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "SIGTERM with calls under way": drained,
  "a second SIGTERM": stoppedTwice,
  "all replicas killed together": allKilled,
  "service and database killed together": powerCut,
};
