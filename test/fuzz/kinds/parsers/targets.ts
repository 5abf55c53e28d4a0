import { anyText, oneOf, parseQuery, time, wholeNumber } from "../../../../src/adapters/rest/requests/query.ts";
import { readTarget } from "../../../../src/adapters/rest/requests/request-target.ts";
import { findRoute, type Route } from "../../../../src/adapters/rest/route.ts";
import { apiRoutes } from "../../../../src/adapters/rest/routes/table.ts";
import { CHOICE_NAMES, readChoice } from "../../../../src/domain/transaction/transaction-fields.ts";
import type { SeededRandom } from "../../../../testbed/seeded-random.ts";
import type { Kind } from "../../kind.ts";
import { mutateText } from "../../mutate.ts";

/** Only the routes are used: no request is answered here. */
const NOTHING = {} as never;
const ROUTES: readonly Route[] = apiRoutes(NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING);

const PATHS = [
  "/v1/merchant",
  "/v1/games",
  "/v1/games/ACME/fruits",
  "/v1/providers",
  "/v1/game/launch",
  "/v1/transactions",
  "/v1/transactions/ACME:1",
  "/v1/transactions/ACME%3A1%2F2/resend",
  "/v1/rounds/ACME/r1",
  "/v1/reports/ggr",
  "/v1",
  "/v1/",
  "/v1/nothing",
];
const PAIRS = [
  "limit=2",
  "limit=1000",
  "cursor=abc",
  "status=success",
  "order=asc",
  "format=csv",
  "player_id=ana",
  "q=caf%C3%A9+royal",
  "from=2026-01-31T12:00:00Z",
  "to=2026-02-01T00:00:00%2B03:00",
  "updated_since=2026-01-01T00:00:00Z",
  "type=slot",
  "active=all",
  "lang=pt-BR",
  "group_by=day",
  "tz=America/Sao_Paulo",
  "from=2026-01-01",
  "to=2026-01-31",
  "provider=ACME",
  "game=fruits",
  "round_id=r1",
  "tx_id=ACME%3A1",
  "action=bet",
  "a=%FF",
  "limit=1&limit=2",
  "&&",
  "=",
];

export const targetText = (random: SeededRandom): string => {
  const pairs = Array.from({ length: random.int(0, 3) }, () => random.pick(PAIRS));
  return random.pick(PATHS) + (pairs.length === 0 ? "" : `?${pairs.join("&")}`);
};

/** Request targets: the routed target equals the signed one, and every other URL parser reads the same. */
export const targets: Kind<string> = {
  name: "targets",
  reader: "rest/request-target, rest/route",
  perMillion: 100_000,
  generate: (random) =>
    random.pick(["", "", "", "/aggregator", "http://api.example", "//api.example"]) + targetText(random),
  mutate: mutateText,
  check: (raw) => {
    const target = readTarget(raw, "/aggregator");
    if (target === undefined) return /^\/v1(\/|\?|$)/.test(raw) ? ["is under /v1"] : [];
    const faults: string[] = [];
    if (!raw.endsWith(target.signed) || !target.signed.startsWith("/v1")) faults.push(`signed is ${target.signed}`);
    if (target.path + (target.signed.includes("?") ? `?${target.query}` : "") !== target.signed)
      faults.push("path and query are not what is signed");
    for (const method of ["GET", "POST", "DELETE", "__proto__"]) findRoute(ROUTES, method, target.path);
    // Other targets are left out: Node's parser refuses them, and only the URL parser reads a backslash as a slash.
    if (target.ambiguous || !/^[!-~]*$/.test(raw) || raw.includes("\\")) return faults;
    const { pathname } = new URL(`http://api.example${target.signed}`);
    if (decoded(pathname) !== decoded(target.path)) faults.push(`others read ${pathname}`);
    return faults;
  },
};

const decoded = (path: string): string => {
  try {
    return decodeURI(path);
  } catch {
    return unescape(path);
  }
};

const PARAMETERS = {
  limit: wholeNumber("limit", 1, 1_000),
  cursor: anyText,
  status: oneOf("status", ["success", "pending", "failed"]),
  from: time("from"),
  ...Object.fromEntries(
    CHOICE_NAMES.filter((name) => name !== "status" && name !== "from").map((name) => [name, anyText]),
  ),
};

/**
 * Query strings: other parsers read the same values, or the request is refused with a fault that names the parameter.
 */
export const queries: Kind<string> = {
  name: "queries",
  reader: "rest/query, domain/transaction/transaction-fields",
  perMillion: 90_000,
  generate: (random) => Array.from({ length: random.int(1, 5) }, () => random.pick(PAIRS)).join("&"),
  mutate: mutateText,
  check: (query) => {
    const { values, texts, faults: queryFaults } = parseQuery(query, PARAMETERS);
    const faults = queryFaults
      .filter(({ rule }) => rule === "")
      .map(({ field }) => `a fault of ${field} without a rule`);
    for (const name of Object.keys(values)) if (!Object.hasOwn(PARAMETERS, name)) faults.push(`${name} was taken`);
    // A request line is ASCII.
    if (queryFaults.length > 0 || !query.isWellFormed()) return faults;
    const others = new URLSearchParams(query);
    const sent = Object.entries(texts);
    if ([...others].length !== sent.length)
      faults.push(`others read ${[...others].length} parameters, here are ${sent.length}`);
    for (const [name, text] of sent)
      if (others.get(name) !== text) faults.push(`others read ${name}=${others.get(name)}`);
    return [...faults, ...choiceFaults(texts)];
  },
};

/** A value in its canonical form must not be changed when it is read again. Otherwise a cursor could not contain it. */
function choiceFaults(fields: Readonly<Record<string, string>>): string[] {
  const { choice, faults } = readChoice(fields);
  if (faults.length > 0) return [];
  const again = readChoice(choice);
  if (again.faults.length > 0)
    return [`${JSON.stringify(choice)} is refused when it is repeated: ${again.faults[0]?.field}`];
  return JSON.stringify(again.choice) === JSON.stringify(choice)
    ? []
    : [`${JSON.stringify(choice)} becomes ${JSON.stringify(again.choice)}`];
}
