import { cutText } from "../../../domain/values/cut-text.ts";
import { wholeMs } from "../../../domain/values/whole-ms.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { AlertName, Telemetry } from "../../../ports/telemetry.ts";
import {
  ALERT_BYTES_MAX,
  type AlertKey,
  type AlertLine,
  type AlertStore,
} from "../../../ports/transactions/alert-store.ts";
import { Periodic } from "../../runtime/periodic.ts";
import type { Settings } from "../../runtime/settings.ts";
import { GOES_ON_EVERY_MS, GOES_ON_MS, lastsMs } from "./closes.ts";
import type { RaisedAlert, RaisedAlerts } from "./raised-alerts.ts";

/** How often this replica stores its alerts. Without an alert a round does nothing. */
const EVERY_MS = 2_000;

/** A trouble of a merchant's wallet that this replica sees now. */
export interface Trouble {
  readonly alert: AlertName;
  readonly merchantId: number;
}

/**
 * Stores the alerts of this replica for the console, in the background. While the database is down the alerts wait. A
 * process that dies loses the record of its last seconds: the log has every alert.
 */
export class AlertRecorder {
  readonly #raised: RaisedAlerts;
  readonly #store: AlertStore;
  readonly #settings: Pick<Settings, "merchantById">;
  readonly #troubles: () => readonly Trouble[];
  readonly #replica: string;
  readonly #clock: Clock;
  readonly #periodic: Periodic;
  #toldAt: number;

  /**
   * @param troubles - what goes on now. Its alerts were raised when it began.
   * @param replica - the name of this machine.
   */
  constructor(
    raised: RaisedAlerts,
    store: AlertStore,
    settings: Pick<Settings, "merchantById">,
    troubles: () => readonly Trouble[],
    clock: Clock,
    telemetry: Pick<Telemetry, "error">,
    replica: string,
  ) {
    this.#raised = raised;
    this.#store = store;
    this.#settings = settings;
    this.#troubles = troubles;
    this.#replica = cutText(replica, ALERT_BYTES_MAX.replica);
    this.#clock = clock;
    this.#toldAt = clock.monotonic();
    this.#periodic = new Periodic(
      clock,
      EVERY_MS,
      () => this.#round(),
      (cause) => telemetry.error("storing alerts", cause),
    );
  }

  start(): void {
    this.#periodic.start();
  }

  /** Stores the alerts that wait. */
  async stop(): Promise<void> {
    await this.#periodic.stop();
    await this.#flush().catch(() => {});
  }

  async #round(): Promise<void> {
    try {
      await this.#flush();
      if (this.#clock.monotonic() - this.#toldAt < GOES_ON_EVERY_MS) return;
      this.#toldAt = this.#clock.monotonic();
      await this.#tell();
    } catch (cause) {
      // These alerts may close before the database is back. So they are opened anew then.
      for (const { alert, merchantId } of this.#troubles()) this.#raised.goesOn(alert, merchantId);
      throw cause;
    }
  }

  async #flush(): Promise<void> {
    const raised = this.#raised.take();
    if (raised.length === 0) return;
    try {
      await this.#store.add(raised.map((alert) => this.#line(alert)));
    } catch (cause) {
      this.#raised.putBack(raised);
      throw cause;
    }
  }

  /** Tells the store which alerts go on. */
  async #tell(): Promise<void> {
    const keys = this.#troubles().map(
      ({ alert, merchantId }): AlertKey => ({ name: alert, subject: this.#subject(merchantId) }),
    );
    await this.#store.extend(keys, wholeMs(GOES_ON_MS));
  }

  #line({ name, subject, count, firstAt, lastAt, txId, detail }: RaisedAlert): AlertLine {
    const now = this.#clock.monotonic();
    return {
      name,
      subject: this.#subject(subject),
      count,
      firstAgoMs: wholeMs(now - firstAt),
      lastAgoMs: wholeMs(now - lastAt),
      txId: cutText(txId, ALERT_BYTES_MAX.txId),
      detail: cutText(detail, ALERT_BYTES_MAX.detail),
      replica: this.#replica,
      lastsMs: lastsMs(name),
    };
  }

  #subject(subject: string | number): string {
    const text = typeof subject === "number" ? (this.#settings.merchantById(subject)?.code ?? `#${subject}`) : subject;
    return cutText(text, ALERT_BYTES_MAX.subject);
  }
}
