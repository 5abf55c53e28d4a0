/** Exact conversion between the amounts of a provider's API and minor units. No float appears anywhere. */
import { type Currency, isCurrency, scaleOf } from "../../src/domain/values/money.ts";

/** An amount of the wire in minor units. `rest`: what is below the minor unit, "0" or a decimal such as "0.005". */
export interface Amount {
  readonly minor: bigint;
  readonly rest: string;
}

/** Below 2^63, and far above every amount that the service takes. */
const MINOR_END = 10n ** 18n;
/** The column of a note. */
const REST_MAX = 40;

/**
 * Reads an amount. The wire's number times 10^-`shift` is the amount in the major unit: 356000 with shift 5 is 3.56.
 * The digits below the minor unit are cut off and returned as `rest`. `undefined`: the text is no decimal, or it is
 * negative, too large or too long. An unknown currency counts as one with two decimals: the desk refuses it whatever the amount is.
 */
export function readAmount(text: string, currency: string, shift = 0): Amount | undefined {
  const [, whole, fraction = "", exponent = "0"] =
    /^(\d{1,30})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const scale = fraction.length + shift - Number(exponent) - (isCurrency(currency) ? scaleOf(currency) : 2);
  const digits = BigInt(whole + fraction);
  const divisor = 10n ** BigInt(Math.max(scale, 0));
  const minor = (digits / divisor) * 10n ** BigInt(Math.max(-scale, 0));
  const below = (digits % divisor).toString().padStart(scale, "0").replace(/0+$/, "");
  const rest = below === "" ? "0" : `0.${below}`;
  return minor < MINOR_END && rest.length <= REST_MAX ? { minor, rest } : undefined;
}

/** The millionths of the major unit in a decimal, for labels. 0 for every other text. */
export function microsOf(text: string): bigint {
  const [, whole = "", fraction = ""] = /^(\d{1,9})(?:\.(\d{1,15}))?$/.exec(text) ?? [];
  return BigInt(whole + fraction.slice(0, 6).padEnd(6, "0"));
}

/** The integer of the wire: minor units times 10^(`shift` - the currency's decimals). */
export const toInteger = (minor: bigint, currency: Currency, shift: number): bigint =>
  minor * 10n ** BigInt(shift - scaleOf(currency));

/** The decimal of the wire in the major unit, with exactly `places` decimals: at least as many as the currency has. */
export function toPlaces(minor: bigint, currency: Currency, places: number): string {
  const digits = (minor < 0n ? -minor : minor).toString() + "0".repeat(places - scaleOf(currency));
  const padded = digits.padStart(places + 1, "0");
  const text = places === 0 ? padded : `${padded.slice(0, -places)}.${padded.slice(-places)}`;
  return minor < 0n ? `-${text}` : text;
}

/** A JSON text with numbers as they are given: `raw("1.500000")` stays 1.500000. */
export class RawNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Like JSON.stringify for flat and nested plain objects, with exact numbers. Members that are undefined are left out. */
export function writeJson(value: unknown): string {
  if (value instanceof RawNumber) return value.text;
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`)
      .join(",")}}`;
  return JSON.stringify(value);
}
