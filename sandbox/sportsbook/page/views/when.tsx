import type { VNode } from "preact";
import type { MatchClock } from "../../model/clock.ts";
import type { BoardEvent } from "../api-types.ts";
import type { Words } from "../words/en.ts";
import type { Context } from "./context.ts";

const SOON_MINUTES = 60;

/** LIVE and the match's clock, or the kick-off. */
export function when({ words, times }: Context, event: BoardEvent): VNode[] {
  if (event.phase === "finished") return [<span class="minute">{words.finished}</span>];
  if (event.clock !== null) return [<span class="live-tag">{words.live}</span>, clockOf(words, event.clock)];
  const now = Date.now();
  const minutes = Math.max(1, Math.round((event.starts_at - now) / 60_000));
  return [
    moment(times.near(event.starts_at, now, words), times.full(event.starts_at), event.starts_at),
    minutes <= SOON_MINUTES ? <span class="soon">{words.startsIn(minutes)}</span> : null,
  ].filter((part) => part !== null);
}

/** A time. Its tooltip has the whole date and the time zone. */
export const moment = (text: string, title: string, at: number): VNode => (
  <time datetime={new Date(at).toISOString()} title={title}>
    {text}
  </time>
);

/** The match's clock in figures. Screen readers get the clock in words. */
function clockOf({ clock, spokenClock }: Words, now: MatchClock): VNode {
  const of = (texts: Words["clock"]): string => {
    switch (now.kind) {
      case "minute":
        return texts.minute(now.minute);
      case "quarter":
        return texts.quarter(now.quarter, timeLeft(now.left_s));
      default:
        return texts[now.kind](now.number);
    }
  };
  return (
    <span class="minute">
      <span aria-hidden="true">{of(clock)}</span>
      <span class="visually-hidden">{of(spokenClock)}</span>
    </span>
  );
}

/** `5:12` */
const timeLeft = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
