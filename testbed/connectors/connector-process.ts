import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { compileCache } from "../programs/child.ts";

/** A connector as a process of its own, as `npm run connector` starts it. */
export class ConnectorProcess {
  readonly #api: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #output = "";

  private constructor(api: string, env: Readonly<Record<string, string>>) {
    this.#api = api;
    this.#env = env;
  }

  /** Resolves when the connector is ready. `env` has LOG_LEVEL info. */
  static async start(api: string, env: Readonly<Record<string, string>>): Promise<ConnectorProcess> {
    const started = new ConnectorProcess(api, env);
    await started.restart();
    return started;
  }

  /** The end of what the process has printed since its last start. */
  get output(): string {
    return this.#output;
  }

  /** Kills the process (SIGKILL). */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  }

  /** Kills the process if it runs, and starts it again on the same ports. */
  async restart(): Promise<void> {
    await this.kill();
    const child = spawn(process.execPath, ["connectors/main.ts", this.#api], {
      env: { PATH: process.env.PATH, ...compileCache(), ...this.#env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    running.add(child);
    child.once("exit", () => running.delete(child));
    this.#output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (piece: string) => {
        this.#output = (this.#output + piece).slice(-100_000);
      });
    while (!this.#output.includes("ready: wallet API")) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`the connector ended:\n${this.#output}`);
      await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    }
  }
}

const running = new Set<ChildProcess>();
// A connector is killed when the process that started it exits.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
