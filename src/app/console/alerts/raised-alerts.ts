import type { Clock } from "../../../ports/clock.ts";
import type { AlertFields, AlertName, LogIds, TelemetryListener } from "../../../ports/telemetry.ts";

/** The maximum of alerts with different names or subjects that wait for the store. Further ones are not recorded. */
const WAITING_MAX = 1_000;

/** An alert of this replica with its occurrences that are not stored yet. */
export interface RaisedAlert {
  readonly name: AlertName;
  /** A merchant's code or row number, a kind of key, or empty. */
  readonly subject: string | number;
  readonly count: number;
  /** The first and the last occurrence, by Clock.monotonic(). */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly txId: string;
  readonly detail: string;
}

/** The alerts of this replica that wait for the store. To note an alert costs one entry of a map. */
export class RaisedAlerts implements TelemetryListener {
  readonly #clock: Pick<Clock, "monotonic">;
  #waiting = new Map<string, RaisedAlert>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  alert(name: AlertName, fields: AlertFields, ids?: LogIds): void {
    const { merchant, merchant_id: merchantId, key_kind: keyKind, slip_id: slipId, day, ggr, why, address } = fields;
    const at = this.#clock.monotonic();
    this.#add({
      name,
      // An address is no subject, because callers could make any number of them.
      subject:
        merchant === undefined && typeof merchantId === "number" ? merchantId : String(merchant ?? keyKind ?? ""),
      count: 1,
      firstAt: at,
      lastAt: at,
      txId: String(fields.tx_id ?? ids?.tx_id ?? ""),
      detail: String(slipId ?? (day && ggr ? `${day} ${ggr}` : day) ?? why ?? address ?? ""),
    });
  }

  /** Notes that an alert goes on, unless it waits already. */
  goesOn(name: AlertName, subject: number): void {
    if (!this.#waiting.has(keyOf({ name, subject }))) this.alert(name, { merchant_id: subject });
  }

  /** Takes all alerts that wait. */
  take(): RaisedAlert[] {
    const waiting = [...this.#waiting.values()];
    this.#waiting = new Map();
    return waiting;
  }

  /** Puts alerts back that could not be stored. */
  putBack(alerts: readonly RaisedAlert[]): void {
    const newer = this.take();
    for (const alert of [...alerts, ...newer]) this.#add(alert);
  }

  #add(alert: RaisedAlert): void {
    const key = keyOf(alert);
    const known = this.#waiting.get(key);
    if (known === undefined && this.#waiting.size >= WAITING_MAX) return;
    const { count, firstAt } = known ?? { count: 0, firstAt: alert.firstAt };
    this.#waiting.set(key, { ...alert, count: count + alert.count, firstAt });
  }
}

const keyOf = ({ name, subject }: Pick<RaisedAlert, "name" | "subject">): string =>
  typeof subject === "number" ? `${name} #${subject}` : `${name} ${subject}`;
