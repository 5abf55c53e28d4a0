/** The connectors of `npm start`: each is a process of its own, as `npm run connector` starts it. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

interface LogLine {
  readonly level: number;
  readonly msg: string;
}

const WARN = 40;

/**
 * Starts a connector and resolves when it is ready; never, if it ends before. Its warnings go to stderr.
 *
 * @param settings - all environment variables of the connector.
 * @param heard - gets the process at once.
 */
export function startConnector(
  name: string,
  settings: Readonly<Record<string, string>>,
  heard: (child: ChildProcess) => void,
): Promise<void> {
  const child = spawn(process.execPath, ["connectors/main.ts", name], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      LOG_LEVEL: "info",
      DRAIN_DELAY_MS: "0",
      ...settings,
    },
  });
  heard(child);
  return new Promise((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { level, msg } = JSON.parse(line) as LogLine;
      if (level >= WARN) console.error(line);
      if (msg.startsWith("ready:")) resolve();
    });
  });
}
