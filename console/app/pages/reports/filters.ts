import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Choice, Field } from "../../parts/fields.ts";
import { html } from "../../parts/html.ts";
import { MerchantChoice, type Merchants } from "../../parts/merchant-choice.ts";
import { words } from "../../shell/language.ts";
import { useMay } from "../../shell/session-context.ts";
import { COMPARISONS, PRESETS, presetRange, todayIn } from "./ranges.ts";

type Query = Readonly<Record<string, string>>;

interface FiltersProps {
  readonly merchants: Merchants;
  readonly query: Query;
  readonly onQuery: (query: Query) => void;
}

const TYPES = ["slot", "live", "sportsbook"] as const;
const GROUPS = ["day", "provider", "type", "game", "player"] as const;

/** Range, grouping and filters of a report. The buttons of usual ranges count at once, the rest when it is applied. */
export function Filters({ merchants, query, onQuery }: FiltersProps): VNode {
  const say = words.reports;
  const maySeePlayers = useMay("support");
  const [draft, setDraft] = useState(query);
  const set = (name: string) => (value: string) => setDraft((now) => ({ ...now, [name]: value }));
  const submit = (event: Event): void => {
    event.preventDefault();
    onQuery(draft);
  };
  const groups = GROUPS.filter((group) => group !== "player" || maySeePlayers);
  return html`
    <form class="filters" onSubmit=${submit}>
      <${MerchantChoice} merchants=${merchants} value=${draft.merchant ?? ""} onValue=${set("merchant")} />
      <${Choice} label=${say.by} value=${draft.by ?? "day"} onValue=${set("by")} options=${groups.map((one) => [one, say.groups[one]])} />
      <${Field} label=${say.from} type="date" value=${draft.from ?? ""} onValue=${set("from")} required=${true} />
      <${Field} label=${say.to} type="date" value=${draft.to ?? ""} onValue=${set("to")} required=${true} />
      <${Choice} label=${say.compare} value=${draft.compare ?? "before"} onValue=${set("compare")}
        options=${COMPARISONS.map((one) => [one, say.comparisons[one]])} />
      <${Choice} label=${say.type} value=${draft.type ?? ""} onValue=${set("type")}
        options=${[["", words.transactions.any], ...TYPES.map((one) => [one, say.types[one]])]} />
      <${Field} label=${words.transactions.provider} value=${draft.provider ?? ""} onValue=${set("provider")} />
      <${Field} label=${say.zone} value=${draft.tz ?? ""} onValue=${set("tz")} hint=${say.zoneHint} />
      <div class="actions">
        <button type="submit" class="button primary">${words.transactions.apply}</button>
        ${PRESETS.map(
          (preset) => html`<button key=${preset} type="button" class="button small"
            onClick=${() => onQuery({ ...draft, ...presetRange(preset, todayIn(query.tz ?? "UTC")) })}>${say.presets[preset]}</button>`,
        )}
      </div>
    </form>
  `;
}
