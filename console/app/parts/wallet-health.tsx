import type { VNode } from "preact";
import type { Verdict } from "../service/wallet-health.ts";
import { moreWords, words } from "../shell/language.ts";
import { Badge } from "./badge.tsx";
import { minute } from "./format.ts";

interface StateBadgeProps {
  readonly of: Verdict | undefined;
  /** Whether there were calls, but their first minute is not over. */
  readonly isCounting?: boolean | undefined;
  /** Whether there were calls in the period that the page shows. */
  readonly hadCalls?: boolean;
}

export function StateBadge({ of: { state, breakerPermits } = {}, isCounting, hadCalls }: StateBadgeProps): VNode {
  const say = words.wallets.states;
  switch (state) {
    case "failing":
      return <Badge tone="bad" text={breakerPermits === undefined ? say.failing : say.limited(breakerPermits)} />;
    case "slow":
      return <Badge tone="wait" text={say.slow} />;
    case "some_fail":
      return <Badge tone="wait" text={say.someFail} />;
    case "good":
      return <Badge tone="good" text={say.good} />;
    default:
      return <Badge tone="plain" text={isCounting ? say.counting : hadCalls ? say.quietNow : say.quiet} />;
  }
}

/** Since when a wallet is in trouble; undefined: it is in order. */
export function sinceText({ state, since, orEarlier }: Verdict = {}): string | undefined {
  const say = moreWords.wallets.since;
  const ofState = { failing: say.failing, slow: say.slow, some_fail: say.someFail }[state ?? ""];
  if (ofState === undefined || since === undefined) return undefined;
  return ofState(orEarlier ? say.orEarlier(minute(since)) : minute(since));
}
