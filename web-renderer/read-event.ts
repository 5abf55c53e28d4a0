import type { SBRendererCallbacks } from "./options.ts";
import { safePath } from "./path.ts";
import { BET_ID_CHARS_MAX, BET_IDS_MAX, type Events } from "./protocol.ts";

type Callback<Name extends keyof Events> = NonNullable<SBRendererCallbacks[`on${Capitalize<Name>}`]>;
type Fields = Record<string, unknown>;

const nothing = (): [] => [];

/** What the merchant's callback is given for a payload; undefined when the payload is not as the protocol says. Built anew: fields unknown here end here. */
const ARGUMENTS: { readonly [Name in keyof Events]: (payload: Fields) => Parameters<Callback<Name>> | undefined } = {
  appInitialized: nothing,
  login: nothing,
  register: nothing,
  recharge: nothing,
  tokenExpired: nothing,
  routeChange({ path }) {
    const route = safePath(path);
    return route === undefined ? undefined : [route];
  },
  betslipChanged: ({ count }) => (isWhole(count) && count >= 0 ? [{ count }] : undefined),
  betPlaced: ({ betIds, stake }) =>
    Array.isArray(betIds) && betIds.length <= BET_IDS_MAX && betIds.every(isBetId) && isWhole(stake) ? [{ betIds, stake }] : undefined,
  balanceChange: ({ amount, currency }) =>
    isWhole(amount) && typeof currency === "string" && /^[A-Z]{3}$/.test(currency) ? [{ amount, currency }] : undefined,
};

export type ReadEvent = { readonly [Name in keyof Events]: { readonly name: Name; readonly args: Parameters<Callback<Name>> } }[keyof Events];

/** A known event with a right payload, or undefined. */
export function readEvent(name: string, payload: unknown): ReadEvent | undefined {
  if (!Object.hasOwn(ARGUMENTS, name)) return undefined;
  const args = ARGUMENTS[name as keyof Events]((payload ?? {}) as Fields);
  return args && ({ name, args } as ReadEvent);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isBetId(value: unknown): value is string {
  return typeof value === "string" && value.length <= BET_ID_CHARS_MAX;
}
