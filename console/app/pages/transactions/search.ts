import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Field } from "../../parts/fields.ts";
import { time } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { Empty, Shown } from "../../parts/state.ts";
import { type Column, Table } from "../../parts/table.ts";
import type { Transaction } from "../../service/types.ts";
import { useCall } from "../../service/use-call.ts";
import { timelineWords, words } from "../../shell/language.ts";
import { addressOf, go } from "../../shell/route.ts";
import { Amount, State } from "./listing.ts";
import { Player } from "./player.ts";

interface Hit {
  readonly matched: string;
  readonly transaction: Transaction;
}

interface Reply {
  readonly hits?: readonly Hit[];
  readonly more?: boolean;
}

const TEXT_MAX = 512;

/** One box for everything that people have in hand: an id, a round or a player. It looks at all merchants. */
export function SearchBox({ text }: { readonly text: string }): VNode {
  const say = timelineWords.search;
  const [draft, setDraft] = useState(text);
  const submit = (event: Event): void => {
    event.preventDefault();
    go("transactions", { q: draft.trim() });
  };
  return html`
    <search>
      <form class="line" onSubmit=${submit}>
        <${Field} label=${say.label} value=${draft} onValue=${setDraft} type="search" required=${true} maxLength=${TEXT_MAX} />
        <button type="submit" class="button primary">${say.act}</button>
      </form>
    </search>
  `;
}

/** The maximum of summaries above what a search found. The player's own link leads to further ones. */
const SUMMARIES_MAX = 3;

/** What a search found, ids before rounds before players. A player's summary stands above it. */
export function Found({ text }: { readonly text: string }): VNode {
  const say = timelineWords.search;
  const asked = useCall<Reply>("admin.ConsoleService/SearchTransactions", { text });
  return html`
    <p><a href=${addressOf("transactions")}>${timelineWords.transaction.back}</a></p>
    <${Shown} asked=${asked}>${({ hits = [], more }: Reply) => {
      if (hits.length === 0) return html`<${Empty} title=${say.none(text)}>${say.noneText}<//>`;
      const merchants = hits.flatMap(({ matched, transaction }) =>
        matched === "player_id" ? [transaction.merchant ?? ""] : [],
      );
      const found = html`
        <${Table} caption=${say.found} columns=${columns()} rows=${hits} keyOf=${keyOf} hrefOf=${addressOfHit} />
        ${more && html`<p>${say.more}</p>`}
      `;
      return [...new Set(merchants)]
        .slice(0, SUMMARIES_MAX)
        .reduceRight(
          (below, merchant) => html`<${Player} key=${merchant} merchant=${merchant} player=${text}>${() => below}<//>`,
          found,
        );
    }}<//>
  ` as VNode;
}

const addressOfHit = ({ transaction: { merchant, txId } }: Hit): string =>
  addressOf("transaction", { merchant, tx: txId });
const keyOf = ({ matched, transaction }: Hit): string => `${matched} ${transaction.merchant} ${transaction.txId}`;

function columns(): Column<Hit>[] {
  const say = words.transactions;
  const matches = timelineWords.search.matches as Readonly<Record<string, string>>;
  return [
    {
      title: say.id,
      isName: true,
      cell: (hit) => html`<a class="id" href=${addressOfHit(hit)}>${hit.transaction.txId}</a>`,
    },
    // A narrow window shows the first columns: the money, the state with its cause, and whose it is.
    { title: say.amount, isFigure: true, cell: ({ transaction }) => html`<${Amount} of=${transaction} />` },
    { title: say.status, isWrapped: true, cell: ({ transaction }) => html`<${State} of=${transaction} />` },
    {
      title: say.player,
      isWrapped: true,
      cell: ({ transaction: { merchant, playerId } }) => html`
        <a href=${addressOf("transactions", { merchant, player: playerId })}>${playerId}</a><br />
        <small>${merchant}</small>
      `,
    },
    { title: timelineWords.search.found, cell: ({ matched }) => matches[matched] ?? matched },
    {
      title: say.created,
      isWrapped: true,
      cell: ({ transaction: { createdAt } }) => html`<time datetime=${createdAt}>${time(createdAt)}</time>`,
    },
    {
      title: say.round,
      isWrapped: true,
      cell: ({ transaction: { merchant, roundId } }) =>
        html`<a href=${addressOf("transactions", { merchant, round: roundId })}>${roundId}</a>`,
    },
  ];
}
