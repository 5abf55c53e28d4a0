import type { FrameOptions } from "../../../web-renderer/frame.ts";
import {
  LANGUAGES,
  LAYOUTS,
  type Language,
  type Layout,
  THEMES,
  type ThemeName,
} from "../../../web-renderer/protocol.ts";
import type { BrandReply, SessionReply } from "./api-types.ts";
import { DEFAULT_LOOK, type State } from "./state.ts";

/** What decides how the page looks. */
interface LookSources {
  /** The options of the merchant's page. */
  readonly forced?: FrameOptions;
  /** The path of the page's address. `/pt/` has a language, because the merchant chose one. */
  readonly pathname: string;
  readonly session?: SessionReply | undefined;
  readonly brand: BrandReply;
}

/** Language, theme and layout. The merchant's choice counts most, then the player's, then the brand's. */
export function lookOf({
  forced = {},
  pathname,
  session,
  brand,
}: LookSources): Pick<State, "language" | "theme" | "layout"> {
  return {
    language:
      forced.lang ??
      pick(LANGUAGES, pathname.split("/")[1]) ??
      pick<Language>(LANGUAGES, session?.language.slice(0, 2)) ??
      pick<Language>(LANGUAGES, brand.language) ??
      DEFAULT_LOOK.language,
    theme: forced.themeName ?? pick<ThemeName>(THEMES, session?.theme ?? brand.theme) ?? DEFAULT_LOOK.theme,
    layout: forced.layout ?? pick<Layout>(LAYOUTS, session?.layout ?? brand.layout) ?? DEFAULT_LOOK.layout,
  };
}

function pick<T extends string>(known: readonly T[], value: string | undefined): T | undefined {
  return known.find((one) => one === value);
}
