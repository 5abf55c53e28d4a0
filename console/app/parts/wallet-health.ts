import type { VNode } from "preact";
import { callsOf, failedOf, type Health, isSlow } from "../service/wallet-health.ts";
import { words } from "../shell/language.ts";
import { Badge } from "./badge.ts";
import { html } from "./html.ts";

interface StateBadgeProps {
  readonly of: Health | undefined;
  /** Whether there were calls, but their first minute is not over. */
  readonly isCounting?: boolean | undefined;
}

export function StateBadge({ of, isCounting }: StateBadgeProps): VNode {
  const say = words.wallets.states;
  if (of === undefined || (callsOf(of) === 0 && of.breakerPermits === undefined))
    return html`<${Badge} tone="plain" text=${isCounting ? say.counting : say.quiet} />`;
  if (of.breakerPermits !== undefined) return html`<${Badge} tone="bad" text=${say.limited(of.breakerPermits)} />`;
  if (failedOf(of) > 0) return html`<${Badge} tone="wait" text=${say.failing} />`;
  return isSlow(of) ? html`<${Badge} tone="wait" text=${say.slow} />` : html`<${Badge} tone="good" text=${say.good} />`;
}
