import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Choice } from "../../parts/fields.ts";
import { html } from "../../parts/html.ts";
import { MerchantChoice, type Merchants, useMerchants } from "../../parts/merchant-choice.ts";
import { Empty, Shown } from "../../parts/state.ts";
import { useCall } from "../../service/use-call.ts";
import { words } from "../../shell/language.ts";
import { go } from "../../shell/route.ts";
import { useMay } from "../../shell/session-context.ts";
import { List } from "./list.ts";
import { ByMerchant, Sentences, type Totals } from "./sums.ts";
import { DAYS, KINDS, type Kind, type Query } from "./types.ts";

/** Money that needs a person: what is stuck, of whom, since when, and the transactions. The filters stand in the address. */
export function Stuck({ query }: { readonly query: Query }): VNode {
  const say = words.stuck;
  const merchants = useMerchants();
  return html`
    <section>
      <h1>${say.title}</h1>
      <p class="lead">${say.lead}</p>
      <${Shown} asked=${merchants}>${(reply: Merchants) => html`
        <${Filters} key=${JSON.stringify(query)} merchants=${reply} query=${query} />
        <${Sums} query=${query} />
      `}<//>
    </section>
  `;
}

function Sums({ query }: { readonly query: Query }): VNode {
  const { merchant = "" } = query;
  const asked = useCall<Totals>("admin.ConsoleService/GetStuckMoney", { merchant });
  return html`
    <${Shown} asked=${asked}>${(reply: Totals) => html`<${Found} totals=${reply} query=${query} onAgain=${asked.again} />`}<//>
  `;
}

interface FiltersProps {
  readonly merchants: Merchants;
  readonly query: Query;
}

function Filters({ merchants, query }: FiltersProps): VNode {
  const say = words.stuck;
  const [draft, setDraft] = useState(query);
  const set = (name: string) => (value: string) => setDraft((now) => ({ ...now, [name]: value }));
  const submit = (event: Event): void => {
    event.preventDefault();
    go("stuck", draft);
  };
  const ages = say.ages as Readonly<Record<string, string>>;
  return html`
    <form class="filters" onSubmit=${submit}>
      <${MerchantChoice} merchants=${merchants} value=${draft.merchant ?? ""} onValue=${set("merchant")} all=${say.all} />
      <${Choice} label=${say.age} value=${draft.days ?? "0"} options=${DAYS.map((days) => [days, ages[days] ?? days])}
        onValue=${(days: string) => set("days")(days === "0" ? "" : days)} />
      <div class="actions">
        <button type="submit" class="button primary">${words.transactions.apply}</button>
        <button type="button" class="button" onClick=${() => go("stuck")}>${words.transactions.clear}</button>
      </div>
    </form>
  `;
}

interface FoundProps {
  readonly totals: Totals;
  readonly query: Query;
  readonly onAgain: () => void;
}

function Found({ totals, query, onAgain }: FoundProps): VNode {
  const say = words.stuck;
  const maySee = useMay("support");
  const sums = totals.sums ?? [];
  const chosen: Kind | undefined =
    KINDS.find((kind) => kind === query.kind) ?? KINDS.find((kind) => sums.some((sum) => sum.kind === kind));
  const ofKind = sums.filter(({ kind }) => kind === chosen);
  return html`
    ${totals.complete !== true && html`<p class="notice" role="status">${say.incomplete}</p>`}
    ${
      chosen === undefined || sums.length === 0
        ? html`<${Empty} title=${say.none}>${say.noneText}<//>`
        : html`
            <${Sentences} sums=${sums} chosen=${chosen} query=${query} />
            <p>${say.what[chosen]}</p>
            ${
              ofKind.length === 0
                ? html`<${Empty} title=${say.noneOf}>${say.noneOfText}<//>`
                : html`
                    <h2>${say.byMerchant}</h2>
                    <${ByMerchant} sums=${ofKind} query=${{ ...query, kind: chosen }} />
                    <h2>${chosen === "slip" ? say.slips : say.list}</h2>
                    ${
                      maySee
                        ? html`<${List} key=${chosen} kind=${chosen} query=${query} onAgain=${onAgain} />`
                        : html`<p class="notice">${say.needsSupport}</p>`
                    }
                  `
            }
          `
    }
  `;
}
