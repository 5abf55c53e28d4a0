import type { VNode } from "preact";
import { Choice, Field } from "../../parts/fields.tsx";
import { ALL_MERCHANTS } from "../../parts/filters/all-merchants.ts";
import { FilterForm, useDraft } from "../../parts/filters/filter-form.tsx";
import { MerchantChoice, type Merchants } from "../../parts/filters/merchant-choice.tsx";
import { time } from "../../parts/format.ts";
import type { Transaction } from "../../service/types.ts";
import { words } from "../../shell/language.ts";
import { instantOf, localOf, ZONE } from "../../shell/zone.ts";

export type Query = Readonly<Record<string, string>>;

/** The filters of the listing that are texts, in the address under these names. */
const TEXTS = ["player", "round", "provider", "game"] as const;
interface FiltersProps {
  readonly merchants: Merchants;
  readonly query: Query;
  readonly onQuery: (query: Query) => void;
}

/** What support asks for most often: money that waits, and credits that a wallet refused. */
const PRESETS = {
  pending: { status: "pending" },
  wins: { status: "failed", action: "win" },
  refunds: { status: "failed", action: "refund" },
} as const;
/** A listing has at most 31 days. */
const PRESET_MS = 30 * 86_400_000;

/** The filters, which count when they are applied. */
export function Filters({ merchants, query, onQuery }: FiltersProps): VNode {
  const say = words.transactions;
  const { draft, set, isChanged } = useDraft(query);
  const merchant = draft.merchant ?? "";
  const isAll = merchant === ALL_MERCHANTS;
  const preset = (name: keyof typeof PRESETS): void =>
    onQuery({
      merchant,
      ...(!isAll && { from: new Date(Date.now() - PRESET_MS).toISOString() }),
      ...PRESETS[name],
    });
  const choice = <Key extends string>(texts: Readonly<Record<Key, string>>) =>
    [["", say.any], ...Object.entries(texts)] as [string, string][];
  const presets = isAll ? (["pending"] as const) : (Object.keys(PRESETS) as (keyof typeof PRESETS)[]);
  const buttons = (
    <>
      <button type="button" class="button" onClick={() => onQuery({ merchant })}>
        {say.clear}
      </button>
      {presets.map((name) => (
        <button key={name} type="button" class="button small" onClick={() => preset(name)}>
          {isAll ? say.statuses.pending : say.presets[name]}
        </button>
      ))}
    </>
  );
  return (
    <FilterForm
      summary={inWords(query)}
      isChanged={isChanged}
      buttons={buttons}
      onApply={() => onQuery({ ...draft, wrong: "" })}
    >
      <MerchantChoice
        merchants={merchants}
        value={merchant}
        onValue={set("merchant")}
        all={[[ALL_MERCHANTS, words.stuck.all]]}
      />
      <Choice label={say.status} value={draft.status ?? ""} onValue={set("status")} options={choice(statusTexts())} />
      <Choice label={say.action} value={draft.action ?? ""} onValue={set("action")} options={choice(say.actions)} />
      <Choice label={say.kind} value={draft.kind ?? ""} onValue={set("kind")} options={choice(say.kinds)} />
      <Field
        label={say.from}
        hint={ZONE}
        type="datetime-local"
        value={localOf(draft.from)}
        onValue={(value: string) => set("from")(instantOf(value))}
      />
      <Field
        label={say.to}
        hint={ZONE}
        type="datetime-local"
        value={localOf(draft.to)}
        onValue={(value: string) => set("to")(instantOf(value))}
      />
      {TEXTS.map((name) => (
        <Field key={name} label={say[name]} value={draft[name] ?? ""} onValue={set(name)} />
      ))}
    </FilterForm>
  );
}

/** A refused credit is one that failed. */
const statusTexts = (): Readonly<Record<Transaction["status"], string>> => {
  const { statuses, refused } = words.transactions;
  return { ...statuses, failed: `${statuses.failed}, ${refused.toLowerCase()}` };
};

/** The applied filters. */
function inWords({ merchant, status, action, kind, from, to, ...query }: Query): string[] {
  const say = words.transactions;
  return [
    merchant === ALL_MERCHANTS ? words.stuck.all : (merchant ?? ""),
    statusTexts()[status as Transaction["status"]] ?? "",
    say.actions[action as keyof typeof say.actions] ?? "",
    say.kinds[kind as keyof typeof say.kinds] ?? "",
    from ? `${say.from} ${time(from)}` : "",
    to ? `${say.to} ${time(to)}` : "",
    ...TEXTS.map((name) => (query[name] ? `${say[name]} ${query[name]}` : "")),
  ];
}
