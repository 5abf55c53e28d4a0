import type { VNode } from "preact";
import { Badge, type Tone } from "../../parts/badge.ts";
import { money, time } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { type Column, Table } from "../../parts/table.ts";
import type { Transaction } from "../../service/types.ts";
import { words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { isResendable } from "./acts.ts";

const TONES: Readonly<Record<Transaction["status"], Tone>> = { success: "good", failed: "bad", pending: "wait" };

export const StatusBadge = ({ status }: Pick<Transaction, "status">): VNode =>
  html`<${Badge} tone=${TONES[status]} text=${words.transactions.statuses[status]} />`;

/** Why a transaction is not done; empty: it is. */
export const causeOf = ({ error, lastResult, status }: Transaction): string =>
  status === "success" ? "" : (error ?? lastResult ?? "");

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
  // A phone shows the first columns, so these are the ones that tell what happened to the money.
  const columns: Column<Transaction>[] = [
    ...(selection === undefined || !transactions.some(isResendable) ? [] : [selectColumn(selection)]),
    {
      title: say.id,
      isName: true,
      cell: (one) =>
        html`<a class="id" href=${addressOf("transaction", { merchant: one.merchant ?? merchant, tx: one.txId })}>${one.txId}</a>`,
    },
    { title: say.status, cell: ({ status }) => html`<${StatusBadge} status=${status} />` },
    { title: say.amount, isFigure: true, cell: ({ amountMinor, currency }) => money(amountMinor, currency) },
    ...(merchant === undefined
      ? [{ title: words.merchants.merchant, cell: (one: Transaction) => one.merchant ?? "" }]
      : []),
    { title: say.action, cell: ({ action }) => say.actions[action] },
    { title: say.created, cell: ({ createdAt }) => html`<time datetime=${createdAt}>${time(createdAt)}</time>` },
    {
      title: say.error,
      cell: causeOf,
    },
    { title: say.player, cell: ({ playerId }) => playerId },
    { title: say.game, cell: ({ provider, game }) => `${provider} / ${game}` },
    { title: say.round, cell: ({ roundId }) => roundId },
    { title: say.calls, isFigure: true, cell: ({ attempts = 0 }) => attempts },
  ];
  return html`<${Table} caption=${caption ?? say.title} columns=${columns} rows=${transactions} keyOf=${(one: Transaction) => (merchant === undefined ? `${one.merchant} ${one.txId}` : one.txId)} />`;
}

const selectColumn = ({ selected, onSelect }: Selection): Column<Transaction> => ({
  title: words.transactions.select,
  cell: (one) =>
    isResendable(one) &&
    html`<input type="checkbox" aria-label=${words.transactions.selectOne(one.txId)} checked=${selected.has(one.txId)}
      onChange=${(event: Event) => onSelect(one.txId, (event.currentTarget as HTMLInputElement).checked)} />`,
});
