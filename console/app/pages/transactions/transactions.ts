import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { html } from "../../parts/html.ts";
import { type Merchants, useMerchants } from "../../parts/merchant-choice.ts";
import { More } from "../../parts/more.ts";
import { Empty, Shown } from "../../parts/state.ts";
import type { Paged, Transaction } from "../../service/types.ts";
import { usePages } from "../../service/use-pages.ts";
import { words } from "../../shell/language.ts";
import { go } from "../../shell/route.ts";
import { Filters, type Query } from "./filters.ts";
import { Listing } from "./listing.ts";
import { ResendMany } from "./resend-many.ts";
import { Found, SearchBox } from "./search.ts";

interface Reply extends Paged {
  readonly transactions?: readonly Transaction[];
}

interface PageProps {
  readonly query: Query;
}

/** The transactions of a merchant. All filters stand in the address, so that a view can be sent to a colleague. */
export function Transactions({ query }: PageProps): VNode {
  const { q = "" } = query;
  const say = words.transactions;
  return html`
    <section>
      <h1>${say.title}</h1>
      <p class="lead">${say.lead}</p>
      <${SearchBox} key=${q} text=${q} />
      ${q === "" ? html`<${List} query=${query} />` : html`<${Found} text=${q} />`}
    </section>
  `;
}

/** The listing of the chosen merchant, or of the first. */
function List({ query }: PageProps): VNode {
  const merchants = useMerchants();
  return html`
      <${Shown} asked=${merchants}>${(reply: Merchants) => {
        const merchant = query.merchant ?? reply.merchants?.[0]?.code;
        if (merchant === undefined)
          return html`<${Empty} title=${words.merchants.none}>${words.merchants.noneText}<//>`;
        return html`<${OfMerchant} merchants=${reply} query=${{ ...query, merchant }} merchant=${merchant} />`;
      }}<//>
  `;
}

interface OfMerchantProps extends PageProps {
  readonly merchants: Merchants;
  readonly merchant: string;
}

function OfMerchant({ merchants, merchant, query }: OfMerchantProps): VNode {
  const say = words.transactions;
  const { player, round, tx, ref, ...same } = query;
  const asked = usePages<Reply>("admin.TransactionAdminService/ListTransactions", {
    ...given(same, ["from", "to", "status", "action", "provider", "game"]),
    ...given({ playerId: player, roundId: round, txId: tx, refTxId: ref }),
    merchant,
  });
  const transactions = asked.pages.flatMap((page) => page.transactions ?? []);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const address = JSON.stringify(query);
  useEffect(() => setSelected(new Set()), [address]);
  const select = (txId: string, isSelected: boolean): void =>
    setSelected((now) => new Set(isSelected ? [...now, txId] : [...now].filter((one) => one !== txId)));
  return html`
    <${Filters} key=${address} merchants=${merchants} query=${query} onQuery=${(next: Query) => go("transactions", next)} />
    ${
      selected.size > 0 &&
      html`<${ResendMany} merchant=${merchant} txIds=${[...selected]} onDone=${() => {
        setSelected(new Set());
        asked.first.again();
      }} />`
    }
    <${Shown} asked=${asked.first}>${() =>
      transactions.length === 0
        ? html`<${Empty} title=${say.none}>${hasTime(query) ? say.noneFiltered : say.noneDay}<//>`
        : html`
            <${Listing} merchant=${merchant} transactions=${transactions} selection=${{ selected, onSelect: select }} />
            <${More} of=${asked} />
          `}
    <//>
  `;
}

const hasTime = ({ from, to, player, round, tx, ref }: Query): boolean =>
  [from, to, player, round, tx, ref].some((value) => (value ?? "") !== "");

/** The fields that have a value. */
const given = (
  fields: Readonly<Record<string, string | undefined>>,
  names: readonly string[] = Object.keys(fields),
): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => ((fields[name] ?? "") === "" ? [] : [[name, fields[name] as string]])));
