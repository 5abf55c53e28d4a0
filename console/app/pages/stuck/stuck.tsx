import type { VNode } from "preact";
import { Choice } from "../../parts/fields.tsx";
import { FilterForm, useDraft } from "../../parts/filters/filter-form.tsx";
import { MerchantChoice, type Merchants, useMerchants } from "../../parts/filters/merchant-choice.tsx";
import { Empty, Shown } from "../../parts/state.tsx";
import { ACTS } from "../../service/acts.ts";
import { mayAct } from "../../service/session.ts";
import { useCall } from "../../service/use-call.ts";
import { timelineWords, words } from "../../shell/language.ts";
import { go } from "../../shell/route.ts";
import { useMay, useSession } from "../../shell/session-context.ts";
import { List } from "./list.tsx";
import { ByMerchant, OwedSum, Sentences, type Sum, type Totals } from "./sums.tsx";
import { ACTS_OF, DAYS, KINDS, type Kind, OTHER_KINDS, OWED_KINDS, type Query } from "./types.ts";

/** Money that needs a person: what is stuck, of whom, since when, and the transactions. The filters stand in the address. */
export function Stuck({ query }: { readonly query: Query }): VNode {
  const say = timelineWords.stuck;
  const merchants = useMerchants();
  return (
    <section>
      <h1>{say.title}</h1>
      <p class="lead">{say.lead}</p>
      <Shown asked={merchants}>
        {(reply: Merchants) => (
          <>
            <Filters key={JSON.stringify(query)} merchants={reply} query={query} />
            <Sums query={query} />
          </>
        )}
      </Shown>
    </section>
  );
}

function Sums({ query }: { readonly query: Query }): VNode {
  const { merchant = "" } = query;
  const asked = useCall<Totals>("admin.ConsoleService/GetStuckMoney", { merchant });
  return <Shown asked={asked}>{(reply: Totals) => <Found totals={reply} query={query} onAgain={asked.again} />}</Shown>;
}

interface FiltersProps {
  readonly merchants: Merchants;
  readonly query: Query;
}

function Filters({ merchants, query }: FiltersProps): VNode {
  const say = timelineWords.stuck;
  const { draft, set, isChanged } = useDraft(query);
  const ages = say.ages as Readonly<Record<string, string>>;
  return (
    <FilterForm
      isChanged={isChanged}
      onApply={() => go("stuck", draft)}
      summary={[query.merchant ?? words.stuck.all, ages[query.days ?? "0"] ?? ""]}
      buttons={
        <button type="button" class="button" onClick={() => go("stuck")}>
          {words.transactions.clear}
        </button>
      }
    >
      <MerchantChoice
        merchants={merchants}
        value={draft.merchant ?? ""}
        onValue={set("merchant")}
        all={[["", words.stuck.all]]}
      />
      <Choice
        label={say.age}
        value={draft.days ?? "0"}
        options={DAYS.map((days) => [days, ages[days] ?? days])}
        onValue={(days: string) => set("days")(days === "0" ? "" : days)}
      />
    </FilterForm>
  );
}

interface FoundProps {
  readonly totals: Totals;
  readonly query: Query;
  readonly onAgain: () => void;
}

function Found({ totals, query, onAgain }: FoundProps): VNode {
  const say = timelineWords.stuck;
  const sums = totals.sums ?? [];
  const has = (kind: Kind): boolean => sums.some((sum) => sum.kind === kind);
  const chosen = KINDS.find((kind) => kind === query.kind);
  const owed = OWED_KINDS.filter(has);
  // Without a choice, all credits that players wait for are listed.
  const listed = chosen !== undefined ? [chosen] : owed.length > 0 ? owed : OTHER_KINDS.filter(has).slice(0, 1);
  const group = { sums, chosen, query };
  const lists = (kinds: readonly Kind[]) =>
    kinds
      .filter((kind) => listed.some((one) => one === kind))
      .map((kind) => (
        <OfKind key={kind} kind={kind} sums={sums.filter((sum) => sum.kind === kind)} query={query} onAgain={onAgain} />
      ));
  return (
    <>
      {totals.complete !== true && (
        <p class="notice" role="status">
          {say.incomplete}
        </p>
      )}
      {sums.length === 0 ? (
        <Empty title={say.none}>{say.noneText}</Empty>
      ) : (
        <>
          <section class="group" aria-labelledby="owed-title">
            <h2 id="owed-title">{say.owedNow}</h2>
            <OwedSum sums={sums.filter(({ kind }) => OWED_KINDS.some((one) => one === kind))} />
            <Sentences kinds={OWED_KINDS} {...group} />
            {lists(OWED_KINDS)}
          </section>
          <section class="group" aria-labelledby="other-title">
            <h2 id="other-title">{say.other}</h2>
            {!OTHER_KINDS.some(has) && <p class="lead">{say.otherNone}</p>}
            <Sentences kinds={OTHER_KINDS} {...group} />
            {lists(OTHER_KINDS)}
          </section>
        </>
      )}
    </>
  );
}

interface OfKindProps {
  readonly kind: Kind;
  readonly sums: readonly Sum[];
  readonly query: Query;
  readonly onAgain: () => void;
}

/** One kind: what it means, its transactions, and its sums by merchant. */
function OfKind({ kind, sums, query, onAgain }: OfKindProps): VNode {
  const say = timelineWords.stuck;
  const maySee = useMay("support");
  const { role } = useSession();
  const todo = ACTS_OF[kind].map((act) => say.acts[act][mayAct(role, ACTS[act].role) ? "own" : "other"]);
  return (
    <section class="group" aria-labelledby={`kind-${kind}`}>
      <h3 id={`kind-${kind}`}>{words.stuck.kinds[kind]}</h3>
      <p>{[say.what[kind], ...todo].join(" ")}</p>
      {sums.length === 0 ? (
        <Empty title={say.noneOf}>{say.noneOfText}</Empty>
      ) : (
        <>
          {maySee ? <List kind={kind} query={query} onAgain={onAgain} /> : <p class="notice">{say.needsSupport}</p>}
          <h4>{say.byMerchant}</h4>
          <ByMerchant sums={sums} query={{ ...query, kind }} />
        </>
      )}
    </section>
  );
}
