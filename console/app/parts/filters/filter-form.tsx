import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { words } from "../../shell/language.ts";
import { Folded } from "../folded.tsx";

type Query = Readonly<Record<string, string>>;

interface Draft {
  /** The filters as the form shows them. */
  readonly draft: Query;
  readonly set: (name: string) => (value: string) => void;
  /** Whether some of them are not applied yet. */
  readonly isChanged: boolean;
}

/** The filters of a form that counts when it is applied. @param query - the filters that are applied. */
export function useDraft(query: Query): Draft {
  const [draft, setDraft] = useState(query);
  return {
    draft,
    set: (name) => (value) => setDraft((now) => ({ ...now, [name]: value })),
    isChanged: [...Object.keys(draft), ...Object.keys(query)].some(
      (name) => (draft[name] ?? "") !== (query[name] ?? ""),
    ),
  };
}

interface FilterFormProps {
  /** The fields. */
  readonly children: ComponentChildren;
  /** Buttons beside the one that applies the filters. */
  readonly buttons: ComponentChildren;
  /** The applied filters in words. Empty texts are left out. */
  readonly summary: readonly string[];
  readonly isChanged: boolean;
  readonly onApply: () => void;
}

/**
 * The filters of a page. A narrow window shows them in words, and the fields on demand, so that the figures come first.
 * While a change is not applied, the form says so, because the page below still shows the older filters.
 */
export function FilterForm({ children, buttons, summary, isChanged, onApply }: FilterFormProps): VNode {
  const submit = (event: Event): void => {
    event.preventDefault();
    onApply();
  };
  const text = summary.filter((part) => part !== "").join(" · ");
  return (
    <Folded summary={`${words.state.filters}: ${text === "" ? words.transactions.any : text}`}>
      <form class="filters" onSubmit={submit}>
        {children}
        <div class="actions">
          <button type="submit" class="button primary">
            {words.transactions.apply}
          </button>
          {buttons}
          <p class="unapplied" role="status">
            {isChanged && words.state.unapplied(words.transactions.apply)}
          </p>
        </div>
      </form>
    </Folded>
  );
}
