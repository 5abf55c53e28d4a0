/** Dates and times in the player's language and time zone. */
import type { Language } from "../../../web-renderer/protocol.ts";

const LOCALES = { pt: "pt-BR", es: "es-419", en: "en-GB" } as const satisfies Record<Language, string>;

/**
 * The words for days that are near. `Intl.RelativeTimeFormat` has them only in lower case, for the middle of a sentence.
 */
interface NearDays {
  readonly today: string;
  readonly tomorrow: string;
}

/**
 * Formats moments, which are milliseconds since 1970. `preferred`: the player's locales, the best first. The first
 * locale in the page's language is used, so that a player from Mexico reads times in the Mexican form. `timeZone`: if
 * absent, the device's time zone.
 */
export class Times {
  readonly #time: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;
  /** Dates as `2026-11-28`. */
  readonly #date: Intl.DateTimeFormat;
  readonly #full: Intl.DateTimeFormat;

  constructor(language: Language, preferred: readonly string[], timeZone?: string) {
    const locale = preferred.find((one) => one.toLowerCase().startsWith(`${language}-`)) ?? LOCALES[language];
    const format = (options: Intl.DateTimeFormatOptions, of: string = locale) =>
      new Intl.DateTimeFormat(of, timeZone === undefined ? options : { ...options, timeZone });
    this.#time = format({ timeStyle: "short" });
    this.#day = format({ weekday: "short", day: "numeric", month: "short" });
    this.#date = format({ year: "numeric", month: "2-digit", day: "2-digit" }, "en-CA");
    this.#full = format({ dateStyle: "full", timeStyle: "long" });
  }

  /** `Today 18:30`, `Tomorrow 00:05`, or `Sat, 28 Nov 18:30`. */
  near(at: number, now: number, { today, tomorrow }: NearDays): string {
    const days = this.#dayNumber(at) - this.#dayNumber(now);
    return `${days === 0 ? today : days === 1 ? tomorrow : this.#day.format(at)} ${this.#time.format(at)}`;
  }

  /** The whole date and time, with the time zone. */
  full(at: number): string {
    return this.#full.format(at);
  }

  /** The number of the moment's day in the time zone. The next day has the next number. */
  #dayNumber(at: number): number {
    return Date.parse(this.#date.format(at)) / 86_400_000;
  }
}
