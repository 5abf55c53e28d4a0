import type { Clock } from "../../../ports/clock.ts";
import type { Telemetry } from "../../../ports/telemetry.ts";
import type { AlertStore } from "../../../ports/transactions/alert-store.ts";
import type { StuckMoney, StuckQuery } from "../../../ports/transactions/stuck-money.ts";
import { Periodic } from "../../runtime/periodic.ts";
import type { Settings } from "../../runtime/settings.ts";
import { STUCK_ALERTS } from "./closes.ts";

const EVERY_MS = 60_000;
/**
 * An alert about stuck money is examined this long after its last occurrence. Stuck money is noted when the change gets
 * its number, which is about a second after the alert.
 */
const QUIET_MS = 600_000;
/** The maximum of alerts of one read. */
const READ_AT_ONCE = 100;

/** Closes the alerts about stuck money of merchants that have no such money any more. */
export class AlertCloser {
  readonly #store: AlertStore;
  readonly #stuck: Pick<StuckMoney, "list" | "slips">;
  readonly #settings: Pick<Settings, "merchant">;
  readonly #horizonMs: number;
  readonly #periodic: Periodic;

  constructor(
    store: AlertStore,
    stuck: Pick<StuckMoney, "list" | "slips">,
    settings: Pick<Settings, "merchant">,
    { horizonMs }: { readonly horizonMs: number },
    clock: Clock,
    telemetry: Pick<Telemetry, "error">,
  ) {
    this.#store = store;
    this.#stuck = stuck;
    this.#settings = settings;
    this.#horizonMs = horizonMs;
    this.#periodic = new Periodic(
      clock,
      EVERY_MS,
      (stop) => this.#round(stop),
      (cause) => telemetry.error("closing alerts", cause),
    );
  }

  start(): void {
    this.#periodic.start();
  }

  stop(): Promise<void> {
    return this.#periodic.stop();
  }

  async #round(stop: AbortSignal): Promise<void> {
    for (const [name, kind] of STUCK_ALERTS)
      for (let after = "", isLast = false; !isLast; ) {
        const alerts = await this.#store.quiet(name, QUIET_MS, after, READ_AT_ONCE);
        for (const alert of alerts) {
          if (stop.aborted) return;
          const merchant = this.#settings.merchant(alert.subject);
          if (merchant === undefined || !(await this.#has(kind, merchant.id)))
            await this.#store.close(alert, alert.lastAt);
        }
        isLast = alerts.length < READ_AT_ONCE;
        after = alerts.at(-1)?.subject ?? "";
      }
  }

  async #has(kind: StuckQuery["kind"] | "slip", merchantId: number): Promise<boolean> {
    const query = { merchantIds: [merchantId], olderThanMs: 0 };
    const found =
      kind === "slip"
        ? await this.#stuck.slips(query, 1)
        : await this.#stuck.list({ ...query, kind, horizonMs: this.#horizonMs }, 1);
    return found.length > 0;
  }
}
