import { textIn } from "./dom.ts";
import type { SBRendererCallbacks } from "./options.ts";
import { safePath } from "./path.ts";
import { BET_ID_CHARS_MAX, BET_IDS_MAX, type Events } from "./protocol.ts";

type Callback<Name extends keyof Events> = NonNullable<SBRendererCallbacks[`on${Capitalize<Name>}`]>;
type Fields = Record<string, unknown>;

const isWhole = Number.isSafeInteger as (value: unknown) => value is number;
const nothing = (): [] => [];

/**
 * The arguments of the merchant's callback for a payload; false or undefined: the payload is not valid. Objects are
 * copied, so unknown fields are dropped. This object has no prototype, so that a look-up finds no inherited names.
 */
const ARGUMENTS: {
  readonly [Name in keyof Events]: (payload: Fields) => Parameters<Callback<Name>> | false | undefined;
} = {
  // @ts-expect-error this sets the prototype, and is not an event
  __proto__: null,
  appInitialized: nothing,
  login: nothing,
  register: nothing,
  recharge: nothing,
  tokenExpired: nothing,
  routeChange({ path }) {
    const route = safePath(path);
    return route ? [route] : undefined;
  },
  betslipChanged: ({ count }) => isWhole(count) && count >= 0 && [{ count }],
  betPlaced: ({ betIds, stake }) =>
    Array.isArray(betIds) &&
    betIds.length <= BET_IDS_MAX &&
    betIds.every((id) => textIn(id)?.length <= BET_ID_CHARS_MAX) &&
    isWhole(stake) && [{ betIds, stake }],
  balanceChange: ({ amount, currency }) =>
    isWhole(amount) && /^[A-Z]{3}$/.test(textIn(currency)) && [{ amount, currency: currency as string }],
};

/** The names of all events. */
export const EVENTS = Object.keys(ARGUMENTS);

/** The name of the merchant's callback for an event. */
export const callbackOf = (event: string): keyof SBRendererCallbacks =>
  `on${event[0]?.toUpperCase()}${event.slice(1)}` as keyof SBRendererCallbacks;

export type ReadEvent = {
  readonly [Name in keyof Events]: { readonly name: Name; readonly args: Parameters<Callback<Name>> };
}[keyof Events];

/** The event with the arguments of its callback. undefined: the event is unknown or its payload is not valid. */
export function readEvent(name: string, payload: unknown): ReadEvent | undefined {
  const args = ARGUMENTS[name as keyof Events]?.(Object(payload));
  return args ? ({ name, args } as ReadEvent) : undefined;
}
