import type { AuditEntry } from "../../../service/types.ts";
import { setUpWords } from "../../../shell/language.ts";
import { addressOf } from "../../../shell/route.ts";

/** What an entry says after the name of the key: the text before and after the record's name. */
export interface Sentence {
  readonly before: string;
  readonly name: string;
  readonly after: string;
  /** The page of the record, if the console has one. */
  readonly address?: string;
}

const PLACE = "{}";

/** The sentence of an entry. Its record is a noun and its names: `transaction shop-brl ACME:17`. */
export function sentenceOf({ action, target = "", changes = [] }: AuditEntry): Sentence {
  const { actions } = setUpWords.audit;
  const [noun = "", ...names] = target.split(" ");
  // One action lists several kinds of transactions.
  const kind = changes.find(({ field }) => field === "kind")?.to?.replaceAll('"', "");
  const text = actions[`${action} ${noun} ${kind}`] ?? actions[`${action} ${noun}`] ?? actions[action];
  // An action of a newer release is shown as the service names it.
  if (text === undefined) return { before: `${action} `, name: target, after: "" };
  const [before = "", after] = text.split(PLACE);
  if (after === undefined) return { before: text, name: "", after: "" };
  const [merchant = "", ...rest] = names;
  const own = rest.join(" ");
  const place = { before, after, name: own === "" ? merchant : `${own} (${merchant})` };
  if (noun === "brand" || noun === "merchant" || noun === "provider")
    return { ...place, address: addressOf(noun, { code: merchant }) };
  if (noun === "transaction") return { ...place, address: addressOf("transaction", { merchant, tx: own }) };
  return place;
}

/** The actions with their texts, by text. Variants of an action for other records are left out. */
export const actionTexts = (): (readonly [action: string, text: string])[] =>
  Object.entries(setUpWords.audit.actions)
    .filter(([action]) => action.split(" ").length === 2)
    .map(([action, text]) => [action, text.replace(PLACE, "…")] as const)
    .sort(([, a], [, b]) => a.localeCompare(b));
