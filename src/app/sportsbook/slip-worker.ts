import type { Clock } from "../../ports/clock.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { SlipStore } from "../../ports/transactions/slip-store.ts";
import { Periodic } from "../runtime/periodic.ts";
import type { Slips } from "./slips.ts";

const SCAN_EVERY_MS = 1_000;
/**
 * The maximum of slips in progress that this replica took over from another process. Slips that came to this replica
 * don't count: otherwise a busy replica would take none over.
 */
const CONCURRENT_MAX = 256;

/**
 * Takes over slips whose process has died. Several replicas may do this, because a slip's lease lets only one process
 * write.
 */
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

  /** Takes over no further slip. Slips that are taken over already go on, and the promise does not wait for them. */
  stop(): Promise<void> {
    return this.#periodic.stop();
  }

  async #scan(stop: AbortSignal): Promise<void> {
    const room = this.#concurrentMax - this.#slips.takenUp;
    if (room <= 0) return;
    // The lease of a slip that this process drives may have expired, too: its bet or its refund takes long. These slips
    // take no place of the others.
    const due = await this.#store.due(room + this.#slips.active);
    for (const key of due.filter((one) => !this.#slips.drives(one)).slice(0, room)) {
      if (stop.aborted) return;
      await this.#slips
        .takeUp(key)
        .catch((cause) => this.#telemetry.error(`taking up slip ${key.merchantId}/${key.slipId}`, cause));
    }
  }
}
