import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Export } from "../../parts/export/export-pages.tsx";
import { ALL_MERCHANTS } from "../../parts/filters/all-merchants.ts";
import { chosenMerchant, type Merchants, useMerchants } from "../../parts/filters/merchant-choice.tsx";
import { More } from "../../parts/more.tsx";
import { Empty, Shown } from "../../parts/state.tsx";
import type { Paged, Transaction } from "../../service/types.ts";
import { usePages } from "../../service/use-pages.ts";
import { timelineWords, words } from "../../shell/language.ts";
import { addressOf, go } from "../../shell/route.ts";
import type { StuckPage } from "../stuck/types.ts";
import { COLUMNS, rowOf } from "./csv-rows.ts";
import { Filters, type Query } from "./filters.tsx";
import { Listing } from "./listing.tsx";
import { type Below, Player } from "./player.tsx";
import { ResendMany } from "./resend-many.tsx";
import { RoundState } from "./round-state.tsx";
import { Found, SearchBox } from "./search.tsx";

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
  return (
    <section>
      <h1>{say.title}</h1>
      <p class="lead">{say.lead}</p>
      <SearchBox key={q} text={q} />
      {q === "" ? <List query={query} /> : <Found text={q} />}
    </section>
  );
}

/** The listing of the chosen merchant, or of all merchants. Of more merchants than are listed, one must be chosen. */
function List({ query }: PageProps): VNode {
  const merchants = useMerchants();
  return (
    <Shown asked={merchants}>
      {(reply: Merchants) => {
        if ((reply.merchants ?? []).length === 0)
          return <Empty title={words.merchants.none}>{words.merchants.noneText}</Empty>;
        const merchant = chosenMerchant(query, reply) ?? (reply.nextCursor ? "" : ALL_MERCHANTS);
        const chosen = { ...query, merchant };
        if (merchant === ALL_MERCHANTS) return <OfAll merchants={reply} query={chosen} />;
        if (merchant === "")
          return (
            <>
              <OwnFilters merchants={reply} query={chosen} />
              <Empty title={words.merchants.choose} />
            </>
          );
        const of = { merchants: reply, query: chosen, merchant };
        const { player = "" } = query;
        if (player === "") return <OfMerchant {...of} />;
        return (
          <Player key={merchant} merchant={merchant} player={player} chosen={query.wrong}>
            {(below: Below) => <OfMerchant {...of} {...below} />}
          </Player>
        );
      }}
    </Shown>
  );
}

interface OfAllProps extends PageProps {
  readonly merchants: Merchants;
}

/** The filters as they stand in the address. */
const OwnFilters = ({ merchants, query }: OfAllProps): VNode => (
  <Filters
    key={JSON.stringify(query)}
    merchants={merchants}
    query={query}
    onQuery={(next: Query) => go("transactions", next)}
  />
);

/**
 * Pending transactions of all merchants, or what the search finds of a player or round. No index finds others of all
 * merchants in the order of time.
 */
function OfAll({ merchants, query }: OfAllProps): VNode {
  const say = words.transactions;
  const filters = Object.entries(query).filter(([name, value]) => name !== "merchant" && value !== "");
  const sought = filters.length === 1 ? query.player || query.round : undefined;
  const isPending = filters.length === 0 || (filters.length === 1 && query.status === "pending");
  const request = { kind: "open" };
  const asked = usePages<StuckPage>(isPending ? "admin.ConsoleService/ListStuckMoney" : null, request);
  const transactions = asked.pages.flatMap(({ items = [] }) => items.flatMap(({ transaction }) => transaction ?? []));
  if (sought)
    return (
      <>
        <OwnFilters merchants={merchants} query={query} />
        <Found text={sought} />
      </>
    );
  return (
    <>
      <OwnFilters merchants={merchants} query={query} />
      <p class="effect">
        {say.allText} <a href={addressOf("stuck")}>{timelineWords.stuck.title}</a>.
      </p>
      {isPending ? (
        <Shown asked={asked.first}>
          {() =>
            transactions.length === 0 && asked.more === undefined ? (
              <Empty title={say.noPending} />
            ) : (
              <>
                <Listing transactions={transactions} />
                <More of={asked} />
                <Export
                  rpc="admin.ConsoleService/ListStuckMoney"
                  request={request}
                  header={COLUMNS}
                  file="transactions-pending"
                  rowsOf={({ items = [] }: StuckPage) =>
                    items.flatMap(({ transaction }) => (transaction === undefined ? [] : [rowOf(transaction)]))
                  }
                  capped={timelineWords.stuck.capped}
                />
              </>
            )
          }
        </Shown>
      ) : (
        <p>
          <a class="button" href={addressOf("transactions", { merchant: ALL_MERCHANTS, status: "pending" })}>
            {say.allPending}
          </a>
        </p>
      )}
    </>
  );
}

interface OfMerchantProps extends OfAllProps, Partial<Below> {
  readonly merchant: string;
}

/** A merchant's transactions, page by page, or those that the summary of a player is narrowed to. */
function OfMerchant({ merchants, merchant, query, narrowed, again }: OfMerchantProps): VNode {
  const say = words.transactions;
  const { player, round, tx, ref, ...same } = query;
  const request = {
    ...given(same, ["from", "to", "status", "action", "kind", "provider", "game"]),
    ...given({ playerId: player, roundId: round, txId: tx, refTxId: ref }),
    merchant,
  };
  const asked = usePages<Reply>(narrowed === undefined ? RPC : null, request);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const address = JSON.stringify(query);
  useEffect(() => setSelected(new Set()), [address]);
  const select = (txId: string, isSelected: boolean): void =>
    setSelected((now) => new Set(isSelected ? [...now, txId] : [...now].filter((one) => one !== txId)));
  const list = (transactions: readonly Transaction[]): VNode => (
    <Listing merchant={merchant} transactions={transactions} selection={{ selected, onSelect: select }} />
  );
  const paged = (): VNode => {
    const transactions = asked.pages.flatMap((page) => page.transactions ?? []);
    return transactions.length === 0 ? (
      <Empty title={say.none}>{hasTime(query) ? say.noneFiltered : say.noneDay}</Empty>
    ) : (
      <>
        {list(transactions)}
        <More of={asked} />
        <Export
          key={address}
          rpc={RPC}
          request={request}
          header={COLUMNS}
          file={`transactions-${merchant}`}
          rowsOf={(page: Reply) => (page.transactions ?? []).map((one) => rowOf(one, merchant))}
          capped={say.capped}
        />
      </>
    );
  };
  const shown = narrowed ?? asked.pages.flatMap((page) => page.transactions ?? []);
  const chosen = shown.filter(({ txId }) => selected.has(txId));
  return (
    <>
      <OwnFilters merchants={merchants} query={query} />
      {round && query.provider && <RoundState merchant={merchant} provider={query.provider} roundId={round} />}
      {chosen.length > 0 && (
        <ResendMany
          merchant={merchant}
          transactions={chosen}
          onDone={() => {
            setSelected(new Set());
            asked.first.again();
            again?.();
          }}
        />
      )}
      {narrowed === undefined ? <Shown asked={asked.first}>{paged}</Shown> : list(narrowed)}
    </>
  );
}

const RPC = "admin.TransactionAdminService/ListTransactions";

const hasTime = ({ from, to, player, round, tx, ref }: Query): boolean =>
  [from, to, player, round, tx, ref].some((value) => (value ?? "") !== "");

/** The fields that have a value. */
const given = (
  fields: Readonly<Record<string, string | undefined>>,
  names: readonly string[] = Object.keys(fields),
): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => ((fields[name] ?? "") === "" ? [] : [[name, fields[name] as string]])));
