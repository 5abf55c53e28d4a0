import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

const WIDE = "(min-width: 48rem)";

/** Whether the window is wide, kept up to date. */
function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const list = matchMedia(WIDE);
    const look = (): void => setWide(list.matches);
    list.addEventListener("change", look);
    return () => list.removeEventListener("change", look);
  }, []);
  return isWide;
}

interface FoldedProps {
  /** What stands in its place while it is folded. */
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Something that a narrow window shows on demand, so that more important things come first. */
export function Folded({ summary, children }: FoldedProps): ComponentChildren {
  return useIsWide() ? (
    children
  ) : (
    <details class="fold card">
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
