import {
  amountMax,
  balanceFromNumber,
  CURRENCIES,
  type Currency,
  fromDecimal,
  isAmount,
  scaleOf,
  toDecimal,
} from "../../../../src/domain/values/money.ts";
import type { SeededRandom } from "../../../../testbed/seeded-random.ts";
import type { Kind } from "../../kind.ts";
import { mutateText } from "../../mutate.ts";

interface Input {
  readonly text: string;
  readonly currency: Currency;
}

/** Conversions of decimal texts to minor units and back, and of JSON numbers to a wallet's balances. */
export const moneyTexts: Kind<Input> = {
  name: "money",
  reader: "domain/values/money",
  perMillion: 126_500,
  generate: (random) => {
    const currency = random.pick(CURRENCIES);
    return { currency, text: toDecimal(minorUnits(random), currency) };
  },
  mutate: (random, { text, currency }) =>
    random.chance(0.1) ? { text, currency: random.pick(CURRENCIES) } : { text: mutateText(random, text), currency },
  check: ({ text, currency }) => [...decimalFaults(text, currency), ...balanceFaults(text, currency)],
};

/** Amounts of every size up to the column's limit. */
function minorUnits(random: SeededRandom): bigint {
  const digits = random.int(1, 17);
  const value =
    BigInt(Math.floor(random.fraction() * 10 ** Math.min(digits, 15))) * 10n ** BigInt(Math.max(0, digits - 15)) +
    BigInt(random.int(0, 9));
  return random.chance(0.2) ? -value : value;
}

/**
 * Reads a JSON number by another method. Supports numbers without an exponent, except minus zero, with at most 18
 * digits before the point.
 */
function exactly(text: string, currency: Currency): bigint | undefined {
  if (!/^[-0-9.]+$/.test(text)) return undefined;
  try {
    if (typeof JSON.parse(text) !== "number") return undefined;
  } catch {
    return undefined;
  }
  const isNegative = text.startsWith("-");
  const [whole = "", fraction = ""] = text.slice(isNegative ? 1 : 0).split(".");
  if (whole.length > 18 || fraction.length > 18) return undefined;
  const scaled = BigInt(whole + fraction.padEnd(18, "0"));
  const unit = 10n ** BigInt(18 - scaleOf(currency));
  if (scaled % unit !== 0n || (isNegative && scaled === 0n)) return undefined;
  return isNegative ? -(scaled / unit) : scaled / unit;
}

function decimalFaults(text: string, currency: Currency): string[] {
  const minor = fromDecimal(text, currency);
  const faults: string[] = [];
  if (minor !== exactly(text, currency))
    faults.push(`${text} ${currency} is ${exactly(text, currency)}, read as ${minor}`);
  if (minor === undefined) return faults;
  const written = toDecimal(minor, currency);
  if (fromDecimal(written, currency) !== minor)
    faults.push(`${minor} is written as ${written}, which is another amount`);
  if (!/^-?(0|[1-9]\d*)(\.\d?[1-9])?$/.test(written)) faults.push(`${written} is not the shortest form`);
  if (isAmount(minor, currency) !== (minor >= 0n && minor <= amountMax(currency))) faults.push(`${minor} as an amount`);
  return faults;
}

const BALANCE_MAX = 9_999_999_999_999.99;

function balanceFaults(text: string, currency: Currency): string[] {
  const value = Number(text);
  if (!Number.isFinite(value) || text.trim() === "") return [];
  const { minor, exact } = balanceFromNumber(value, currency);
  if (minor === null) return Math.abs(value) > BALANCE_MAX - 1 ? [] : [`the balance ${value} is lost`];
  const faults: string[] = [];
  const scale = 10 ** scaleOf(currency);
  // The balance is cut towards zero. So it is never more than the wallet's balance, and less by under one minor unit,
  // apart from the precision of a floating-point number.
  const cut = (Math.abs(value) - Math.abs(Number(minor)) / scale) * scale;
  if (cut < -0.25 || cut > 1.25) faults.push(`the balance ${value} became ${minor}`);
  if (exact && fromDecimal(toDecimal(minor, currency), currency) === undefined)
    faults.push(`the balance ${value} is not exact`);
  return faults;
}
