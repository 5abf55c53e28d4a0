import type { VNode } from "preact";
import { Badge } from "../../parts/badge.tsx";
import { Choice } from "../../parts/fields.tsx";
import { FilterForm, useDraft } from "../../parts/filters/filter-form.tsx";
import { chosenMerchant, MerchantChoice, type Merchants, useMerchants } from "../../parts/filters/merchant-choice.tsx";
import { time } from "../../parts/format.ts";
import { More } from "../../parts/more.tsx";
import { Empty, Shown } from "../../parts/state.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import type { Paged } from "../../service/types.ts";
import { usePages } from "../../service/use-pages.ts";
import { moreWords, words } from "../../shell/language.ts";
import { addressOf, go } from "../../shell/route.ts";

interface Round {
  readonly provider: string;
  readonly roundId: string;
  readonly state: "open" | "ended";
  /** RFC 3339. */
  readonly openedAt: string;
  readonly endedAt?: string;
}

interface Reply extends Paged {
  readonly rounds?: readonly Round[];
}

type Query = Readonly<Record<string, string>>;

/** The ages of the filter, in seconds. */
const AGES = ["0", "3600", "86400", "604800"] as const;

/** A merchant's rounds that are open or have ended. The filters stand in the address. */
export function Rounds({ query }: { readonly query: Query }): VNode {
  const say = moreWords.rounds;
  const merchants = useMerchants();
  return (
    <section>
      <h1>{say.title}</h1>
      <p class="lead">{say.lead}</p>
      <Shown asked={merchants}>
        {(reply: Merchants) => {
          if ((reply.merchants ?? []).length === 0)
            return <Empty title={words.merchants.none}>{words.merchants.noneText}</Empty>;
          const merchant = chosenMerchant(query, reply) ?? "";
          return (
            <>
              <Filters key={JSON.stringify(query)} merchants={reply} query={{ ...query, merchant }} />
              {merchant === "" ? <Empty title={words.merchants.choose} /> : <List merchant={merchant} query={query} />}
            </>
          );
        }}
      </Shown>
    </section>
  );
}

interface FiltersProps {
  readonly merchants: Merchants;
  readonly query: Query;
}

function Filters({ merchants, query }: FiltersProps): VNode {
  const say = moreWords.rounds;
  const { draft, set, isChanged } = useDraft(query);
  const { merchant = "", state = "open", age = "0" } = draft;
  return (
    <FilterForm
      isChanged={isChanged}
      onApply={() => go("rounds", draft)}
      summary={[query.merchant ?? "", say.states[stateOf(query)], say.ages[ageOf(query)]]}
      buttons={
        <button type="button" class="button" onClick={() => go("rounds", { merchant })}>
          {words.transactions.clear}
        </button>
      }
    >
      <MerchantChoice
        merchants={merchants}
        value={merchant}
        onValue={set("merchant")}
        all={merchant === "" ? [["", words.merchants.choose]] : []}
      />
      <Choice label={say.state} value={state} onValue={set("state")} options={Object.entries(say.states)} />
      <Choice label={say.age} value={age} onValue={set("age")} options={AGES.map((one) => [one, say.ages[one]])} />
    </FilterForm>
  );
}

const stateOf = ({ state }: Query): Round["state"] => (state === "ended" ? "ended" : "open");
const ageOf = ({ age }: Query): (typeof AGES)[number] => AGES.find((one) => one === age) ?? "0";

function List({ merchant, query }: { readonly merchant: string; readonly query: Query }): VNode {
  const say = moreWords.rounds;
  const request = { merchant, state: stateOf(query), olderThanS: Number(ageOf(query)) };
  const asked = usePages<Reply>("admin.ConsoleService/ListRounds", request);
  const rounds = asked.pages.flatMap((page) => page.rounds ?? []);
  const hrefOf = ({ provider, roundId }: Round): string =>
    addressOf("transactions", { merchant, provider, round: roundId });
  const columns: Column<Round>[] = [
    {
      title: words.transactions.round,
      isName: true,
      cell: (round) => (
        <a class="id" href={hrefOf(round)}>
          {round.roundId}
        </a>
      ),
    },
    { title: words.transactions.provider, cell: ({ provider }) => provider },
    {
      title: say.state,
      cell: ({ state }) => <Badge tone={state === "open" ? "wait" : "good"} text={say.states[state]} />,
    },
    { title: say.opened, isWrapped: true, cell: ({ openedAt }) => <time datetime={openedAt}>{time(openedAt)}</time> },
    {
      title: say.ended,
      isWrapped: true,
      cell: ({ endedAt }) => endedAt !== undefined && <time datetime={endedAt}>{time(endedAt)}</time>,
    },
  ];
  return (
    <Shown asked={asked.first}>
      {() =>
        rounds.length === 0 ? (
          <Empty title={say.none}>{say.noneText}</Empty>
        ) : (
          <>
            <Table
              caption={say.title}
              columns={columns}
              rows={rounds}
              hrefOf={hrefOf}
              keyOf={({ provider, roundId }: Round) => `${provider} ${roundId}`}
            />
            <More of={asked} />
          </>
        )
      }
    </Shown>
  );
}
