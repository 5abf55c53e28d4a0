import type { VNode } from "preact";
import { PRODUCTS } from "../../../../contract/values/products.ts";
import { Choice, Field } from "../../parts/fields.tsx";
import { ALL_MERCHANTS } from "../../parts/filters/all-merchants.ts";
import { FilterForm, useDraft } from "../../parts/filters/filter-form.tsx";
import { MerchantChoice, type Merchants } from "../../parts/filters/merchant-choice.tsx";
import { days } from "../../parts/format.ts";
import { words } from "../../shell/language.ts";
import { useMay } from "../../shell/session-context.ts";
import { COMPARISONS, comparedRange, PRESETS, presetRange, type Range, todayIn } from "./ranges.ts";
import { groupsOf } from "./subject.ts";
import { currencyChoices, nameOf } from "./subject-choice.ts";

type Query = Readonly<Record<string, string>>;

interface FiltersProps {
  readonly merchants: Merchants;
  readonly query: Query;
  readonly onQuery: (query: Query) => void;
}

/** Range, grouping and filters of a report. The buttons of usual ranges count at once, the rest when it is applied. */
export function Filters({ merchants, query, onQuery }: FiltersProps): VNode {
  const say = words.reports;
  const maySeePlayers = useMay("support");
  const { draft, set, isChanged } = useDraft(query);
  const groups = groupsOf(draft.merchant ?? "", maySeePlayers);
  const by = groups.find((one) => one === draft.by) ?? "day";
  const isOther = draft.compare === "other";
  const isOfAll = draft.merchant === ALL_MERCHANTS;
  const apply = (more: Partial<Range> = {}): void =>
    onQuery({ ...draft, by, compareFrom: isOther ? (draft.compareFrom ?? "") : "", ...more });
  const buttons = PRESETS.map((preset) => (
    <button
      key={preset}
      type="button"
      class="button small"
      onClick={() => apply(presetRange(preset, todayIn(isZone(query.tz) ? query.tz : "UTC")))}
    >
      {say.presets[preset]}
    </button>
  ));
  return (
    <FilterForm summary={inWords(query)} isChanged={isChanged} buttons={buttons} onApply={() => apply()}>
      <MerchantChoice
        merchants={merchants}
        value={draft.merchant ?? ""}
        onValue={set("merchant")}
        all={[...(isOfAll ? [[ALL_MERCHANTS, say.currencies] as const] : []), ...currencyChoices(merchants)]}
      />
      {!isOfAll && (
        <Choice label={say.by} value={by} onValue={set("by")} options={groups.map((one) => [one, say.groups[one]])} />
      )}
      <Field label={say.from} type="date" value={draft.from ?? ""} onValue={set("from")} required />
      <Field label={say.to} type="date" value={draft.to ?? ""} onValue={set("to")} required />
      <Choice
        label={say.compare}
        value={draft.compare ?? "before"}
        onValue={set("compare")}
        options={COMPARISONS.map((one) => [one, say.comparisons[one]])}
      />
      {isOther && (
        <Field
          label={say.compareFrom}
          type="date"
          value={draft.compareFrom ?? ""}
          onValue={set("compareFrom")}
          required
          hint={say.compareHint}
        />
      )}
      <Choice
        label={say.type}
        value={draft.type ?? ""}
        onValue={set("type")}
        options={[["", words.transactions.any], ...PRODUCTS.map((one) => [one, say.types[one]] as const)]}
      />
      <Field label={words.transactions.provider} value={draft.provider ?? ""} onValue={set("provider")} />
      <Field label={say.zone} value={draft.tz ?? ""} onValue={set("tz")} hint={say.zoneHint} />
    </FilterForm>
  );
}

/** Whether the browser knows the time zone. Its name may come from the address. */
function isZone(tz: string | undefined): tz is string {
  try {
    return tz !== undefined && todayIn(tz) !== "";
  } catch {
    return false;
  }
}

/** The applied filters. */
function inWords(query: Query): string[] {
  const { merchant = "", from = "", to = "", by, compare, compareFrom, type, provider = "", tz = "" } = query;
  const say = words.reports;
  const comparison = COMPARISONS.find((one) => one === compare) ?? "none";
  const other = comparison === "other" ? comparedRange({ from, to }, comparison, compareFrom) : null;
  return [
    nameOf(merchant),
    days({ from, to }),
    PRODUCTS.flatMap((one) => (one === type ? say.types[one] : [])).join(""),
    provider,
    merchant === ALL_MERCHANTS ? "" : `${say.by}: ${say.groups[by as keyof typeof say.groups] ?? by ?? ""}`,
    comparison === "none" ? "" : `${say.compare}: ${other === null ? say.comparisons[comparison] : days(other)}`,
    tz,
  ];
}
