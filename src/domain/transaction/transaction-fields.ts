/**
 * The fields of a request for a listing of transactions, as text by their names on the wire
 * (docs/specification/transaction-lists.md#list-get).
 */
import type { FieldFault } from "../errors.ts";
import { isGameCode, isPlayerId, isProviderCode, isRoundId } from "../values/identifiers.ts";
import { formatInstant, parseInstant } from "../values/instant.ts";

interface Field {
  readonly rule: string;
  readonly hint: string;
  /**
   * The value in its normal form, so that two values of the same meaning are the same text; `undefined` when it breaks
   * the rule.
   */
  readonly read: (text: string) => string | undefined;
}

const oneOf = (...words: readonly string[]): Field => ({
  rule: words.join("|"),
  hint: `deve ser ${words.join(", ")}`,
  read: (text) => words.find((word) => word === text),
});
const matching = (rule: string, hint: string, accepts: (text: string) => boolean): Field => ({
  rule,
  hint,
  read: (text) => (accepts(text) ? text : undefined),
});
const instant: Field = {
  rule: "RFC 3339 with an offset or Z",
  hint: "deve ser uma data e hora RFC 3339 com Z ou deslocamento, como 2026-01-31T12:00:00Z (um + na URL é %2B)",
  read: (text) => {
    const ms = parseInstant(text);
    return ms === undefined ? undefined : formatInstant(ms);
  },
};
const id: Field = matching("1..128 bytes", "deve ter de 1 a 128 bytes de UTF-8, sem caracteres de controle", isRoundId);

/** The fields that choose the transactions and their order. */
const CHOICE = {
  from: instant,
  to: instant,
  status: oneOf("success", "pending", "failed"),
  action: oneOf("bet", "win", "refund", "rollback"),
  player_id: matching("1..128 characters", "deve ter de 1 a 128 caracteres, sem caracteres de controle", isPlayerId),
  round_id: id,
  tx_id: id,
  ref_tx_id: id,
  provider: matching(
    "^[A-Z0-9_]{2,32}$",
    "deve ser o código de um provedor: 2 a 32 caracteres A-Z, 0-9 ou _",
    isProviderCode,
  ),
  game: matching(
    "1..128 bytes",
    "deve ser o código de um jogo: 1 a 128 bytes de UTF-8, sem caracteres de controle",
    isGameCode,
  ),
  updated_since: instant,
  order: oneOf("asc", "desc"),
} as const satisfies Record<string, Field>;

export type ChoiceName = keyof typeof CHOICE;
export const CHOICE_NAMES = Object.keys(CHOICE) as readonly ChoiceName[];

/** The fields of a request that were given, each value in its normal form. */
export type Choice = Readonly<Partial<Record<ChoiceName, string>>>;

/** The fields of a request as text; undefined when not given. `limit` and `cursor` choose the page. */
export type TransactionFields = Readonly<Partial<Record<ChoiceName | "limit" | "cursor", string | undefined>>>;

export const PAGE_MAX = 1_000;
const PAGE_STANDARD = 100;
const DAY_MS = 86_400_000;
/** The longest interval of a listing, and the default interval. */
const SPAN_MAX_DAYS = 31;
const SPAN_STANDARD_MS = DAY_MS;
/**
 * Without `to` the interval ends now. A caller that computed `from` as 31 days ago by a slightly different clock is
 * still accepted.
 */
const CLOCKS_DIFFER_MS = 60_000;

/** Reads every given field into its normal form, and makes a fault for each that breaks its rule. */
export function readChoice(fields: TransactionFields): {
  readonly choice: Choice;
  readonly faults: readonly FieldFault[];
} {
  const faults: FieldFault[] = [];
  const choice: Partial<Record<ChoiceName, string>> = {};
  for (const name of CHOICE_NAMES) {
    const text = fields[name];
    if (text === undefined) continue;
    const { rule, hint, read } = CHOICE[name];
    const value = read(text);
    if (value === undefined) faults.push({ field: name, rule, message: `${name} ${hint}.` });
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
          message: `${field} não se aplica com updated_since.`,
        })),
      ...(choice.order === "desc"
        ? [{ field: "order", rule: "asc with updated_since", message: "Com updated_since, order só pode ser asc." }]
        : []),
    ];
  }
  const { from, to } = choice;
  if (from === undefined) return [];
  if (to !== undefined && timeOf(to) < timeOf(from))
    return [{ field: "to", rule: "not before from", message: "to não pode ser anterior a from." }];
  const span = (to === undefined ? now - CLOCKS_DIFFER_MS : timeOf(to)) - timeOf(from);
  if (namesRows(choice) || span <= SPAN_MAX_DAYS * DAY_MS) return [];
  return [
    {
      field: to === undefined ? "from" : "to",
      rule: `at most ${SPAN_MAX_DAYS} days`,
      message: `O período pode ter no máximo ${SPAN_MAX_DAYS} dias.`,
    },
  ];
}

/** Whether the choice has an id. An id chooses few rows by itself, so no interval is needed. */
const namesRows = ({ tx_id, round_id, ref_tx_id }: Choice): boolean => (tx_id ?? round_id ?? ref_tx_id) !== undefined;

/** The choice of a listing that begins now, with its defaults filled in. @param now - the database's time. */
export function completeChoice(choice: Choice, now: number): Choice {
  if (choice.updated_since !== undefined) return { ...choice, order: "asc" };
  const whole = { ...choice, order: choice.order ?? "desc" };
  if (choice.from !== undefined || namesRows(choice)) return whole;
  return { ...whole, from: formatInstant((choice.to === undefined ? now : timeOf(choice.to)) - SPAN_STANDARD_MS) };
}

/** Milliseconds since 1970 of a time in a {@link Choice}. */
export const timeOf = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;

/** How many a page may have; a fault for what is no such number. */
export function readLimit(text: string | undefined): number | FieldFault {
  if (text === undefined) return PAGE_STANDARD;
  const limit = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= PAGE_MAX
    ? limit
    : { field: "limit", rule: `1..${PAGE_MAX}`, message: `limit deve ser um número inteiro de 1 a ${PAGE_MAX}.` };
}
