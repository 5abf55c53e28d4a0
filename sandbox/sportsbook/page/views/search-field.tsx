import type { VNode } from "preact";
import { Icon } from "../sport-icons.tsx";
import type { Context } from "./context.ts";

/** The search field. `count`: the number of found matches; null: there is no search. */
export function searchField({ state, words }: Context, count: number | null): VNode {
  return (
    <form
      class="search"
      role="search"
      key={`search ${state.path}`}
      data-key={`search ${state.path}`}
      data-submit="search"
    >
      <Icon name="search" size={18} />
      <input
        type="search"
        name="search"
        autocomplete="off"
        spellcheck={false}
        maxlength={60}
        placeholder={words.search}
        aria-label={words.search}
        value={state.search}
        data-input="search"
      />
      <span class="found" role="status">
        {count === null ? "" : count === 0 ? words.foundNone : words.found(count)}
      </span>
    </form>
  );
}
