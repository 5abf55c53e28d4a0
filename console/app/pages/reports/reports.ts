import type { VNode } from "preact";
import { chosenMerchant, type Merchants, useMerchants } from "../../parts/filters/merchant-choice.ts";
import { html } from "../../parts/html.ts";
import { Empty, Shown } from "../../parts/state.ts";
import type { GgrReport } from "../../service/types.ts";
import { useCall } from "../../service/use-call.ts";
import { words } from "../../shell/language.ts";
import { addressOf, go } from "../../shell/route.ts";
import { ZONE } from "../../shell/zone.ts";
import { Filters } from "./filters.ts";
import { COMPARISONS, comparedRange, presetRange, todayIn } from "./ranges.ts";
import { ReportView } from "./report-view.ts";

type Query = Readonly<Record<string, string>>;
interface PageProps {
  readonly query: Query;
}

/** The gross gaming revenue of a merchant, as plot and table, beside another range. */
export function Reports({ query }: PageProps): VNode {
  const merchants = useMerchants();
  return html`
    <section>
      <h1>${words.reports.title}</h1>
      <p class="lead">${words.reports.lead}</p>
      <${Shown} asked=${merchants}>${(reply: Merchants) =>
        (reply.merchants ?? []).length === 0
          ? html`<${Empty} title=${words.merchants.none}>${words.merchants.noneText}<//>`
          : html`<${OfMerchant} merchants=${reply} query=${query} merchant=${chosenMerchant(query, reply)} />`}<//>
    </section>
  `;
}

interface OfMerchantProps extends PageProps {
  readonly merchants: Merchants;
  /** undefined: the reader must choose one. */
  readonly merchant: string | undefined;
}

function OfMerchant({ merchants, merchant, query }: OfMerchantProps): VNode {
  const tz = query.tz ?? ZONE;
  const week = presetRange("week", todayIn(ZONE));
  const range = { from: query.from ?? week.from, to: query.to ?? week.to };
  const comparison = COMPARISONS.find((one) => one === query.compare) ?? "before";
  const other = comparedRange(range, comparison);
  const { by = "day", type = "", provider = "" } = query;
  const shared = { merchant, groupBy: by, tz, type, provider };
  const rpc = merchant === undefined ? null : "operator.ReportService/GetGgrReport";
  const asked = useCall<GgrReport>(rpc, { ...shared, ...range });
  const compared = useCall<GgrReport>(other === null ? null : rpc, { ...shared, ...other });
  const types = words.reports.types as Readonly<Record<string, string>>;
  const about = [merchant, types[type] ?? type, provider].filter(Boolean).join(", ");
  const full = { ...query, merchant: merchant ?? "", ...range, tz, by, compare: comparison };
  return html`
    <${Filters} key=${JSON.stringify(full)} merchants=${merchants} query=${full} onQuery=${(next: Query) => go("reports", next)} />
    ${
      merchant === undefined
        ? html`<${MerchantLinks} merchants=${merchants} query=${query} />`
        : html`<${Shown} asked=${asked}>${(report: GgrReport) => html`
            <${ReportView} report=${report} range=${range} other=${compared.reply} otherRange=${other}
              otherFailure=${compared.failure} merchant=${merchant} about=${about} comparison=${comparison} />
          `}<//>`
    }
  ` as VNode;
}

/** The merchants that can be chosen with one click. A merchant has one currency, so no report has several of them. */
const MerchantLinks = ({ merchants: { merchants = [] }, query }: Omit<OfMerchantProps, "merchant">): VNode => html`
  <div class="notice">
    <strong>${words.merchants.choose}</strong>
    <ul class="actions">
      ${merchants
        .slice(0, LINKS_MAX)
        .map(
          ({ code, currency }) =>
            html`<li key=${code}><a class="button" href=${addressOf("reports", { ...query, merchant: code })}>${code} (${currency})</a></li>`,
        )}
    </ul>
  </div>
`;
const LINKS_MAX = 30;
