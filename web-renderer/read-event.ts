import type { SBRendererCallbacks } from "./options.ts";
import { safePath } from "./path.ts";
import { BET_ID_CHARS_MAX, BET_IDS_MAX, type Events } from "./protocol.ts";

type Callback<Name extends keyof Events> = NonNullable<SBRendererCallbacks[`on${Capitalize<Name>}`]>;
type Fields = Record<string, unknown>;

const nothing = (): [] => [];

/**
 * The arguments of the merchant's callback for a payload. undefined: the payload is not valid. Objects are copied, so
 * unknown fields are dropped.
 */
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
    Array.isArray(betIds) && betIds.length <= BET_IDS_MAX && betIds.every(isBetId) && isWhole(stake)
      ? [{ betIds, stake }]
      : undefined,
  balanceChange: ({ amount, currency }) =>
    isWhole(amount) && typeof currency === "string" && /^[A-Z]{3}$/.test(currency) ? [{ amount, currency }] : undefined,
};

export type ReadEvent = {
  readonly [Name in keyof Events]: { readonly name: Name; readonly args: Parameters<Callback<Name>> };
}[keyof Events];

/** The event with the arguments of its callback. undefined: the event is unknown or its payload is not valid. */
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
