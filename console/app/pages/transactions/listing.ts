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
const causeOf = ({ error, lastResult, status }: Transaction): string =>
  status === "success" ? "" : (error ?? lastResult ?? "");

/** The status of a transaction, and below it why it is not done. */
export const State = ({ of }: { readonly of: Transaction }): VNode =>
  html`<${StatusBadge} status=${of.status} />${causeOf(of) && html`<br /><small>${causeOf(of)}</small>`}` as VNode;

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
      cell: (one) => html`<a class="id" href=${hrefOf(one)}>${one.txId}</a>`,
    },
    { title: say.status, cell: (one) => html`<${State} of=${one} />` },
    { title: say.amount, isFigure: true, cell: ({ amountMinor, currency }) => money(amountMinor, currency) },
    ...(merchant === undefined
      ? [{ title: words.merchants.merchant, cell: (one: Transaction) => one.merchant ?? "" }]
      : []),
    { title: say.action, cell: ({ action }) => say.actions[action] },
    {
      title: say.created,
      isWrapped: true,
      cell: ({ createdAt }) => html`<time datetime=${createdAt}>${time(createdAt)}</time>`,
    },
    { title: say.player, isWrapped: true, cell: ({ playerId }) => playerId },
    { title: say.game, isWrapped: true, cell: ({ provider, game }) => `${provider} / ${game}` },
    { title: say.round, isWrapped: true, cell: ({ roundId }) => roundId },
    { title: say.calls, isFigure: true, cell: ({ attempts = 0 }) => attempts },
  ];
  return html`<${Table} caption=${caption ?? say.title} columns=${columns} rows=${transactions} hrefOf=${hrefOf} keyOf=${(one: Transaction) => (merchant === undefined ? `${one.merchant} ${one.txId}` : one.txId)} />`;
}

const selectColumn = ({ selected, onSelect }: Selection): Column<Transaction> => ({
  title: words.transactions.select,
  cell: (one) =>
    isResendable(one) &&
    html`<label class="pick"><input type="checkbox" aria-label=${words.transactions.selectOne(one.txId)} checked=${selected.has(one.txId)}
      onChange=${(event: Event) => onSelect(one.txId, (event.currentTarget as HTMLInputElement).checked)} /></label>`,
});
