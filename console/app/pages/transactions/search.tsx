import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Field } from "../../parts/fields.tsx";
import { time } from "../../parts/format.ts";
import { Empty, Shown } from "../../parts/state.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import type { Transaction } from "../../service/types.ts";
import { useCall } from "../../service/use-call.ts";
import { timelineWords, words } from "../../shell/language.ts";
import { addressOf, go } from "../../shell/route.ts";
import { Amount, State } from "./listing.tsx";
import { Player } from "./player.tsx";

interface Hit {
  readonly matched: string;
  readonly transaction: Transaction;
}

interface Beginning {
  readonly matched: string;
  readonly merchant: string;
  readonly value: string;
}

interface Reply {
  readonly hits?: readonly Hit[];
  /** Only without hits: what begins with the text. */
  readonly beginnings?: readonly Beginning[];
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
  return (
    <search>
      <form class="line" onSubmit={submit}>
        <Field label={say.label} value={draft} onValue={setDraft} type="search" required maxLength={TEXT_MAX} />
        <button type="submit" class="button primary">
          {say.act}
        </button>
      </form>
    </search>
  );
}

/** The maximum of summaries above what a search found. The player's own link leads to further ones. */
const SUMMARIES_MAX = 3;

/** What a search found, ids before rounds before players. A player's summary stands above it. */
export function Found({ text }: { readonly text: string }): VNode {
  const say = timelineWords.search;
  const asked = useCall<Reply>("admin.ConsoleService/SearchTransactions", { text });
  return (
    <>
      <p>
        <a href={addressOf("transactions")}>{timelineWords.transaction.back}</a>
      </p>
      <Shown asked={asked}>
        {({ hits = [], more, beginnings = [] }: Reply) => {
          if (beginnings.length > 0) return <Beginnings text={text} all={beginnings} />;
          if (hits.length === 0) return <Empty title={say.none(text)}>{say.noneText}</Empty>;
          const merchants = hits.flatMap(({ matched, transaction }) =>
            matched === "player_id" ? [transaction.merchant ?? ""] : [],
          );
          const found = (
            <>
              <Table caption={say.found} columns={columns()} rows={hits} keyOf={keyOf} hrefOf={addressOfHit} />
              {more && <p>{say.more}</p>}
            </>
          );
          return [...new Set(merchants)].slice(0, SUMMARIES_MAX).reduceRight(
            (below, merchant) => (
              <Player key={merchant} merchant={merchant} player={text}>
                {() => below}
              </Player>
            ),
            found,
          );
        }}
      </Shown>
    </>
  );
}

/** What begins with the text, because nothing is exactly the text. */
function Beginnings({ text, all }: { readonly text: string; readonly all: readonly Beginning[] }): VNode {
  const say = timelineWords.search;
  const address = ({ value }: Beginning): string => addressOf("transactions", { q: value });
  return (
    <>
      <p role="status">{say.beginnings(text)}</p>
      <Table
        caption={say.beginnings(text)}
        columns={[
          {
            title: words.transactions.id,
            isName: true,
            cell: (one: Beginning) => (
              <a class="id" href={address(one)}>
                {one.value}
              </a>
            ),
          },
          { title: say.found, cell: ({ matched }) => matchText(matched) },
          { title: words.merchants.merchant, cell: ({ merchant }) => merchant },
        ]}
        rows={all}
        keyOf={({ matched, merchant, value }: Beginning) => `${matched} ${merchant} ${value}`}
        hrefOf={address}
      />
    </>
  );
}

const matchText = (matched: string): string =>
  (timelineWords.search.matches as Readonly<Record<string, string>>)[matched] ?? matched;

const addressOfHit = ({ transaction: { merchant, txId } }: Hit): string =>
  addressOf("transaction", { merchant, tx: txId });
const keyOf = ({ matched, transaction }: Hit): string => `${matched} ${transaction.merchant} ${transaction.txId}`;

function columns(): Column<Hit>[] {
  const say = words.transactions;
  return [
    {
      title: say.id,
      isName: true,
      cell: (hit) => (
        <a class="id" href={addressOfHit(hit)}>
          {hit.transaction.txId}
        </a>
      ),
    },
    // A narrow window shows the first columns: the money, the state with its cause, and whose it is.
    { title: say.amount, isFigure: true, cell: ({ transaction }) => <Amount of={transaction} /> },
    { title: say.status, isWrapped: true, cell: ({ transaction }) => <State of={transaction} /> },
    {
      title: say.player,
      isWrapped: true,
      cell: ({ transaction: { merchant, playerId } }) => (
        <>
          <a href={addressOf("transactions", { merchant, player: playerId })}>{playerId}</a>
          <br />
          <small>{merchant}</small>
        </>
      ),
    },
    { title: timelineWords.search.found, cell: ({ matched }) => matchText(matched) },
    {
      title: say.created,
      isWrapped: true,
      cell: ({ transaction: { createdAt } }) => <time datetime={createdAt}>{time(createdAt)}</time>,
    },
    {
      title: say.round,
      isWrapped: true,
      cell: ({ transaction: { merchant, roundId } }) => (
        <a href={addressOf("transactions", { merchant, round: roundId })}>{roundId}</a>
      ),
    },
  ];
}
