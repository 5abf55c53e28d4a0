import type { OpenFault } from "../../ports/sources/game-launcher.ts";
import { HOUR_MS, SOURCE_HOURS_MS, type SourceHour, type SourceHours } from "../../ports/sources/source-hours.ts";
import type { Settings } from "../runtime/settings.ts";

/** The time whose launches are counted. */
const COUNTED_MS = 24 * HOUR_MS;

/** How a source answered launches, on all replicas together. */
export interface SourceHealth {
  /** Launches of the last 24 hours, in whole hours. */
  readonly opened: number;
  readonly failed: number;
  /** The last ones of the last 7 days. Times are in ms since 1970; null: there was none. */
  readonly lastOpened: { readonly at: number; readonly durationMs: number } | null;
  readonly lastFailed: { readonly at: number; readonly fault: OpenFault; readonly message: string } | null;
}

/** The health of providers' sources, for people who watch them. */
export class ReadSourceHealth {
  readonly #hours: SourceHours;
  readonly #settings: Pick<Settings, "databaseNow">;

  constructor(hours: SourceHours, settings: Pick<Settings, "databaseNow">) {
    this.#hours = hours;
    this.#settings = settings;
  }

  /** The health of each source of these providers. A source without a launch in the last 7 days has none. */
  async of(providers: readonly string[]): Promise<(provider: string, address: string) => SourceHealth | undefined> {
    const now = this.#settings.databaseNow();
    const countedFrom = now - COUNTED_MS;
    const found = new Map<string, SourceHealth>();
    for (const hour of await this.#hours.read(providers, now - SOURCE_HOURS_MS)) {
      const key = `${hour.provider} ${hour.address}`;
      found.set(key, together(found.get(key) ?? NONE, hour, hour.at >= countedFrom));
    }
    return (provider, address) => found.get(`${provider} ${address}`);
  }
}

const NONE: SourceHealth = { opened: 0, failed: 0, lastOpened: null, lastFailed: null };

const together = (health: SourceHealth, hour: SourceHour, counts: boolean): SourceHealth => ({
  opened: health.opened + (counts ? hour.opened : 0),
  failed: health.failed + (counts ? hour.failed : 0),
  lastOpened: later(health.lastOpened, hour.lastOpened),
  lastFailed: later(health.lastFailed, hour.lastFailed),
});

const later = <Last extends { readonly at: number }>(a: Last | null, b: Last | null): Last | null =>
  a === null || (b !== null && b.at > a.at) ? b : a;
