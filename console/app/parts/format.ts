import { LOCALE } from "../shell/language.ts";
import { IS_UTC, ZONE } from "../shell/zone.ts";
import { decimals, majorText, type Whole } from "./amount.ts";

/** Making a format takes much longer than using it, and a long report has more than a thousand amounts. */
const moneyFormats = new Map<string, Intl.NumberFormat>();

function moneyFormat(currency: string): Intl.NumberFormat {
  const known = moneyFormats.get(currency);
  if (known !== undefined) return known;
  const digits = decimals(currency);
  const format = new Intl.NumberFormat(LOCALE, {
    style: "currency",
    currency,
    currencyDisplay: "code",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  moneyFormats.set(currency, format);
  return format;
}

/** A browser may break a line after a hyphen, and then a loss reads as a profit. It does not break after a minus sign. */
const signed = (text: string): string => text.replace(/^-/, "\u2212");

/** An amount with its currency's code, because several currencies share the sign $. */
export const money = (minor: Whole, currency: string): string => moneyOfMajor(majorText(minor, currency), currency);

/** An amount that is a decimal text in the major unit. It is formatted exactly; a number would lose digits. */
export const moneyOfMajor = (major: string, currency: string): string =>
  signed(moneyFormat(currency).format(major as Intl.StringNumericLiteral));

const wholeFormat = new Intl.NumberFormat(LOCALE);
export const count = (value: Whole): string => signed(wholeFormat.format(BigInt(value ?? 0)));

const decimalFormat = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 });
/** A number with at most two decimals, for the axis of a plot. */
export const decimal = (value: number): string => signed(decimalFormat.format(value));

const percentFormat = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 });
/** A share, 0.1 as `10%`. */
export const percent = (share: number): string => (Number.isFinite(share) ? signed(percentFormat.format(share)) : "–");

const timeZone = ZONE;
const timeFormat = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "medium", timeZone });
const minuteFormat = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short", timeZone });
const clockFormat = new Intl.DateTimeFormat(LOCALE, { timeStyle: "medium", timeZone });
const hourFormat = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit", timeZone });
const dayHourFormat = new Intl.DateTimeFormat(LOCALE, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZone,
});
const dayFormat = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeZone: "UTC" });

/** UTC stands beside each time, because a reader expects the own zone otherwise. */
const withZone = (text: string): string => (IS_UTC ? `${text} UTC` : text);

/** An RFC 3339 time in the chosen time zone. */
export const time = (instant: string): string => withZone(timeFormat.format(new Date(instant)));
/** The same without seconds, for a time that is known only to the minute. */
export const minute = (instant: string): string => withZone(minuteFormat.format(new Date(instant)));
export const clock = (ms: number): string => withZone(clockFormat.format(ms));
/** The hour and minute of a time in ms. */
export const hourOfDay = (ms: number): string => hourFormat.format(ms);
/** The day, hour and minute of a time in ms, without the year. */
export const dayAndHour = (ms: number): string => dayHourFormat.format(ms);
/** A day `YYYY-MM-DD`. */
export const day = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? dayFormat.format(new Date(text)) : text);

/** Days from `YYYY-MM-DD` to `YYYY-MM-DD`. */
export const days = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  from === to ? day(from) : `${day(from)} – ${day(to)}`;

const shortFormat = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });
/**
 * The units of time have the same signs in every language of the console. `Intl.NumberFormat` and `Intl.DurationFormat`
 * would write `m` or `min`, `d`, `dia` or `dd.`, with and without a space, depending on the language and the browser.
 * Neither chooses the unit.
 */
const UNITS = [
  [2 * 86_400_000, 86_400_000, "d"],
  [3_600_000, 3_600_000, "h"],
  [60_000, 60_000, "min"],
  [1_000, 1_000, "s"],
] as const;

/** A duration in the largest unit of which there is at least one (two for days): `45 ms`, `8 s`, `1.5 h`. */
export function duration(ms: number): string {
  const [, unitMs, sign] = UNITS.find(([least]) => ms >= least) ?? [0, 1, "ms"];
  return `${shortFormat.format(unitMs === 1 ? Math.round(ms) : ms / unitMs)} ${sign}`;
}
