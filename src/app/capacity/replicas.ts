import { wholeMs } from "../../domain/values/whole-ms.ts";
import type { Clock } from "../../ports/clock.ts";
import type { HeartbeatStore } from "../../ports/heartbeat-store.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import { Periodic } from "../runtime/periodic.ts";

const EVERY_MS = 5_000;
/** A replica whose last three heartbeats are missing is no longer counted. */
const LIVE_MS = 15_000;

/** Counts the replicas among which the limits are divided. Each replica writes a heartbeat every 5 s. */
export class Replicas {
  readonly #store: HeartbeatStore;
  readonly #id: string;
  readonly #telemetry: Telemetry;
  readonly #periodic: Periodic;
  #live = 1;
  #heard = false;

  /** @param id - an id that no other replica has or had. */
  constructor(store: HeartbeatStore, id: string, clock: Clock, telemetry: Telemetry) {
    this.#store = store;
    this.#id = id;
    this.#telemetry = telemetry;
    this.#periodic = new Periodic(clock, EVERY_MS, () => this.#beat(), this.#report);
  }

  /**
   * The number of live replicas, this replica included. While the store can't be reached, this is the last known
   * number.
   */
  get live(): number {
    return this.#live;
  }

  /** Whether the store accepted the last heartbeat. */
  get heard(): boolean {
    return this.#heard;
  }

  /** Resolves after the first heartbeat. Never throws. */
  async start(): Promise<void> {
    await this.#beat().catch(this.#report);
    this.#periodic.start();
  }

  /** Ends the heartbeat. The other replicas get this replica's share of the limits with their next heartbeat. */
  async stop(): Promise<void> {
    await this.#periodic.stop();
    await this.#store.leave(this.#id).catch(this.#report);
  }

  async #beat(): Promise<void> {
    try {
      this.#live = Math.max(1, await this.#store.beat(this.#id, wholeMs(LIVE_MS)));
      this.#heard = true;
    } catch (cause) {
      this.#heard = false;
      throw cause;
    }
  }

  readonly #report = (cause: unknown): void => this.#telemetry.error("heartbeat", cause);
}
