import type { VNode } from "preact";
import { useState } from "preact/hooks";

/**
 * What a page says after a change, and the function to call after it. This function shows its text and reads the page's
 * data again.
 */
export function useDone(again: () => void): readonly [done: VNode, finished: (text: string) => void] {
  const [text, setText] = useState("");
  const finished = (said: string): void => {
    setText(said);
    again();
  };
  return [
    <p role="status" class="done">
      {text}
    </p>,
    finished,
  ];
}
