import type { VNode } from "preact";
import type { Whole } from "../../parts/amount.ts";
import { count, money } from "../../parts/format.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { timelineWords, words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { DAY_S, type Kind, type Query } from "./types.ts";

interface AgeSum {
  readonly olderThanS?: number;
  readonly count?: number;
  readonly amountMinor?: Whole;
}

/** The stuck money of one kind and merchant. */
export interface Sum {
  readonly kind: Kind;
  readonly merchant: string;
  readonly currency: string;
  readonly players?: number;
  readonly ages?: readonly AgeSum[];
  readonly more?: boolean;
}

export interface Totals {
  readonly sums?: readonly Sum[];
  readonly complete?: boolean;
}

interface SentencesProps {
  /** The kinds that stand here. One without sums is left out, unless it is chosen. */
  readonly kinds: readonly Kind[];
  readonly sums: readonly Sum[];
  readonly chosen: Kind | undefined;
  readonly query: Query;
}

/** What is stuck, in sentences. Each kind leads to its transactions. */
export const Sentences = ({ kinds, sums, chosen, query }: SentencesProps): VNode => (
  <>
    <ul class="stuck" aria-label={words.stuck.kind}>
      {kinds
        .filter((kind) => kind === chosen || sums.some((sum) => sum.kind === kind))
        .map((kind) => (
          <li key={kind} class="card" data-kind={kind}>
            <a href={addressOf("stuck", { ...query, kind })} aria-current={kind === chosen ? "true" : undefined}>
              {words.stuck.kinds[kind]}
            </a>
            {sentencesOf(
              kind,
              sums.filter((sum) => sum.kind === kind),
            ).map((text) => (
              <p key={text}>{text}</p>
            ))}
          </li>
        ))}
    </ul>
    {sums.some(({ kind, more }) => more && kinds.includes(kind)) && (
      <p>
        <small>{timelineWords.stuck.more}</small>
      </p>
    )}
  </>
);

/** What all players wait for together, a sentence for each currency. */
export function OwedSum({ sums }: { readonly sums: readonly Sum[] }): VNode {
  const say = timelineWords.stuck;
  const sentences = [...Map.groupBy(sums, ({ currency }) => currency)].map(([currency, own]) => {
    const { many, minor } = allOf(own);
    return say.owedSum(money(String(minor), currency), count(many), many === 1);
  });
  return <p class="lead">{sentences.length === 0 ? say.owedNone : sentences.join(" ")}</p>;
}

const allOf = (sums: readonly Sum[]): { readonly many: number; readonly minor: bigint } => ({
  many: sums.reduce((all, sum) => all + (ageOf(sum, 0).count ?? 0), 0),
  minor: sums.reduce((all, sum) => all + BigInt(ageOf(sum, 0).amountMinor ?? 0), 0n),
});

/** One sentence for each currency. */
function sentencesOf(kind: Kind, sums: readonly Sum[]): string[] {
  const say = timelineWords.stuck;
  if (sums.length === 0) return [say.noneOf];
  return [...Map.groupBy(sums, ({ currency }) => currency)].map(([currency, own]) => {
    const all = allOf(own);
    const many = kind === "owed" ? own.reduce((players, sum) => players + (sum.players ?? 0), 0) : all.many;
    const sentence = say.says[kind](money(String(all.minor), currency), count(many), many === 1);
    return own.some(({ more }) => more) ? `${say.atLeast} ${sentence}` : sentence;
  });
}

const ageOf = ({ ages = [] }: Sum, days: number): AgeSum =>
  ages.find(({ olderThanS = 0 }) => olderThanS === days * DAY_S) ?? {};

/** The sums of one kind by merchant and age. */
export function ByMerchant({ sums, query }: { readonly sums: readonly Sum[]; readonly query: Query }): VNode {
  const say = timelineWords.stuck;
  const older = (days: 1 | 7 | 30): Column<Sum> => ({
    title: say.ages[days],
    isFigure: true,
    cell: (sum) => ((ageOf(sum, days).count ?? 0) === 0 ? "–" : money(ageOf(sum, days).amountMinor, sum.currency)),
  });
  const columns: Column<Sum>[] = [
    {
      title: words.merchants.merchant,
      isName: true,
      cell: ({ merchant }) => (
        <a class="id" href={addressOf("stuck", { ...query, merchant })}>
          {merchant}
        </a>
      ),
    },
    { title: say.value, isFigure: true, cell: (sum) => money(ageOf(sum, 0).amountMinor, sum.currency) },
    { title: say.players, isFigure: true, cell: ({ players }) => count(players) },
    {
      title: say.number,
      isFigure: true,
      cell: (sum) => `${sum.more === true ? "≥ " : ""}${count(ageOf(sum, 0).count)}`,
    },
    older(1),
    older(7),
    older(30),
  ];
  return (
    <Table
      caption={`${say.byMerchant}: ${words.stuck.kinds[query.kind as Kind]}`}
      columns={columns}
      rows={sums}
      keyOf={({ merchant }: Sum) => merchant}
    />
  );
}
