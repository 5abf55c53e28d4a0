import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isReady } from "../service/readiness.ts";
import { PROGRAM_ENV, programOf } from "./operations-program.ts";
import { freePorts } from "./ports.ts";

/** The replicas in the configurations of deploy/balancer/. */
const REPLICAS = 3;
/** The ports in the configurations: the balancer's REST and gRPC, then REST and gRPC of each replica. */
const PORTS = [18_080, 19_090, 18_081, 19_091, 18_082, 19_092, 18_083, 19_093] as const;

/** In this time nginx has begun new workers, and calls of the old ones have ended. */
const RELOADED_MS = 2_000;
/** Folders of nginx that Debian's package would put under /var. */
const NGINX_FOLDERS = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`);

/** How a balancer is started with a configuration file. `folder`: a folder of its own. */
const KINDS = {
  haproxy: {
    file: "haproxy.cfg",
    adapt: (text: string) => text,
    options: (configuration: string, _folder: string) => ["-db", "-f", configuration],
  },
  nginx: {
    file: "nginx.conf",
    adapt: (text: string) =>
      text.replace("http {", `http {\n    ${NGINX_FOLDERS.join(" ")}`).replaceAll("/var/log/nginx/", ""),
    options: (configuration: string, folder: string) => {
      const user = process.getuid?.() === 0 ? " user root;" : "";
      return ["-p", folder, "-c", configuration, "-e", "stderr", "-g", `daemon off; pid pid;${user}`];
    },
  },
} as const;
export type BalancerKind = keyof typeof KINDS;
export const BALANCERS = Object.keys(KINDS) as readonly BalancerKind[];

/** A real balancer before three replicas, with its configuration of deploy/balancer/ on free ports. */
export class Balancer {
  /** The ports that callers use. */
  readonly ports: { readonly rest: number; readonly grpc: number };
  readonly #kind: BalancerKind;
  readonly #program: string;
  readonly #ports: readonly number[];
  readonly #ends: (() => void | Promise<void>)[] = [];
  #configuration = "";
  #child: ChildProcess | undefined;

  private constructor(kind: BalancerKind, program: string, ports: readonly number[]) {
    const [rest = 0, grpc = 0] = ports;
    this.#kind = kind;
    this.#program = program;
    this.#ports = ports;
    this.ports = { rest, grpc };
  }

  /** A balancer with free ports, not started yet. undefined: this machine does not have the program. */
  static async of(kind: BalancerKind): Promise<Balancer | undefined> {
    const program = programOf(kind);
    return program === undefined ? undefined : new Balancer(kind, program, await freePorts(PORTS.length));
  }

  /** The variables of the replica in this place: 0, 1 or 2. */
  portsOf(replica: number): { readonly REST_PORT: string; readonly GRPC_PORT: string } {
    if (replica >= REPLICAS) throw new Error(`the configurations have ${REPLICAS} replicas`);
    const [rest, grpc] = this.#ports.slice(2 * replica + 2);
    return { REST_PORT: String(rest), GRPC_PORT: String(grpc) };
  }

  /** Starts the balancer. Resolves when the balancer reaches a replica that is ready. */
  async start(): Promise<void> {
    const { options } = KINDS[this.#kind];
    const folder = mkdtempSync(join(tmpdir(), "balancer-"));
    this.#ends.push(() => rmSync(folder, { recursive: true, force: true }));
    this.#configuration = join(folder, "configuration");
    this.#write();
    const child = spawn(this.#program, options(this.#configuration, folder), {
      env: PROGRAM_ENV,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let log = "";
    child.stderr.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-2_000);
    });
    this.#child = child;
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
      if (child.exitCode !== null) throw new Error(`${this.#kind} ended with ${child.exitCode}:\n${log}`);
      await sleep(100);
    }
  }

  /**
   * Takes a replica out of nginx' configuration before it is stopped, and the others in. HAProxy's checks see by
   * themselves that a replica is not ready.
   *
   * @param replica - 0, 1 or 2; undefined: all replicas are in.
   */
  async takeOut(replica?: number): Promise<void> {
    if (this.#kind !== "nginx") return;
    this.#write(replica);
    this.#child?.kill("SIGHUP");
    await sleep(RELOADED_MS);
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }

  /**
   * Writes the configuration with the chosen ports.
   *
   * @param down - the replica that is taken out.
   */
  #write(down?: number): void {
    const { file, adapt } = KINDS[this.#kind];
    // A port stands after an address, or in HAProxy's checks of gRPC after the word port.
    const text = readFileSync(join("deploy/balancer", file), "utf8").replace(/(?<=:|port )(1[89]0[89]\d)\b/g, (port) =>
      String(this.#ports[PORTS.indexOf(Number(port) as (typeof PORTS)[number])]),
    );
    const out = down === undefined ? [] : Object.values(this.portsOf(down));
    const changed = out.reduce(
      (all, port) => all.replace(new RegExp(`(server 127.0.0.1:${port}[^;]*);`), "$1 down;"),
      text,
    );
    writeFileSync(this.#configuration, adapt(changed));
  }
}
