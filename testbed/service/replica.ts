import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { compileCache } from "../programs/child.ts";
import { FREE_PORTS } from "./environment.ts";
import { isReady } from "./readiness.ts";

export interface ServicePorts {
  readonly rest: number;
  readonly grpc: number;
  readonly internalGrpc: number;
  readonly internalHttp: number;
}

const READY = /REST on port (\d+), gRPC on (\d+); inside: gRPC on (\d+), Connect and \/metrics on (\d+)/;

/** A service that listens on its ports. */
export interface Running {
  readonly ports: ServicePorts;
  /** The origin of its REST API. */
  readonly origin: string;
  /** Whether it is ready now. */
  isReady(): Promise<boolean>;
}

/** A release of the service: its folder with its packages, and the Node that runs it. */
export interface Release {
  readonly folder: string;
  readonly node: string;
}

/** The code of this checkout. */
export const THIS_RELEASE: Release = { folder: ".", node: process.execPath };

/** The variables that testbed/service/main.ts reads, and src/main.ts does not. */
const FOR_TESTS = ["GAS_FAILPOINTS", "LEASE_MARGIN_MS", "RESEND_FIRST_DELAY_MS"];

/** Where a release's process begins. Releases before 1.1 read the variables for tests in their own main file. */
const mainFile = (env: Readonly<Record<string, string>>, folder: string): string =>
  FOR_TESTS.some((name) => env[name] !== undefined) && existsSync(join(folder, "testbed/service/main.ts"))
    ? "testbed/service/main.ts"
    : "src/main.ts";

/** A process of the real service, started as `npm run serve` does. */
export class Replica implements Running {
  readonly process: ChildProcess;
  readonly ports: ServicePorts;
  /** The whole output of the process so far. */
  readonly output: () => string;

  private constructor(child: ChildProcess, ports: ServicePorts, output: () => string) {
    this.process = child;
    this.ports = ports;
    this.output = output;
  }

  /**
   * Starts the service and resolves when it is ready. If the service ends first, it throws an error with the service's
   * output. The caller must stop it.
   *
   * @param env - the process's environment. Without ports the process uses free ports.
   */
  static async start(
    env: Readonly<Record<string, string>>,
    args: readonly string[] = [],
    { folder, node }: Release = THIS_RELEASE,
  ): Promise<Replica> {
    const child = spawn(node, [mainFile(env, folder), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...compileCache(), ...FREE_PORTS, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    child.once("exit", () => running.delete(child));
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
      });
    }
    while (!READY.test(output)) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`the service ended with ${child.exitCode ?? child.signalCode}:\n${output}`);
      await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    }
    const [rest = 0, grpc = 0, internalGrpc = 0, internalHttp = 0] = (READY.exec(output) ?? []).slice(1).map(Number);
    return new Replica(child, { rest, grpc, internalGrpc, internalHttp }, () => output);
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.ports.rest}`;
  }

  isReady(): Promise<boolean> {
    return isReady(this.origin);
  }

  /** Resolves when the process has ended: to its exit code, or to the signal that ended it. */
  async ended(): Promise<number | NodeJS.Signals> {
    // `close` comes after `exit`, when all output has been read.
    if (this.isRunning) await once(this.process, "close");
    return this.process.signalCode ?? this.process.exitCode ?? 0;
  }

  /** Kills the process (SIGKILL). */
  async kill(): Promise<void> {
    this.signal("SIGKILL");
    await this.ended();
  }

  /** Sends SIGSTOP: the process stands still with open sockets until {@link resume}. */
  pause(): void {
    this.signal("SIGSTOP");
  }

  resume(): void {
    this.signal("SIGCONT");
  }

  /**
   * Sends SIGTERM: the process accepts no new requests and finishes the running requests. Resolves like {@link ended}.
   */
  drain(): Promise<number | NodeJS.Signals> {
    this.signal("SIGTERM");
    return this.ended();
  }

  signal(name: NodeJS.Signals): void {
    this.process.kill(name);
  }

  /** Kills the process unless it has ended. */
  async stop(): Promise<void> {
    if (this.isRunning) await this.kill();
  }
}

const running = new Set<ChildProcess>();
// A replica is killed when the process that started it exits.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
