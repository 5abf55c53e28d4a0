import type { VNode } from "preact";
import { html } from "../../parts/html.ts";
import { type Merchants, useMerchants } from "../../parts/merchant-choice.ts";
import { Empty, Shown } from "../../parts/state.ts";
import type { GgrReport } from "../../service/types.ts";
import { useCall } from "../../service/use-call.ts";
import { words } from "../../shell/language.ts";
import { go } from "../../shell/route.ts";
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
      <${Shown} asked=${merchants}>${(reply: Merchants) => {
        const merchant = query.merchant ?? reply.merchants?.[0]?.code;
        if (merchant === undefined)
          return html`<${Empty} title=${words.merchants.none}>${words.merchants.noneText}<//>`;
        return html`<${OfMerchant} merchants=${reply} query=${{ ...query, merchant }} merchant=${merchant} />`;
      }}<//>
    </section>
  `;
}

interface OfMerchantProps extends PageProps {
  readonly merchants: Merchants;
  readonly merchant: string;
}

function OfMerchant({ merchants, merchant, query }: OfMerchantProps): VNode {
  const tz = query.tz ?? ZONE;
  const week = presetRange("week", todayIn(ZONE));
  const range = { from: query.from ?? week.from, to: query.to ?? week.to };
  const comparison = COMPARISONS.find((one) => one === query.compare) ?? "before";
  const other = comparedRange(range, comparison);
  const { by = "day", type = "", provider = "" } = query;
  const shared = { merchant, groupBy: by, tz, type, provider };
  const rpc = "operator.ReportService/GetGgrReport";
  const asked = useCall<GgrReport>(rpc, { ...shared, ...range });
  const compared = useCall<GgrReport>(other === null ? null : rpc, { ...shared, ...other });
  const full = { ...query, ...range, tz, by, compare: comparison };
  return html`
    <${Filters} key=${JSON.stringify(full)} merchants=${merchants} query=${full} onQuery=${(next: Query) => go("reports", next)} />
    <${Shown} asked=${asked}>${(report: GgrReport) => html`
      <${ReportView} report=${report} range=${range} other=${compared.reply} otherRange=${other}
        otherFailure=${compared.failure} merchant=${merchant} />
    `}<//>
  `;
}
