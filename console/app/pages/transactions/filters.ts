import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Choice, Field } from "../../parts/fields.ts";
import { html } from "../../parts/html.ts";
import { ALL_MERCHANTS, MerchantChoice, type Merchants } from "../../parts/merchant-choice.ts";
import { words } from "../../shell/language.ts";
import { instantOf, localOf, ZONE } from "../../shell/zone.ts";

export type Query = Readonly<Record<string, string>>;

/** The filters of the listing that are texts, in the address under these names. */
const TEXTS = ["player", "round", "provider", "game"] as const;
/** The filters that a narrow window shows only on demand, unless one of them is set. */
const ON_DEMAND = ["from", "to", ...TEXTS] as const;
const WIDE = "(min-width: 48rem)";

interface FiltersProps {
  readonly merchants: Merchants;
  readonly query: Query;
  readonly onQuery: (query: Query) => void;
}

/** What support asks for most often: money that waits, and credits that a wallet refused. */
const PRESETS = {
  pending: { status: "pending" },
  wins: { status: "failed", action: "win" },
  refunds: { status: "failed", action: "refund" },
} as const;
/** A listing has at most 31 days. */
const PRESET_MS = 30 * 86_400_000;

/** The filters, which count when they are applied. */
export function Filters({ merchants, query, onQuery }: FiltersProps): VNode {
  const say = words.transactions;
  const [draft, setDraft] = useState<Query>(query);
  const [isOpen] = useState(() => matchMedia(WIDE).matches || ON_DEMAND.some((name) => query[name]));
  const set = (name: string) => (value: string) => setDraft((now) => ({ ...now, [name]: value }));
  const submit = (event: Event): void => {
    event.preventDefault();
    onQuery(draft);
  };
  const merchant = draft.merchant ?? "";
  const isAll = merchant === ALL_MERCHANTS;
  const preset = (name: keyof typeof PRESETS): void =>
    onQuery({
      merchant,
      ...(!isAll && { from: new Date(Date.now() - PRESET_MS).toISOString() }),
      ...PRESETS[name],
    });
  const choice = <Key extends string>(texts: Readonly<Record<Key, string>>) =>
    [["", say.any], ...Object.entries(texts)] as [string, string][];
  return html`
    <form class="filters" onSubmit=${submit}>
      <${MerchantChoice} merchants=${merchants} value=${draft.merchant ?? ""} onValue=${set("merchant")}
        all=${words.stuck.all} allValue=${ALL_MERCHANTS} />
      <${Choice} label=${say.status} value=${draft.status ?? ""} onValue=${set("status")} options=${choice(say.statuses)} />
      <${Choice} label=${say.action} value=${draft.action ?? ""} onValue=${set("action")} options=${choice(say.actions)} />
      <details class="on-demand" open=${isOpen}>
        <summary>${say.moreFilters}</summary>
        <div>
          <${Field} label=${say.from} hint=${ZONE} type="datetime-local" value=${localOf(draft.from)} onValue=${(value: string) => set("from")(instantOf(value))} />
          <${Field} label=${say.to} hint=${ZONE} type="datetime-local" value=${localOf(draft.to)} onValue=${(value: string) => set("to")(instantOf(value))} />
          ${TEXTS.map((name) => html`<${Field} key=${name} label=${say[name]} value=${draft[name] ?? ""} onValue=${set(name)} />`)}
        </div>
      </details>
      <div class="actions">
        <button type="submit" class="button primary">${say.apply}</button>
        <button type="button" class="button" onClick=${() => onQuery({ merchant })}>${say.clear}</button>
        ${(isAll ? (["pending"] as const) : (Object.keys(PRESETS) as (keyof typeof PRESETS)[])).map(
          (name) =>
            html`<button key=${name} type="button" class="button small" onClick=${() => preset(name)}>${isAll ? say.statuses.pending : say.presets[name]}</button>`,
        )}
      </div>
    </form>
  `;
}
