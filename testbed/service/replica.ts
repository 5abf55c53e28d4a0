import { once } from "node:events";
import { startReplica, type Replica as WorldReplica } from "../stage/world.ts";
import { isReady } from "./readiness.ts";

/** A process of the real service, `npm run serve`, and what may be done to it. */
export class Replica {
  readonly ports: WorldReplica["ports"];
  readonly #world: WorldReplica;

  private constructor(world: WorldReplica) {
    this.#world = world;
    this.ports = world.ports;
    running.add(this);
  }

  /** Resolves when it is ready. */
  static async start(env: Readonly<Record<string, string>>): Promise<Replica> {
    return new Replica(await startReplica(env));
  }

  get pid(): number {
    return this.#world.process.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#world.process.exitCode === null && this.#world.process.signalCode === null;
  }

  /** Whether it calls itself ready now. */
  isReady(): Promise<boolean> {
    return isReady(`http://127.0.0.1:${this.ports.rest}`);
  }

  /** Everything it printed so far. */
  get output(): string {
    return this.#world.output();
  }

  /** How it ended: its exit code, or the signal. Resolves when it has. */
  async ended(): Promise<number | NodeJS.Signals> {
    const { process: child } = this.#world;
    // Not `exit`: what it printed last must be here, too.
    if (this.isRunning) await once(child, "close");
    return child.signalCode ?? child.exitCode ?? 0;
  }

  /** kill -9. */
  async kill(): Promise<void> {
    this.signal("SIGKILL");
    await this.ended();
  }

  /** Stands still from now on, its sockets open. */
  pause(): void {
    this.signal("SIGSTOP");
  }

  goOn(): void {
    this.signal("SIGCONT");
  }

  /** SIGTERM: takes nothing new, finishes what runs. Resolves to how it ended. */
  drain(): Promise<number | NodeJS.Signals> {
    this.signal("SIGTERM");
    return this.ended();
  }

  signal(name: NodeJS.Signals): void {
    this.#world.process.kill(name);
  }

  /** In whatever state it is. */
  async stop(): Promise<void> {
    running.delete(this);
    if (this.isRunning) await this.kill();
  }
}

const running = new Set<Replica>();
// None outlives who started it.
process.once("exit", () => {
  for (const replica of running) replica.signal("SIGKILL");
});
