import { day, time } from "../../../parts/format.ts";
import { setUpWords, words } from "../../../shell/language.ts";

/** The fields whose numbers are times, in ms since 1970. */
const MOMENTS: ReadonlySet<string> = new Set(["from", "to"]);
/** The fields that are days. Their instants are at midnight UTC, and must not become the day before in another zone. */
const DAYS: ReadonlySet<string> = new Set(["released_at"]);
const MIDNIGHT = /^(\d{4}-\d\d-\d\d)T00:00(?::00(?:\.0+)?)?Z$/;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The name of a field, as the pages call it. An unknown field has its name in the API. */
export function fieldName(field: string): string {
  const { fields, statusOf } = setUpWords.audit;
  const id = /^status of (.*)$/s.exec(field)?.[1];
  return id === undefined ? (fields[field] ?? field) : statusOf(id);
}

/** A value of the audit log, read from its JSON. `isCut`: the listing has only its beginning, which is shown as it is. */
interface Value {
  readonly value: unknown;
  readonly isCut: boolean;
}

function read(json: string): Value {
  try {
    return { value: json === "" ? null : JSON.parse(json), isCut: false };
  } catch {
    return { value: json, isCut: true };
  }
}

/** One field before and after a change, as lines of text. No lines: there is no value. */
export interface ShownChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly isCut: boolean;
}

/** Makes a change readable. Of two lists only the entries that differ are shown, if there are any. */
export function readChange(field: string, from = "", to = ""): ShownChange {
  const [before, after] = [read(from), read(to)];
  const isCut = before.isCut || after.isCut;
  const [old, now] = [linesOf(field, before.value), linesOf(field, after.value)];
  if (!Array.isArray(before.value) || !Array.isArray(after.value)) return { before: old, after: now, isCut };
  const [gone, come] = [old.filter((line) => !now.includes(line)), now.filter((line) => !old.includes(line))];
  return gone.length + come.length === 0 ? { before: old, after: now, isCut } : { before: gone, after: come, isCut };
}

function linesOf(field: string, value: unknown): string[] {
  if (value === null || value === undefined || value === "") return [];
  if (Array.isArray(value)) return value.map((item) => textOf(field, item));
  if (typeof value === "object")
    return Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([name, item]) => `${fieldName(name)}: ${textOf(name, item)}`);
  return [textOf(field, value)];
}

const FIELD_VALUES: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  status: () => words.transactions.statuses,
  action: () => words.transactions.actions,
  kind: () => ({ ...words.stuck.kinds, open: words.transactions.statuses.pending }),
  role: () => words.shell.roles,
};

function textOf(field: string, value: unknown): string {
  const { yes, no } = setUpWords.audit;
  if (value === null) return setUpWords.audit.nothing;
  if (typeof value === "boolean") return value ? yes : no;
  if (typeof value === "object") return linesOf(field, value).join(", ");
  if (typeof value === "number" && MOMENTS.has(field)) return time(new Date(value).toISOString());
  const text = String(value);
  const [, midnight] = (DAYS.has(field) && MIDNIGHT.exec(text)) || [];
  if (midnight !== undefined) return day(midnight);
  if (INSTANT.test(text)) return time(text);
  return FIELD_VALUES[field.split(" ")[0] ?? ""]?.()[text] ?? text;
}
