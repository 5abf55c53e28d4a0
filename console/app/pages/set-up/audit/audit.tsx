import type { VNode } from "preact";
import { Check, Choice, Field } from "../../../parts/fields.tsx";
import { FilterForm, useDraft } from "../../../parts/filters/filter-form.tsx";
import { Listing } from "../../../parts/more.tsx";
import { Empty, Shown } from "../../../parts/state.tsx";
import type { AuditEntry, Paged } from "../../../service/types.ts";
import { useCall } from "../../../service/use-call.ts";
import { usePages } from "../../../service/use-pages.ts";
import { setUpWords, words } from "../../../shell/language.ts";
import { addressOf, go } from "../../../shell/route.ts";
import { instantOf, ZONE } from "../../../shell/zone.ts";
import { Entry } from "./entry.tsx";
import { actionTexts } from "./sentence.ts";

interface Reply extends Paged {
  readonly entries?: readonly AuditEntry[];
}

type Query = Readonly<Record<string, string>>;
interface PageProps {
  readonly query: Query;
}

/** A day of the filters begins and ends at midnight of the chosen zone. */
const startOf = (day: string, later = 0): string =>
  instantOf(`${new Date(Date.parse(day) + later * DAY_MS).toISOString().slice(0, 10)}T00:00`);
const DAY_MS = 86_400_000;

/** The kinds of records that a code alone may mean. The code of a game has its provider before a slash. */
const kindsOf = (code: string): readonly string[] =>
  code.includes("/") ? ["game"] : ["merchant", "brand", "provider", "key"];

/** Who did what, when and why, with what changed. */
export function Audit({ query }: PageProps): VNode {
  return (
    <section>
      <h1>{setUpWords.audit.title}</h1>
      <p class="lead">{setUpWords.audit.lead}</p>
      {query.entry ? <One id={query.entry} /> : <List query={query} />}
    </section>
  );
}

/** One entry, to which another page leads. */
function One({ id }: { readonly id: string }): VNode {
  const asked = useCall<{ readonly entry: AuditEntry }>("admin.AuditService/GetAuditEntry", { id });
  return (
    <>
      <p>
        <a href={addressOf("audit")}>{setUpWords.audit.all}</a>
      </p>
      <Shown asked={asked}>
        {({ entry }: { readonly entry: AuditEntry }) => (
          <ol class="entries">
            <Entry entry={entry} />
          </ol>
        )}
      </Shown>
    </>
  );
}

function List({ query }: PageProps): VNode {
  const say = setUpWords.audit;
  const { from = "", to = "", reads = "", ...texts } = query;
  const asked = usePages<Reply>("admin.AuditService/ListAuditEntries", {
    ...texts,
    // Who asks for an action gets it, also if it is a read.
    ...(reads === "" && (texts.action ?? "") === "" && { changesOnly: true }),
    ...(from !== "" && { from: startOf(from) }),
    ...(to !== "" && { to: startOf(to, 1) }),
  });
  const entries = asked.pages.flatMap((page) => page.entries ?? []);
  return (
    <>
      <Filters key={JSON.stringify(query)} query={query} />
      <Listing
        asked={asked}
        empty={
          entries.length === 0 && asked.more === undefined ? <Empty title={say.none}>{recordsOf(query)}</Empty> : null
        }
      >
        <ol class="entries">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      </Listing>
    </>
  );
}

/** Links to the records that a code alone may mean: a record is named by its kind and its code, and only both find it. */
function recordsOf(query: Query): VNode | undefined {
  const code = (query.target ?? "").trim();
  if (code === "" || code.includes(" ")) return undefined;
  const link = (kind: string, i: number) => {
    const target = `${kind} ${code}`;
    return (
      <>
        {i > 0 && ", "}
        <a class="id" href={addressOf("audit", { ...query, target })}>
          {target}
        </a>
      </>
    );
  };
  return (
    <>
      {setUpWords.audit.withKind} {kindsOf(code).map(link)}
    </>
  );
}

function Filters({ query }: PageProps): VNode {
  const say = setUpWords.audit;
  const { draft, set, isChanged } = useDraft(query);
  const texts = actionTexts();
  const actionText = (action?: string) => texts.find(([one]) => one === action)?.[1] ?? action;
  const given = draft.action ?? "";
  // The address may name all actions of a noun, or an action of an older release.
  const options =
    given === "" || texts.some(([action]) => action === given) ? texts : [...texts, [given, given] as const];
  return (
    <FilterForm
      isChanged={isChanged}
      onApply={() => go("audit", draft)}
      summary={[query.target, actionText(query.action), query.actor, query.from, query.to].map((text) => text ?? "")}
      buttons={
        <button type="button" class="button" onClick={() => go("audit")}>
          {words.transactions.clear}
        </button>
      }
    >
      <Field
        label={words.audit.target}
        value={draft.target ?? ""}
        onValue={set("target")}
        hint={setUpWords.audit.recordHint}
      />
      <Choice
        label={say.action}
        value={given}
        onValue={set("action")}
        options={[["", setUpWords.audit.any], ...options]}
      />
      <Field label={words.audit.actor} value={draft.actor ?? ""} onValue={set("actor")} />
      <Field label={words.transactions.from} hint={ZONE} type="date" value={draft.from ?? ""} onValue={set("from")} />
      <Field label={words.transactions.to} hint={ZONE} type="date" value={draft.to ?? ""} onValue={set("to")} />
      <Check
        label={setUpWords.audit.reads}
        isOn={(query.reads ?? "") !== ""}
        onChange={(isOn: boolean) => go("audit", { ...query, reads: isOn ? "1" : "" })}
      />
    </FilterForm>
  );
}
