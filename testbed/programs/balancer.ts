import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isReady } from "../service/readiness.ts";
import { freePorts } from "./child.ts";
import { PROGRAM_ENV, programOf } from "./operations-program.ts";

/** The replicas in the configuration. */
const REPLICAS = 3;
/** The ports in the configuration: the balancer's REST and gRPC, then REST and gRPC of each replica. */
const PORTS = [18_080, 19_090, 18_081, 19_091, 18_082, 19_092, 18_083, 19_093] as const;

const CONFIGURATION = "deploy/balancer/haproxy.cfg";

/** HAProxy before three replicas, with the configuration of deploy/balancer/ on free ports. */
export class Balancer {
  /** The ports that callers use. */
  readonly ports: { readonly rest: number; readonly grpc: number };
  readonly #program: string;
  readonly #ports: readonly number[];
  readonly #ends: (() => void | Promise<void>)[] = [];

  private constructor(program: string, ports: readonly number[]) {
    const [rest = 0, grpc = 0] = ports;
    this.#program = program;
    this.#ports = ports;
    this.ports = { rest, grpc };
  }

  /** Chooses its ports. undefined: this machine does not have HAProxy. */
  static async choose(): Promise<Balancer | undefined> {
    const program = programOf("haproxy");
    return program === undefined ? undefined : new Balancer(program, await freePorts(PORTS.length));
  }

  /** The variables of the replica in this place: 0, 1 or 2. */
  portsOf(replica: number): { readonly REST_PORT: string; readonly GRPC_PORT: string } {
    if (replica >= REPLICAS) throw new Error(`the configuration has ${REPLICAS} replicas`);
    const [rest, grpc] = this.#ports.slice(2 * replica + 2);
    return { REST_PORT: String(rest), GRPC_PORT: String(grpc) };
  }

  /** Starts it. Resolves when it reaches a replica that is ready. */
  async start(): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "balancer-"));
    this.#ends.push(() => rmSync(folder, { recursive: true, force: true }));
    const configuration = join(folder, "configuration");
    // A port stands after an address, or in the checks of gRPC after the word port.
    const text = readFileSync(CONFIGURATION, "utf8").replace(/(?<=:|port )(1[89]0[89]\d)\b/g, (port) =>
      String(this.#ports[PORTS.indexOf(Number(port) as (typeof PORTS)[number])]),
    );
    writeFileSync(configuration, text);
    const child = spawn(this.#program, ["-db", "-f", configuration], {
      env: PROGRAM_ENV,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let log = "";
    child.stderr.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-2_000);
    });
    const killWithUs = (): void => void child.kill("SIGKILL");
    process.once("exit", killWithUs);
    this.#ends.push(async () => {
      process.off("exit", killWithUs);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    });
    while (!(await isReady(`http://127.0.0.1:${this.ports.rest}`))) {
      if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}:\n${log}`);
      await sleep(100);
    }
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }
}
