import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Choice } from "../../parts/fields.tsx";
import { clock, count, duration, percent } from "../../parts/format.ts";
import { Empty, Shown } from "../../parts/state.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { StateBadge, sinceText } from "../../parts/wallet-health.tsx";
import type { Paged } from "../../service/types.ts";
import { type All, useAllPages } from "../../service/use-all-pages.ts";
import { callsOf, failedOf, type Health, KINDS, rankOf, type Verdict } from "../../service/wallet-health.ts";
import { moreWords, words } from "../../shell/language.ts";
import { addressOf, go } from "../../shell/route.ts";
import { isSpan, SPANS, type Span, useSpan } from "./spans.ts";

interface Row {
  readonly merchant: string;
  readonly health?: Health;
  readonly verdict?: Verdict;
}

interface Reply extends Paged {
  readonly rows?: readonly Row[];
}

/** Rows of one call, and calls of one view. More merchants than that are not shown. */
const PAGE = 100;
const PAGES_MAX = 20;
/** The rows that are shown at first, and that are added on demand. */
const SHOWN = 100;

type Query = Readonly<Record<string, string>>;

/** The choice of a time that ends now. It stands in the address. */
export const SpanChoice = ({
  page,
  query,
  span,
}: {
  readonly page: string;
  readonly query: Query;
  readonly span: Span;
}): VNode => (
  <div class="filters">
    <Choice
      label={moreWords.wallets.span}
      value={span}
      options={SPANS.map((one) => [one, moreWords.wallets.spans[one]])}
      onValue={(chosen: string) => go(page, { ...query, span: isSpan(chosen) ? chosen : "" })}
    />
  </div>
);

/** Every merchant's wallet in one grid. */
export function Wallets({ query }: { readonly query: Query }): VNode {
  const say = { ...words.wallets, ...moreWords.wallets };
  const { span, range, again } = useSpan(query.span);
  // A wallet in trouble may be on the last page, so the page shows nothing before it has read all.
  const asked = useAllPages<Reply>("admin.ConsoleService/ListWalletHealth", { ...range, limit: PAGE }, PAGES_MAX);
  const [shown, setShown] = useState(SHOWN);
  return (
    <section>
      <h1>{say.title}</h1>
      <p class="lead">{say.lead}</p>
      <SpanChoice page="wallets" query={query} span={span} />
      <Shown asked={asked}>
        {({ pages, isCut }: All<Reply>) => {
          const rows = worstFirst(pages.flatMap((page) => page.rows ?? []));
          if (rows.length === 0) return <Empty title={words.merchants.none}>{words.merchants.noneText}</Empty>;
          return (
            <>
              {isCut && <p class="effect">{words.today.cutMerchants(count(rows.length))}</p>}
              <Table
                caption={say.title}
                columns={columnsOf(span)}
                rows={rows.slice(0, shown)}
                keyOf={({ merchant }: Row) => merchant}
              />
              {rows.length > shown && (
                <div class="more">
                  <button type="button" class="button" onClick={() => setShown(shown + SHOWN)}>
                    {words.state.more}
                  </button>
                </div>
              )}
              <Hints />
              <div class="actions">
                <button type="button" class="button" onClick={again}>
                  {words.state.refresh}
                </button>
                <small>{say.asOf(clock(asked.at))}</small>
              </div>
            </>
          );
        }}
      </Shown>
    </section>
  );
}

const worstFirst = (rows: readonly Row[]): Row[] =>
  [...rows].sort(
    (one, other) =>
      rankOf(one.verdict) - rankOf(other.verdict) || failures(other) - failures(one) || p95(other) - p95(one),
  );

const failures = ({ health = {} }: Row): number => failedOf(health);
const p95 = ({ health }: Row): number => health?.p95Ms ?? 0;

/** What the terms of these pages mean. */
export const Hints = (): VNode => (
  <ul class="hints">
    {Object.values(moreWords.walletHints).map((hint) => (
      <li key={hint}>{hint}</li>
    ))}
  </ul>
);

function columnsOf(span: Span): Column<Row>[] {
  const say = { ...words.wallets, ...moreWords.wallets };
  const time = (title: string, of: (health: Health) => number | undefined): Column<Row> => ({
    title,
    isFigure: true,
    cell: ({ health }) => (health === undefined || of(health) === undefined ? "–" : duration(of(health) ?? 0)),
  });
  return [
    {
      title: words.merchants.merchant,
      isName: true,
      cell: ({ merchant }) => (
        <a class="id" href={addressOf("wallet", { merchant, span })}>
          {merchant}
        </a>
      ),
    },
    {
      title: say.state,
      cell: ({ health = {}, verdict }) => {
        const since = sinceText(verdict);
        return (
          <>
            <StateBadge of={verdict} hadCalls={callsOf(health) > 0} />
            {since && (
              <>
                <br />
                <small class="since">{since}</small>
              </>
            )}
          </>
        );
      },
    },
    { title: say.calls, isFigure: true, cell: ({ health = {} }) => count(callsOf(health)) },
    { title: say.answers, cell: ({ health = {} }) => <Answers of={health} /> },
    {
      title: say.failed,
      isFigure: true,
      cell: ({ health = {} }) => (callsOf(health) === 0 ? "–" : percent(failedOf(health) / callsOf(health))),
    },
    time("p50", ({ p50Ms }) => p50Ms),
    time("p95", ({ p95Ms }) => p95Ms),
    time("p99", ({ p99Ms }) => p99Ms),
    {
      title: say.places,
      isFigure: true,
      cell: ({ health }) =>
        health?.permits === undefined ? "–" : `${count(health.permitsHeld)} / ${count(health.permits)}`,
    },
  ];
}

/** The kinds of answers as one bar. Its text has the same figures. */
function Answers({ of }: { readonly of: Health }): VNode {
  const all = callsOf(of);
  const parts = KINDS.filter((kind) => Number(of[kind] ?? 0) > 0);
  const text = parts.map((kind) => `${moreWords.wallets.kinds[kind]} ${count(of[kind])}`).join(", ");
  return (
    <div class="answers" role="img" aria-label={text === "" ? words.wallets.states.quiet : text} title={text}>
      {parts.map((kind) => (
        <span key={kind} data-kind={kind} style={{ width: `${(100 * Number(of[kind])) / all}%` }} />
      ))}
    </div>
  );
}
