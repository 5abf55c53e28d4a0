import type { DbTime } from "../../domain/transaction/transaction.ts";
import { cutText } from "../../domain/values/cut-text.ts";
import { type WholeMs, wholeMs } from "../../domain/values/whole-ms.ts";
import type { Clock } from "../../ports/clock.ts";
import { OpenFailed } from "../../ports/sources/game-launcher.ts";
import { HOUR_MS, MESSAGE_MAX_BYTES, type SourceHour, type SourceHours } from "../../ports/sources/source-hours.ts";
import type { SourceAnswer, Telemetry, TelemetryListener } from "../../ports/telemetry.ts";
import { Periodic } from "../runtime/periodic.ts";
import type { Settings } from "../runtime/settings.ts";

/** How often this replica stores its new results. */
const EVERY_MS = 2_000;
/** The maximum of results that wait because they could not be stored. If there are more, the oldest are dropped. */
const WAITING_MAX = 10_000;

/** Counts how sources answer this replica's launches, and stores the results by hour. */
export class SourceRecorder implements TelemetryListener {
  readonly #store: SourceHours;
  readonly #replica: string;
  readonly #settings: Pick<Settings, "databaseNow">;
  readonly #periodic: Periodic;
  /** The results of the present hour by source. */
  readonly #hour = new Map<string, SourceHour>();
  #hourAt: DbTime = 0;
  /** The results that are not stored yet, by source and hour. */
  readonly #waiting = new Map<string, SourceHour>();

  /** @param replica - the id of this process. */
  constructor(
    store: SourceHours,
    replica: string,
    settings: Pick<Settings, "databaseNow">,
    clock: Clock,
    telemetry: Telemetry,
  ) {
    this.#store = store;
    this.#replica = replica;
    this.#settings = settings;
    this.#periodic = new Periodic(
      clock,
      EVERY_MS,
      () => this.#flush(),
      (cause) => telemetry.error("storing how sources answer", cause),
    );
  }

  start(): void {
    this.#periodic.start();
  }

  /** Stores what is not stored yet. */
  async stop(): Promise<void> {
    await this.#periodic.stop();
    await this.#flush().catch(() => {});
  }

  /** Counts how a source answered a launch. */
  sourceAnswer(answer: SourceAnswer): void {
    const { provider, address } = answer;
    const now = this.#settings.databaseNow();
    const at = wholeMs(now - (now % HOUR_MS));
    if (at !== this.#hourAt) this.#hour.clear();
    this.#hourAt = at;
    const source = `${provider} ${address}`;
    const before = this.#hour.get(source);
    const none = { provider, address, at, opened: 0, failed: 0, lastOpened: null, lastFailed: null };
    const hour = counted(before ?? none, answer, now);
    this.#hour.set(source, hour);
    this.#waiting.set(`${at} ${source}`, hour);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > WAITING_MAX && oldest !== undefined) this.#waiting.delete(oldest);
  }

  async #flush(): Promise<void> {
    const waiting = [...this.#waiting];
    if (waiting.length === 0) return;
    await this.#store.store(
      this.#replica,
      waiting.map(([, hour]) => hour),
    );
    // A launch that ended while the statement ran has made a new result, which the next round stores.
    for (const [key, stored] of waiting) if (this.#waiting.get(key) === stored) this.#waiting.delete(key);
  }
}

/** The results of the hour with one more answer. */
function counted(hour: SourceHour, { durationMs, fault: cause }: SourceAnswer, at: WholeMs): SourceHour {
  if (cause === undefined)
    return { ...hour, opened: hour.opened + 1, lastOpened: { at, durationMs: wholeMs(durationMs) } };
  const fault = cause instanceof OpenFailed ? cause.fault : "refused";
  const message = cutText(cause instanceof Error ? cause.message : String(cause), MESSAGE_MAX_BYTES);
  return { ...hour, failed: hour.failed + 1, lastFailed: { at, fault, message } };
}
