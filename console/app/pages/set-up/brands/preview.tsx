import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Layout, ThemeName } from "../../../../../web-renderer/protocol.ts";
import type { SBRenderer, SBRendererErrorCode } from "../../../../../web-renderer/sb-renderer.ts";
import { setUpWords, words } from "../../../shell/language.ts";

interface PreviewProps {
  /** The sportsbook's address. */
  readonly url: string;
  /** The brand that the sportsbook loads. Theme, layout and language are those of the draft. */
  readonly brand: string;
  readonly theme: string;
  readonly layout: string;
  readonly language: string;
  /** Adds this page's origin to the draft; undefined: it is there, or the reader may not change it. */
  readonly onAllow: (() => void) | undefined;
}

/** The codes with which a sportsbook, or the browser, refuses a page that the brand does not allow. */
const PERHAPS_NOT_ALLOWED: readonly SBRendererErrorCode[] = ["ORIGIN_NOT_ALLOWED", "NO_ANSWER"];

/** The sportsbook in the browser library that merchants embed, with the looks of a draft that is not saved yet. */
export function Preview({ url, brand, theme, layout, language, onAllow }: PreviewProps): VNode {
  const say = setUpWords.brands;
  const target = useRef<HTMLDivElement>(null);
  const shown = useRef<SBRenderer>(undefined);
  const [error, setError] = useState<SBRendererErrorCode | "NOT_LOADED">();
  const [count, setCount] = useState(0);
  const looks = { themeName: theme as ThemeName, layout: layout as Layout, lang: (language || "pt") as "pt" };
  const latest = useRef(looks);
  latest.current = looks;
  useEffect(() => {
    let isGone = false;
    setError(undefined);
    // The library is loaded only here, because no other page needs it.
    import("../../../../../web-renderer/sb-renderer.ts").then(
      ({ SBRenderer: Renderer }) => {
        if (isGone || target.current === null) return;
        shown.current = new Renderer();
        shown.current.initialize({
          ...latest.current,
          target: target.current,
          brand_id: brand,
          url,
          syncPath: false,
          onAppInitialized: () => setError(undefined),
          onError: ({ code }) => setError(code),
        });
      },
      () => setError("NOT_LOADED"),
    );
    return () => {
      isGone = true;
      shown.current?.kill();
      shown.current = undefined;
    };
  }, [url, brand, count]);
  useEffect(() => shown.current?.updateOptions(looks), [theme, layout, language]);
  return (
    <>
      <p class="lead">{say.previewText}</p>
      {error !== undefined && (
        <div class="notice failed" role="alert" data-code={error}>
          <strong>{say.noPreview}</strong>
          <p>{PERHAPS_NOT_ALLOWED.includes(error as never) ? say.notAllowed(location.origin) : say.unreachable(url)}</p>
          <p class="actions">
            {onAllow && (
              <button type="button" class="button" onClick={onAllow}>
                {say.allow}
              </button>
            )}
            <button type="button" class="button" onClick={() => setCount((now) => now + 1)}>
              {words.state.again}
            </button>
          </p>
        </div>
      )}
      <div class="preview" ref={target} hidden={error !== undefined} />
    </>
  );
}
