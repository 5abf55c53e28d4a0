import type { FieldFault } from "../service/failure.ts";
import { setUpWords, timelineWords, words } from "../shell/language.ts";
import type { Words } from "../words/en/en.ts";
import type { SetUpWords } from "../words/set-up/en/en.ts";
import type { TimelineWords } from "../words/timeline/en.ts";
import { count } from "./format.ts";

/** The labels of a form, by the names that the API gives its fields. */
export type Labels = Readonly<Record<string, string>>;

/** The labels that the API's fields have in the forms. A form may have labels of its own. */
function commonLabels(): Labels {
  const { merchants, transactions, reports, stuck, audit, state } = words;
  // Only some pages have these texts.
  const [setUp, timeline] = [setUpWords as SetUpWords | undefined, timelineWords as TimelineWords | undefined];
  const { code, name, brand, currency, merchant } = merchants;
  const { status, action, player, round, provider, game, from, to } = transactions;
  return {
    ...{ code, name, brand, currency, merchant, status, action, player, provider, game, from, to },
    wallet_url: merchants.wallet,
    products: merchants.products,
    default_language: merchants.language,
    jurisdiction: merchants.facts.jurisdiction,
    ip_list: merchants.ipList,
    player_id: player,
    round_id: round,
    tx_id: transactions.id,
    tz: reports.zone,
    type: reports.type,
    group_by: reports.by,
    kind: stuck.kind,
    target: audit.target,
    actor: audit.actor,
    reason: state.reason,
    ...(timeline && { text: timeline.search.label, evidence: timeline.acts.evidence }),
    ...(setUp && {
      address: setUp.providers.address,
      deadline_ms: setUp.providers.deadline,
      position: setUp.providers.place,
      sources: setUp.providers.sources,
      keys: setUp.providers.keys,
      theme: setUp.brands.theme,
      layout: setUp.brands.layout,
      allowed_origins: setUp.brands.origins,
      settings: setUp.brands.settings,
      expires_at: setUp.keys.expires,
      role: setUp.keys.role,
      overlap: setUp.rotation.overlap,
      format: setUp.games.file,
    }),
  };
}

/** The label of a field; undefined: no form has this field. */
export const labelOf = (field: string, labels: Labels = {}): string | undefined =>
  ({ ...commonLabels(), ...labels })[field];

/** The rules of fields as the service writes them, and the names of their texts. Groups are what a text says. */
const RULES: readonly (readonly [RegExp, keyof Words["faults"]["rules"]])[] = [
  [/^required/, "required"],
  [/^at most (\d+) days$/, "days"],
  [/^not before (\w+)$/, "notBefore"],
  [/^an IANA time zone$/, "zone"],
  [/^YYYY-MM-DD$/, "date"],
  [/^https$/, "https"],
  [/^(?:absolute URL|no (?:spaces|userinfo|fragment|trailing dot))/, "url"],
  [/^(?:a public host|public host name|no link-local|neither a link-local)/, "host"],
  [/^https:\/\/host:port/, "source"],
  [/^(?:1 to |1\.\.|at most )(\d+) (?:characters|bytes)/, "characters"],
  [/^(\d+) to (\d+)$/, "range"],
  [/^(\d+) to (\d+) of (.+)$/, "letters"],
  [/^a time in the future$/, "future"],
  [/^a name that no other key has had$/, "used"],
  [/^the code of an? /, "unknown"],
  [/^an ISO 3166 code/, "place"],
  [/^one merchant/, "merchant"],
  [/^at most (\d+) IPv4/, "ips"],
  [/^at most (\d+) http/, "origins"],
  [/^a report of at most (\d+) rows/, "rows"],
  [/^at most (\d+)/, "atMost"],
];

/** A fault in the words of the reader. The service's own words are the text of a rule that is not known here. */
export function faultText({ field, text }: FieldFault, labels?: Labels): string {
  const [known, name] = RULES.find(([rule]) => rule.test(text)) ?? [];
  const label = labelOf(field, labels);
  const values = known?.exec(text)?.slice(1) ?? [];
  const shown = values.map((value) =>
    // A rule may name another field.
    name === "notBefore" ? (labelOf(value, labels) ?? value) : /^\d+$/.test(value) ? count(value) : value,
  );
  const say = name && (words.faults.rules[name] as (...values: string[]) => string);
  return [label, say === undefined ? text : say(...shown)].filter(Boolean).join(": ");
}
