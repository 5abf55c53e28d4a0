import type { VNode } from "preact";
import { callsOf, type Health, type Trouble } from "../service/wallet-health.ts";
import { words } from "../shell/language.ts";
import { Badge } from "./badge.tsx";
import { minute } from "./format.ts";

interface StateBadgeProps {
  readonly of: Health | undefined;
  /** Whether there were calls, but their first minute is not over. */
  readonly isCounting?: boolean | undefined;
  /** Whether an alert says that the wallet fails, perhaps before its calls are counted. */
  readonly isFailing?: boolean | undefined;
  /** What the wallet's newest calls show. It counts more than the whole time. */
  readonly trouble?: Trouble | undefined;
}

export function StateBadge({ of = {}, isCounting, isFailing, trouble }: StateBadgeProps): VNode {
  const say = words.wallets.states;
  if (!isFailing && callsOf(of) === 0 && of.breakerPermits === undefined)
    return <Badge tone="plain" text={isCounting ? say.counting : say.quiet} />;
  const state = isFailing ? "failing" : (trouble?.state ?? of.state);
  if (state === "failing")
    return <Badge tone="bad" text={of.breakerPermits === undefined ? say.failing : say.limited(of.breakerPermits)} />;
  if (state === "slow") return <Badge tone="wait" text={say.slow} />;
  return state === "some_fail" ? <Badge tone="wait" text={say.someFail} /> : <Badge tone="good" text={say.good} />;
}

/** Since when a wallet is failing or slow. */
export const sinceText = ({ state, since, orEarlier }: Trouble): string => {
  const say = words.wallets.since;
  return (state === "slow" ? say.slow : say.failing)(orEarlier ? say.orEarlier(minute(since)) : minute(since));
};
