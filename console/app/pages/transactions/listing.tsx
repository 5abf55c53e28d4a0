import type { VNode } from "preact";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { money, time } from "../../parts/format.ts";
import { type Column, Table } from "../../parts/table.tsx";
import type { Transaction } from "../../service/types.ts";
import { timelineWords, words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { isResendable } from "./acts.tsx";
import { endingOf } from "./timeline.ts";

const TONES: Readonly<Record<Transaction["status"], Tone>> = { success: "good", failed: "bad", pending: "wait" };

/** Whether the wallet refused a credit. Another transaction has failed, or a person closed it as failed. */
const isRefused = ({ action, status, resolvedBy }: Partial<Transaction>): boolean =>
  status === "failed" && (action === "win" || action === "refund") && resolvedBy !== "manual";

type OfStatus = Pick<Transaction, "status"> & Partial<Transaction>;

export const StatusBadge = ({ of }: { readonly of: OfStatus }): VNode => (
  <Badge
    tone={TONES[of.status]}
    text={isRefused(of) ? words.transactions.refused : words.transactions.statuses[of.status]}
  />
);

/** Why a transaction is not done, in words; empty: it is. */
function causeOf({ error, lastResult, status }: Transaction): string {
  if (status === "success") return "";
  if (error !== undefined) return (timelineWords.codes as Readonly<Record<string, string>>)[error] ?? error;
  return lastResult === undefined ? "" : endingOf({ result: lastResult });
}

/** The status of a transaction, and below it why it is not done. */
export const State = ({ of }: { readonly of: Transaction }): VNode => (
  <>
    <StatusBadge of={of} />
    {causeOf(of) && (
      <>
        <br />
        <small title={of.error ?? of.lastResult}>{causeOf(of)}</small>
      </>
    )}
  </>
);

/** What the money of a bet or win is for; undefined: it is an ordinary one. */
export const kindText = ({ kind }: Transaction): string | undefined =>
  kind && ((words.transactions.kinds as Readonly<Record<string, string>>)[kind] ?? kind);

/** The amount of a transaction, and below it what kind of transaction it is. */
export const Amount = ({ of }: { readonly of: Transaction }): VNode => (
  <>
    {money(of.amountMinor, of.currency)}
    <br />
    <small>{[words.transactions.actions[of.action], kindText(of)].filter(Boolean).join(" · ")}</small>
  </>
);

interface ListingProps {
  /** Names the table. Absent: Transactions. */
  readonly caption?: string;
  readonly transactions: readonly Transaction[];
  /** Absent: the transactions are of several merchants. */
  readonly merchant?: string;
  /** Absent: no transaction can be selected for a resend. */
  readonly selection?: Selection;
}

interface Selection {
  /** The ids that are selected. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (txId: string, isSelected: boolean) => void;
}

/** Transactions as a table. Each row leads to its timeline. */
export function Listing({ caption, merchant, transactions, selection }: ListingProps): VNode {
  const say = words.transactions;
  const hrefOf = (one: Transaction): string =>
    addressOf("transaction", { merchant: one.merchant ?? merchant, tx: one.txId });
  // A phone shows the first columns, so these are the ones that tell what happened to the money.
  const columns: Column<Transaction>[] = [
    ...(selection === undefined || !transactions.some(isResendable) ? [] : [selectColumn(selection)]),
    {
      title: say.id,
      isName: true,
      cell: (one) => (
        <a class="id" href={hrefOf(one)}>
          {one.txId}
        </a>
      ),
    },
    { title: say.amount, isFigure: true, cell: (one) => <Amount of={one} /> },
    { title: say.status, isWrapped: true, cell: (one) => <State of={one} /> },
    {
      title: say.player,
      isWrapped: true,
      cell: (one) => (
        <>
          {one.playerId}
          {merchant === undefined && (
            <>
              <br />
              <small>{one.merchant}</small>
            </>
          )}
        </>
      ),
    },
    {
      title: say.created,
      isWrapped: true,
      cell: ({ createdAt }) => <time datetime={createdAt}>{time(createdAt)}</time>,
    },
    {
      title: `${say.game}, ${say.round.toLowerCase()}`,
      isWrapped: true,
      cell: ({ provider, game, roundId }) => (
        <>
          {provider} / {game}
          <br />
          <small>{roundId}</small>
        </>
      ),
    },
    { title: say.calls, isFigure: true, cell: ({ attempts = 0 }) => attempts },
  ];
  return (
    <Table
      caption={caption ?? say.title}
      columns={columns}
      rows={transactions}
      hrefOf={hrefOf}
      keyOf={(one: Transaction) => (merchant === undefined ? `${one.merchant} ${one.txId}` : one.txId)}
    />
  );
}

const selectColumn = ({ selected, onSelect }: Selection): Column<Transaction> => ({
  title: words.transactions.select,
  cell: (one) =>
    isResendable(one) && (
      <label class="pick">
        <input
          type="checkbox"
          aria-label={words.transactions.selectOne(one.txId)}
          checked={selected.has(one.txId)}
          onChange={(event: Event) => onSelect(one.txId, (event.currentTarget as HTMLInputElement).checked)}
        />
      </label>
    ),
});
