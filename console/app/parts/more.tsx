import type { VNode } from "preact";
import type { AskedPages } from "../service/use-pages.ts";
import { words } from "../shell/language.ts";
import { failureText } from "./state.tsx";

/** The button that reads the next page of a listing. */
export const More = ({ of }: { readonly of: AskedPages<unknown> }): VNode | null =>
  of.more === undefined ? null : (
    <div class="more">
      {of.moreFailure && (
        <p class="fault" role="alert">
          {failureText(of.moreFailure)}
        </p>
      )}
      <button type="button" class="button" onClick={of.more} disabled={of.isReadingMore}>
        {of.isReadingMore ? words.state.loading : words.state.more}
      </button>
    </div>
  );
