import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { html } from "../../parts/html.ts";
import { ALL_MERCHANTS, type Merchants, useMerchants } from "../../parts/merchant-choice.ts";
import { More } from "../../parts/more.ts";
import { Empty, Shown } from "../../parts/state.ts";
import type { Paged, Transaction } from "../../service/types.ts";
import { usePages } from "../../service/use-pages.ts";
import { words } from "../../shell/language.ts";
import { addressOf, go } from "../../shell/route.ts";
import type { StuckPage } from "../stuck/types.ts";
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
        if (merchant === ALL_MERCHANTS) return html`<${OfAll} merchants=${reply} query=${query} />`;
        return html`<${OfMerchant} merchants=${reply} query=${{ ...query, merchant }} merchant=${merchant} />`;
      }}<//>
  `;
}

interface OfAllProps extends PageProps {
  readonly merchants: Merchants;
}

/** Pending transactions of all merchants. No index finds others of all merchants in the order of time. */
function OfAll({ merchants, query }: OfAllProps): VNode {
  const say = words.transactions;
  const filters = Object.entries(query).filter(([name, value]) => name !== "merchant" && value !== "");
  const isPending = filters.length === 1 && query.status === "pending";
  const asked = usePages<StuckPage>(isPending ? "admin.ConsoleService/ListStuckMoney" : null, { kind: "open" });
  const transactions = asked.pages.flatMap(({ items = [] }) => items.flatMap(({ transaction }) => transaction ?? []));
  return html`
    <${Filters} key=${JSON.stringify(query)} merchants=${merchants} query=${query} onQuery=${(next: Query) => go("transactions", next)} />
    <p class="effect">
      ${say.allText} <a href=${addressOf("stuck")}>${words.stuck.title}</a>
    </p>
    ${
      isPending
        ? html`<${Shown} asked=${asked.first}>${() =>
            transactions.length === 0 && asked.more === undefined
              ? html`<${Empty} title=${say.noPending} />`
              : html`<${Listing} transactions=${transactions} /><${More} of=${asked} />`}<//>`
        : html`<p><a class="button" href=${addressOf("transactions", { merchant: ALL_MERCHANTS, status: "pending" })}>${say.allPending}</a></p>`
    }
  `;
}

interface OfMerchantProps extends OfAllProps {
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
