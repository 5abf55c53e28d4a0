import { safePath } from "../../../../web-renderer/path.ts";
import {
  BET_IDS_MAX,
  type Envelope,
  MESSAGE_CHARS_MAX,
  PATH_CHARS_MAX,
  readEnvelope,
} from "../../../../web-renderer/protocol.ts";
import { readEvent } from "../../../../web-renderer/read-event.ts";
import type { Kind } from "../../kind.ts";
import { mutateFields, mutateText, oddValue } from "../../mutate.ts";

const ROUTES = [
  "/",
  "/football/brazil?tab=live#today",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "\t//evil.example",
  "/..//evil.example",
  "/./\\evil.example",
  " javascript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,x",
  "/?jwt=x&token=y&brand=z&a=b",
  "/a?jwt[]=x",
  "/%2F%2Fevil.example",
  "/@evil.example",
];

/** Routes of the page's address and of frames: a route inside the sportsbook, or undefined. */
export const frameRoutes: Kind<string> = {
  name: "frame-routes",
  reader: "web-renderer/path",
  perMillion: 10_000,
  generate: (random) => random.pick(ROUTES),
  mutate: mutateText,
  check: (path) => {
    const route = safePath(path);
    if (route === undefined) return [];
    const url = new URL(route, "https://sportsbook.example");
    const faults =
      url.origin === "https://sportsbook.example" && /^\/(?!\/)/.test(route) && !/[\\\p{Cc}]/u.test(route)
        ? []
        : [`leads to ${url.href}`];
    for (const name of ["jwt", "token", "brand"])
      if (url.searchParams.has(name)) faults.push(`logs somebody in: ${route}`);
    if (path.length > PATH_CHARS_MAX) faults.push("is too long");
    if (safePath(route) !== route && route.length <= PATH_CHARS_MAX)
      faults.push(`is ${safePath(route)} the second time`);
    return faults;
  },
};

const EVENTS: readonly (readonly [name: string, payload: Readonly<Record<string, unknown>>])[] = [
  ...([
    ["ready", { capabilities: [] }],
    ["login", {}],
    ["register", {}],
    ["recharge", {}],
    ["routeChange", { path: "/football" }],
  ] as const),
  ...([
    ["betslipChanged", { count: 2 }],
    ["betPlaced", { betIds: ["b1"], stake: 250 }],
    ["balanceChange", { amount: 1_000, currency: "BRL" }],
  ] as const),
  ...([
    ["tokenExpired", {}],
    ["constructor", {}],
    ["__proto__", {}],
  ] as const),
];

/** The check of a window's message: it accepts only messages of the protocol with valid arguments. */
export const frameMessages: Kind<unknown> = {
  name: "frame-messages",
  reader: "web-renderer/protocol, read-event",
  perMillion: 5_000,
  generate: (random) => {
    const [name, payload] = random.pick(EVENTS);
    return {
      ns: "sb",
      v: 1,
      kind: random.pick(["event", "event", "event", "reply", "command", "hello"]),
      name,
      id: random.pick(["1", null, 5]),
      payload,
    };
  },
  mutate: (random, message) => {
    if (typeof message !== "object" || message === null || random.chance(0.1)) return oddValue(random);
    const fields = message as Readonly<Record<string, unknown>>;
    const { payload } = fields;
    if (typeof payload === "object" && payload !== null && random.chance(0.6))
      return { ...fields, payload: mutateFields(random, payload as Record<string, unknown>) };
    return mutateFields(random, fields);
  },
  check: (message) => {
    const envelope: Envelope | undefined = readEnvelope(message);
    if (envelope === undefined) return [];
    const faults = JSON.stringify(envelope).length <= MESSAGE_CHARS_MAX ? [] : ["is too long"];
    const event = readEvent(envelope.name, envelope.payload);
    if (event?.name === "routeChange" && !/^\/(?!\/)/.test(event.args[0])) faults.push(`the route ${event.args[0]}`);
    if (event?.name === "betslipChanged" && !(Number.isSafeInteger(event.args[0].count) && event.args[0].count >= 0))
      faults.push("the count");
    if (
      event?.name === "betPlaced" &&
      !(event.args[0].betIds.length <= BET_IDS_MAX && event.args[0].betIds.every((id) => typeof id === "string"))
    )
      faults.push("the bets");
    if (
      event?.name === "balanceChange" &&
      !(Number.isSafeInteger(event.args[0].amount) && /^[A-Z]{3}$/.test(event.args[0].currency))
    )
      faults.push("the balance");
    return faults;
  },
};
