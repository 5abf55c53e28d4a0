import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { words } from "../shell/language.ts";
import { clock, duration } from "./format.ts";

const SECOND_MS = 1_000;

/** When figures came, and how long ago that was. @param at - in ms since 1970. */
export function Age({ at }: { readonly at: number }): VNode {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor(Math.max(now - at, 0) / SECOND_MS);
  return <span class="age">{words.state.asOf(clock(at), seconds === 0 ? "0 s" : duration(seconds * SECOND_MS))}</span>;
}
