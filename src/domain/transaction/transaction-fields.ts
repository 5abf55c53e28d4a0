/**
 * The fields of a request for a listing of transactions, as texts by their names in the API
 * (docs/specification/transaction-lists.md#list-get).
 */

import { KIND_NAMES } from "../../../contract/transactions/kinds.ts";
import type { FieldFault } from "../errors.ts";
import { FAULT_TEXTS } from "../texts/fault-texts.ts";
import { isGameCode, isPlayerId, isProviderCode, isRoundId } from "../values/identifiers.ts";
import { formatInstant, parseInstant } from "../values/instant.ts";
import type { Texts } from "../values/language.ts";

interface Field {
  readonly rule: string;
  readonly message: (field: string) => Texts;
  /**
   * The value in its normal form, so that two values with the same meaning are the same text. `undefined`: the text
   * breaks the field's rule.
   */
  readonly read: (text: string) => string | undefined;
}

const oneOf = (...words: readonly string[]): Field => ({
  rule: words.join("|"),
  message: (field) => FAULT_TEXTS.oneOf(field, words),
  read: (text) => words.find((word) => word === text),
});
const matching = (rule: string, message: Field["message"], accepts: (text: string) => boolean): Field => ({
  rule,
  message,
  read: (text) => (accepts(text) ? text : undefined),
});
const instant: Field = {
  rule: "RFC 3339 with an offset or Z",
  message: FAULT_TEXTS.time,
  read: (text) => {
    const ms = parseInstant(text);
    return ms === undefined ? undefined : formatInstant(ms);
  },
};
const id: Field = matching("1..128 bytes", (field) => FAULT_TEXTS.bytes(field, 128), isRoundId);

/** The fields that choose the transactions and their order. */
const CHOICE = {
  from: instant,
  to: instant,
  status: oneOf("success", "pending", "failed"),
  action: oneOf("bet", "win", "refund", "rollback"),
  kind: oneOf(...KIND_NAMES),
  player_id: matching("1..128 characters", (field) => FAULT_TEXTS.characters(field, 128), isPlayerId),
  round_id: id,
  tx_id: id,
  ref_tx_id: id,
  provider: matching("^[A-Z0-9_]{2,32}$", FAULT_TEXTS.providerCode, isProviderCode),
  game: matching("1..128 bytes", FAULT_TEXTS.gameCode, isGameCode),
  updated_since: instant,
  order: oneOf("asc", "desc"),
} as const satisfies Record<string, Field>;

export type ChoiceName = keyof typeof CHOICE;
export const CHOICE_NAMES = Object.keys(CHOICE) as readonly ChoiceName[];

/** The fields of a request that were given, each value in its normal form. */
export type Choice = Readonly<Partial<Record<ChoiceName, string>>>;

/** The fields of a request as texts; undefined: not given. `limit` and `cursor` choose the page. */
export type TransactionFields = Readonly<Partial<Record<ChoiceName | "limit" | "cursor", string | undefined>>>;

export const PAGE_MAX = 1_000;
export const PAGE_STANDARD = 100;
const DAY_MS = 86_400_000;
/**
 * The longest interval of a listing is this number of days. Without `from`, the interval has the length of
 * `SPAN_STANDARD_MS`.
 */
const SPAN_MAX_DAYS = 31;
const SPAN_STANDARD_MS = DAY_MS;
/**
 * Without `to` the interval ends now. A caller may have computed `from` as 31 days before the time of its own clock.
 * This clock may differ from this process's clock by at most this many ms.
 */
const CLOCKS_DIFFER_MS = 60_000;

/** Reads every given field into its normal form. Adds a fault for each field that breaks its rule. */
export function readChoice(fields: TransactionFields): {
  readonly choice: Choice;
  readonly faults: readonly FieldFault[];
} {
  const faults: FieldFault[] = [];
  const choice: Partial<Record<ChoiceName, string>> = {};
  for (const name of CHOICE_NAMES) {
    const text = fields[name];
    if (text === undefined) continue;
    const { rule, message, read } = CHOICE[name];
    const value = read(text);
    if (value === undefined) faults.push({ field: name, rule, message: message(name) });
    else choice[name] = value;
  }
  return { choice, faults };
}

/**
 * Faults of fields that are not allowed together, and of the interval.
 *
 * @param now - the time by this process's clock.
 */
export function choiceFaults(choice: Choice, now: number): FieldFault[] {
  if (choice.updated_since !== undefined) {
    const never = ["from", "to", "status"] as const;
    return [
      ...never
        .filter((name) => choice[name] !== undefined)
        .map((field) => ({
          field,
          rule: "not with updated_since",
          message: FAULT_TEXTS.notWith(field, "updated_since"),
        })),
      ...(choice.order === "desc"
        ? [{ field: "order", rule: "asc with updated_since", message: FAULT_TEXTS.onlyAscending }]
        : []),
    ];
  }
  const { from, to } = choice;
  if (from === undefined) return [];
  if (to !== undefined && timeOf(to) < timeOf(from))
    return [{ field: "to", rule: "not before from", message: FAULT_TEXTS.notBefore("to", "from") }];
  const span = (to === undefined ? now - CLOCKS_DIFFER_MS : timeOf(to)) - timeOf(from);
  if (namesRows(choice) || span <= SPAN_MAX_DAYS * DAY_MS) return [];
  return [
    {
      field: to === undefined ? "from" : "to",
      rule: `at most ${SPAN_MAX_DAYS} days`,
      message: FAULT_TEXTS.interval(SPAN_MAX_DAYS),
    },
  ];
}

/** Whether the choice has an id. An id chooses few rows by itself, so no interval is needed. */
const namesRows = ({ tx_id, round_id, ref_tx_id }: Choice): boolean => (tx_id ?? round_id ?? ref_tx_id) !== undefined;

/**
 * The choice of a listing that begins now, with its defaults filled in.
 *
 * @param now - the database's time.
 */
export function completeChoice(choice: Choice, now: number): Choice {
  if (choice.updated_since !== undefined) return { ...choice, order: "asc" };
  const whole = { ...choice, order: choice.order ?? "desc" };
  if (choice.from !== undefined || namesRows(choice)) return whole;
  return { ...whole, from: formatInstant((choice.to === undefined ? now : timeOf(choice.to)) - SPAN_STANDARD_MS) };
}

/** Milliseconds since 1970 of a time in a {@link Choice}. */
export const timeOf = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;

/** The number of entries that a page may have; a fault if the text is not such a number. */
export function readLimit(text: string | undefined): number | FieldFault {
  if (text === undefined) return PAGE_STANDARD;
  const limit = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= PAGE_MAX
    ? limit
    : { field: "limit", rule: `1..${PAGE_MAX}`, message: FAULT_TEXTS.wholeNumber("limit", 1, PAGE_MAX) };
}
