/** What a listing of transactions may be asked, as text by the wire's names (docs/specification/transaction-lists.md#list-get). */
import type { FieldFault } from "../errors.ts";
import { isGameCode, isPlayerId, isProviderCode, isRoundId } from "../values/identifiers.ts";
import { formatInstant, parseInstant } from "../values/instant.ts";

/** Each value in its one spelling, so that two that mean the same are the same text; `undefined`: it breaks the rule. */
interface Field {
  readonly rule: string;
  readonly hint: string;
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

/** What chooses the transactions, and their order. */
const CHOICE = {
  from: instant,
  to: instant,
  status: oneOf("success", "pending", "failed"),
  action: oneOf("bet", "win", "refund", "rollback"),
  player_id: matching("1..128 characters", "deve ter de 1 a 128 caracteres, sem caracteres de controle", isPlayerId),
  round_id: id,
  tx_id: id,
  ref_tx_id: id,
  provider: matching("^[A-Z0-9_]{2,32}$", "deve ser o código de um provedor: 2 a 32 caracteres A-Z, 0-9 ou _", isProviderCode),
  game: matching("1..128 bytes", "deve ser o código de um jogo: 1 a 128 bytes de UTF-8, sem caracteres de controle", isGameCode),
  updated_since: instant,
  order: oneOf("asc", "desc"),
} as const satisfies Record<string, Field>;

export type ChoiceName = keyof typeof CHOICE;
export const CHOICE_NAMES = Object.keys(CHOICE) as readonly ChoiceName[];

/** What was asked for, each value in its one spelling. */
export type Choice = Readonly<Partial<Record<ChoiceName, string>>>;

/** A request as it comes; undefined: not said. `limit` and `cursor` say which page. */
export type TransactionFields = Readonly<Partial<Record<ChoiceName | "limit" | "cursor", string | undefined>>>;

export const PAGE_MAX = 1_000;
const PAGE_STANDARD = 100;
const DAY_MS = 86_400_000;
/** The longest interval of a listing, and the one that is taken when none is said. */
const SPAN_MAX_DAYS = 31;
const SPAN_STANDARD_MS = DAY_MS;
/** Without `to` the interval ends now: whoever reckoned 31 days back a moment ago, by another clock, is not sent away. */
const CLOCKS_DIFFER_MS = 60_000;

/** Every value in its one spelling, and a fault for each that breaks its rule. */
export function readChoice(fields: TransactionFields): { readonly choice: Choice; readonly faults: readonly FieldFault[] } {
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

/** What doesn't go together. @param now - the time by this process's clock. */
export function choiceFaults(choice: Choice, now: number): FieldFault[] {
  if (choice.updated_since !== undefined) {
    const never = ["from", "to", "status"] as const;
    return [
      ...never
        .filter((name) => choice[name] !== undefined)
        .map((field) => ({ field, rule: "not with updated_since", message: `${field} não se aplica com updated_since.` })),
      ...(choice.order === "desc" ? [{ field: "order", rule: "asc with updated_since", message: "Com updated_since, order só pode ser asc." }] : []),
    ];
  }
  const { from, to } = choice;
  if (from === undefined) return [];
  if (to !== undefined && timeOf(to) < timeOf(from)) return [{ field: "to", rule: "not before from", message: "to não pode ser anterior a from." }];
  const span = (to === undefined ? now - CLOCKS_DIFFER_MS : timeOf(to)) - timeOf(from);
  if (namesRows(choice) || span <= SPAN_MAX_DAYS * DAY_MS) return [];
  return [{ field: to === undefined ? "from" : "to", rule: `at most ${SPAN_MAX_DAYS} days`, message: `O período pode ter no máximo ${SPAN_MAX_DAYS} dias.` }];
}

/** Ids choose few rows by themselves, so no interval is asked for. */
const namesRows = ({ tx_id, round_id, ref_tx_id }: Choice): boolean => (tx_id ?? round_id ?? ref_tx_id) !== undefined;

/** The choice of a listing that begins now, with all that is taken where nothing was said. @param now - the database's time. */
export function completeChoice(choice: Choice, now: number): Choice {
  if (choice.updated_since !== undefined) return { ...choice, order: "asc" };
  const whole = { ...choice, order: choice.order ?? "desc" };
  if (choice.from !== undefined || namesRows(choice)) return whole;
  return { ...whole, from: formatInstant((choice.to === undefined ? now : timeOf(choice.to)) - SPAN_STANDARD_MS) };
}

/** A value of a {@link Choice}, which is a time. */
export const timeOf = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;

/** How many a page may have; a fault for what is no such number. */
export function readLimit(text: string | undefined): number | FieldFault {
  if (text === undefined) return PAGE_STANDARD;
  const limit = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= PAGE_MAX ? limit : { field: "limit", rule: `1..${PAGE_MAX}`, message: `limit deve ser um número inteiro de 1 a ${PAGE_MAX}.` };
}
