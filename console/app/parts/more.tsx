import type { ComponentChildren, VNode } from "preact";
import type { AskedPages } from "../service/use-pages.ts";
import { words } from "../shell/language.ts";
import { failureText, Shown } from "./state.tsx";

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

interface ListingProps {
  readonly asked: AskedPages<unknown>;
  /** Stands there instead of an empty listing; null: the listing is not empty. */
  readonly empty: VNode | null;
  /** What was read so far. */
  readonly children: ComponentChildren;
}

/** A listing that is read page by page, with the button for the next page. */
export const Listing = ({ asked, empty, children }: ListingProps): VNode => (
  <Shown asked={asked.first}>
    {() =>
      empty ?? (
        <>
          {children}
          <More of={asked} />
        </>
      )
    }
  </Shown>
);
