import type { Clock } from "../../ports/clock.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { SlipStore } from "../../ports/transactions/slip-store.ts";
import { Periodic } from "../runtime/periodic.ts";
import type { Slips } from "./slips.ts";

const SCAN_EVERY_MS = 1_000;
/** Slips taken up and under way at once. Those that came to this replica don't count, or a busy one would take up none. */
const CONCURRENT_MAX = 256;

/** Goes on with slips whose process is gone. Any number of replicas may run it: the slip's lease is the fence. */
export class SlipWorker {
  readonly #periodic: Periodic;
  readonly #store: SlipStore;
  readonly #slips: Slips;
  readonly #telemetry: Telemetry;
  readonly #concurrentMax: number;

  constructor(store: SlipStore, slips: Slips, clock: Clock, telemetry: Telemetry, concurrentMax = CONCURRENT_MAX) {
    this.#store = store;
    this.#slips = slips;
    this.#telemetry = telemetry;
    this.#concurrentMax = concurrentMax;
    this.#periodic = new Periodic(
      clock,
      SCAN_EVERY_MS,
      (stop) => this.#scan(stop),
      (cause) => telemetry.error("looking for slips left behind", cause),
    );
  }

  start(): void {
    this.#periodic.start();
  }

  /** Takes up nothing new; what is under way ends by itself. */
  stop(): Promise<void> {
    return this.#periodic.stop();
  }

  async #scan(stop: AbortSignal): Promise<void> {
    const room = this.#concurrentMax - this.#slips.takenUp;
    if (room <= 0) return;
    for (const key of await this.#store.due(room)) {
      if (stop.aborted) return;
      await this.#slips.takeUp(key).catch((cause) => this.#telemetry.error(`taking up slip ${key.merchantId}/${key.slipId}`, cause));
    }
  }
}
