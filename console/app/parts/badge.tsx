import type { VNode } from "preact";

export type Tone = "good" | "bad" | "wait" | "plain";

/** A short state. Its colour repeats what its text says. */
export const Badge = ({ tone, text }: { readonly tone: Tone; readonly text: string }): VNode => (
  <span class="badge" data-tone={tone}>
    {text}
  </span>
);
