import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { money, time } from "../../parts/format.ts";
import { More } from "../../parts/more.tsx";
import { Empty, Shown } from "../../parts/state.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import type { Transaction } from "../../service/types.ts";
import { usePages } from "../../service/use-pages.ts";
import { timelineWords, words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { isResendable } from "../transactions/acts.tsx";
import { Listing } from "../transactions/listing.tsx";
import { ResendMany } from "../transactions/resend-many.tsx";
import { StuckExport } from "./export.tsx";
import { type Kind, type Query, requestOf, type Slip, type StuckPage } from "./types.ts";

interface ListProps {
  readonly kind: Kind;
  readonly query: Query;
  /** Reads the sums again, which an action has changed. */
  readonly onAgain: () => void;
}

/** The transactions or slips of one kind, the oldest first. Each leads to its timeline. */
export function List({ kind, query, onAgain }: ListProps): VNode {
  const say = timelineWords.stuck;
  const asked = usePages<StuckPage>("admin.ConsoleService/ListStuckMoney", requestOf(kind, query));
  const items = asked.pages.flatMap((page) => page.items ?? []);
  const transactions = items.flatMap(({ transaction }) => (transaction === undefined ? [] : [transaction]));
  const again = (): void => {
    asked.first.again();
    onAgain();
  };
  return (
    <Shown asked={asked.first}>
      {() =>
        items.length === 0 && asked.more === undefined ? (
          <Empty title={say.noneOf}>{say.noneOfText}</Empty>
        ) : (
          <>
            {kind === "slip" ? (
              <Slips slips={items.flatMap(({ slip }) => slip ?? [])} />
            ) : (
              <Transactions kind={kind} transactions={transactions} merchant={query.merchant ?? ""} onAgain={again} />
            )}
            <More of={asked} />
            <StuckExport kind={kind} query={query} />
          </>
        )
      }
    </Shown>
  );
}

interface TransactionsProps {
  readonly kind: Kind;
  readonly transactions: readonly Transaction[];
  /** Empty: all merchants. */
  readonly merchant: string;
  readonly onAgain: () => void;
}

/** With one merchant, credits can be selected and sent again together. */
function Transactions({ kind, transactions, merchant, onAgain }: TransactionsProps): VNode {
  const caption = `${timelineWords.stuck.list}: ${words.stuck.kinds[kind]}`;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => setSelected(new Set()), [merchant]);
  const onSelect = (txId: string, isSelected: boolean): void =>
    setSelected((now) => new Set(isSelected ? [...now, txId] : [...now].filter((one) => one !== txId)));
  if (merchant === "")
    return (
      <>
        {transactions.some(isResendable) && (
          <p>
            <small>{timelineWords.stuck.resendHint}</small>
          </p>
        )}
        <Listing caption={caption} transactions={transactions} />
      </>
    );
  const chosen = transactions.filter(({ txId }) => selected.has(txId));
  const done = (): void => {
    setSelected(new Set());
    onAgain();
  };
  return (
    <>
      {chosen.length > 0 && <ResendMany merchant={merchant} transactions={chosen} onDone={done} />}
      <Listing caption={caption} merchant={merchant} transactions={transactions} selection={{ selected, onSelect }} />
    </>
  );
}

function Slips({ slips }: { readonly slips: readonly Slip[] }): VNode {
  const say = words.transactions;
  const hrefOf = ({ merchant, txId }: Slip): string => addressOf("transaction", { merchant, tx: txId });
  // A narrow window shows the first columns: which slip, and its money.
  const columns: Column<Slip>[] = [
    {
      title: timelineWords.stuck.slip,
      isName: true,
      cell: (slip) => (
        <a class="id" href={hrefOf(slip)}>
          {slip.slipId}
        </a>
      ),
    },
    { title: say.amount, isFigure: true, cell: ({ amountMinor, currency }) => money(amountMinor, currency) },
    { title: say.status, isWrapped: true, cell: ({ status }) => timelineWords.timeline.slip.statuses[status] },
    {
      title: say.player,
      isWrapped: true,
      cell: ({ playerId, merchant }) => (
        <>
          {playerId}
          <br />
          <small>{merchant}</small>
        </>
      ),
    },
    {
      title: say.created,
      isWrapped: true,
      cell: ({ createdAt }) => <time datetime={createdAt}>{time(createdAt)}</time>,
    },
  ];
  return (
    <Table
      caption={timelineWords.stuck.slips}
      columns={columns}
      rows={slips}
      hrefOf={hrefOf}
      keyOf={(one: Slip) => `${one.merchant} ${one.slipId}`}
    />
  );
}
