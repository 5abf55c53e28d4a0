import type { VNode } from "preact";
import { words } from "../shell/language.ts";
import type { Whole } from "./amount.ts";
import { Badge } from "./badge.ts";
import { html } from "./html.ts";

/** How a wallet answered in a time. */
export interface Health {
  readonly accepted?: Whole;
  readonly rejected?: Whole;
  readonly timeout?: Whole;
  readonly http5xx?: Whole;
  readonly unreadable?: Whole;
  readonly unreachable?: Whole;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly p99Ms?: number;
  readonly permitsHeld?: number;
  readonly permits?: number;
  readonly breakerPermits?: number;
}

/** The kinds of answers, the good ones first. All others leave open whether the money moved. */
export const KINDS = ["accepted", "rejected", "timeout", "http5xx", "unreadable", "unreachable"] as const;

export const callsOf = (health: Health): number => KINDS.reduce((sum, kind) => sum + Number(health[kind] ?? 0), 0);
export const failedOf = (health: Health): number =>
  callsOf(health) - Number(health.accepted ?? 0) - Number(health.rejected ?? 0);

/** A wallet is slow if its p95 is at least this. Players notice such a wait before each spin. */
const SLOW_MS = 1_000;
export const isSlow = ({ p95Ms = 0 }: Health): boolean => p95Ms >= SLOW_MS;

export function StateBadge({ of }: { readonly of: Health | undefined }): VNode {
  const say = words.wallets.states;
  if (of === undefined || (callsOf(of) === 0 && of.breakerPermits === undefined))
    return html`<${Badge} tone="plain" text=${say.quiet} />`;
  if (of.breakerPermits !== undefined) return html`<${Badge} tone="bad" text=${say.limited(of.breakerPermits)} />`;
  if (failedOf(of) > 0) return html`<${Badge} tone="wait" text=${say.failing} />`;
  return isSlow(of) ? html`<${Badge} tone="wait" text=${say.slow} />` : html`<${Badge} tone="good" text=${say.good} />`;
}
