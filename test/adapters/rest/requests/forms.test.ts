/**
 * Compares the API's description with the service. Random texts, nearly valid texts and values at the limits are sent
 * as every query parameter and as every field of a launch.
 */
import test, { type ExecutionContext } from "ava";
import fc from "fast-check";
import { parseAddress } from "../../../../src/domain/access/ip-list.ts";
import type { FieldFault } from "../../../../src/domain/errors.ts";
import { api, faultsAt, resolve } from "../../../../testbed/callers/description.ts";
import type { RawReply } from "../../../../testbed/callers/raw-http.ts";
import { errorOf, type RestUnderTest } from "../../../../testbed/callers/rest-server.ts";
import { startStocked } from "../stocked-api.ts";

/** Texts that are valid for some parameter or field. */
const RIGHT = [
  "jackpot",
  "semicolon",
  "203.0.113.9",
  "mobile",
  "ACME",
  "fruits",
  "u-1",
  "BRL",
  "clp",
  "BR",
  "uy",
  "pt",
  "en-US",
  "es-419",
  "2026-01-31",
  "2024-02-29",
  "2026-01-31T12:00:00Z",
  "2026-01-31t12:00:00.123456789+05:30",
  "0001-01-01T00:00:00-12:00",
  "UTC",
  "America/Argentina/Buenos_Aires",
  "Etc/GMT+3",
  "https://shop.example/lobby?a=b#c",
  "HTTP://[2001:db8::1]:8080",
  "true",
  "all",
  "desc",
  "csv",
  "semicolon",
  "open",
  "slot",
  "day",
  "success",
  "bet",
  "ndjson",
  "1",
  "1000",
  "WyJhIl0",
];

/** Characters that regular expressions, encodings and letter cases treat differently. */
const SIGNS = [..." \t\n\r\0\x7f\x85\x9f\xa0éıſK\u2028\ufeff٣😀+-_:.,/\\@?#%=&TtZz09aA"];

const edited = fc
  .tuple(fc.constantFrom(...RIGHT), fc.nat(40), fc.nat(1), fc.constantFrom("", ...SIGNS))
  .map(([text, at, cut, sign]) => text.slice(0, at) + sign + text.slice(at + cut));
const atLimit = fc
  .tuple(fc.constantFrom("x", "é", "€", "😀"), fc.constantFrom(31, 32, 33, 42, 43, 63, 64, 65, 127, 128, 129))
  .map(([sign, times]) => sign.repeat(times));
const text = fc.oneof(
  fc.constantFrom(...RIGHT),
  edited,
  edited,
  atLimit,
  fc.string({ unit: "binary", maxLength: 12 }).filter((some) => some.isWellFormed()),
);
const TEXTS = 150;
const SEED = Number(process.env.SEED ?? 1);
const texts = (): string[] => [...new Set(["", ...RIGHT, ...fc.sample(text, { numRuns: TEXTS, seed: SEED })])];

/** Rules between parameters, and rules that no schema can express. They do not concern a value's form. */
const OTHER_RULES = /^(not before |only with |at most \d+ days|asc with|not with)/;
const isZone = (name: string): boolean => {
  try {
    Temporal.Now.zonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
};
/** Rules that a schema cannot express about a value of the right form. */
const BEYOND: Readonly<Record<string, (value: string) => boolean>> = {
  tz: isZone,
  lobby_url: (value) => URL.canParse(value),
  deposit_url: (value) => URL.canParse(value),
  history_url: (value) => URL.canParse(value),
  player_ip: (value) => parseAddress(value) !== undefined,
  display_name: (value) => value.trim() !== "",
};

const faultsOf = (reply: RawReply): readonly FieldFault[] =>
  reply.status === 422 ? (errorOf(reply).details as readonly FieldFault[]) : [];

const isRefused = (reply: RawReply, field: string): boolean =>
  faultsOf(reply).some((fault) => fault.field === field && !OTHER_RULES.test(fault.rule));

/** Compares one value. Counts accepted and refused values, so that a test in which only one of them occurs fails. */
function compare(t: ExecutionContext, name: string, value: unknown, described: boolean, refused: boolean): boolean {
  const allowed = described && (typeof value !== "string" || (BEYOND[name]?.(value) ?? true));
  if (allowed === refused)
    t.fail(`${name}=${JSON.stringify(value)}: ${refused ? "refused" : "taken"}, described as ${described}`);
  return allowed;
}

const IDS: Readonly<Record<string, string>> = { provider: "NORTH", round_id: "r1", code: "fruits", tx_id: "NORTH:w1" };
const REQUIRED: Readonly<Record<string, string>> = { from: "2026-01-01", to: "2026-01-02" };

for (const [path, operations] of Object.entries(api.paths)) {
  const { parameters = [] } = operations.get ?? {};
  for (const [index, parameter] of parameters.entries()) {
    // Cursors are left out, because a random text is almost never a valid cursor.
    if (parameter.in !== "query" || parameter.name === "cursor") continue;
    const { name } = parameter;
    test(`GET ${path} accepts for ${name} exactly the values that its description allows`, async (t) => {
      const rest = await startStocked(t);
      const { type } = resolve<{ readonly type?: string }>(parameter.schema);
      const others = parameters.filter((one) => one.required && one.name !== name).map((one) => one.name);
      const target = (value: string): string => {
        const query = [...others.map((other) => [other, REQUIRED[other] ?? ""]), [name, value]];
        return `${path.replaceAll(/\{(\w+)\}/g, (_, id: string) => IDS[id] ?? "")}?${query.map((pair) => pair.map(encodeURIComponent).join("=")).join("&")}`;
      };
      const verdicts = new Set<boolean>();
      for (const value of texts()) {
        const place = ["paths", path, "get", "parameters", String(index), "schema"];
        const described = faultsAt(place, sentValue(value, type)).length === 0;
        verdicts.add(compare(t, name, value, described, isRefused(await rest.send({ target: target(value) }), name)));
      }
      t.is(verdicts.size, 2, "some texts are right and some are wrong");
    });
  }
}

/** The value that a parameter's text represents, by its type. */
function sentValue(value: string, type: string | undefined): unknown {
  if (type === "integer") return String(Number(value)) === value ? Number(value) : value;
  if (type === "boolean") return ({ true: true, false: false } as Record<string, boolean>)[value] ?? value;
  return value;
}

const launch = (rest: RestUnderTest, body: object) =>
  rest.send({ method: "POST", target: "/v1/game/launch", body: JSON.stringify(body) });
/** Fields for which a launch has its own error codes. */
const OWN_CODES: Readonly<Record<string, string>> = { currency: "UNSUPPORTED_CURRENCY", country: "INVALID_COUNTRY" };

for (const name of Object.keys(api.components.schemas.LaunchRequest?.properties ?? {})) {
  test(`a launch accepts for ${name} exactly the values that its description allows`, async (t) => {
    const rest = await startStocked(t);
    const verdicts = new Set<boolean>();
    for (const value of [...texts(), null, true, false, 5, [], {}]) {
      const place = ["components", "schemas", "LaunchRequest", "properties", name];
      const described = faultsAt(place, value).length === 0;
      const reply = await launch(rest, { player_id: "u-1", game: "fruits", [name]: value });
      const refused = isRefused(reply, name) || (reply.status === 400 && errorOf(reply).code === OWN_CODES[name]);
      verdicts.add(compare(t, name, value, described, refused));
    }
    t.is(verdicts.size, 2, "some values are right and some are wrong");
  });
}

test("a client that sends a cursor with every default value of the description gets the next page", async (t) => {
  const rest = await startStocked(t);
  const first: Readonly<Record<string, string>> = {
    "/v1/games": "active=all&limit=1",
    "/v1/providers": "limit=1",
    "/v1/transactions": "round_id=r1&order=asc&limit=1",
    "/v1/rounds": "limit=1",
    "/v1/rounds/{provider}/{round_id}": "limit=1",
  };
  const listings = Object.entries(api.paths).filter(([, { get }]) =>
    get?.parameters?.some((one) => one.name === "cursor"),
  );
  t.deepEqual(Object.keys(first).sort(), listings.map(([path]) => path).sort());
  for (const [path, query] of Object.entries(first)) {
    const target = path.replaceAll(/\{(\w+)\}/g, (_, id: string) => IDS[id] ?? "");
    const pageOf = async (pageQuery: string) => {
      const reply = await rest.send({ target: `${target}?${pageQuery}` });
      t.is(reply.status, 200, `${path} ${pageQuery} ${reply.body}`);
      return (JSON.parse(reply.body) as { data: { items: object[]; next_cursor: string } }).data;
    };
    const page = await pageOf(query);
    const at = (api.paths[path]?.get?.parameters ?? []).findIndex(({ name }) => name === "cursor");
    t.deepEqual(faultsAt(["paths", path, "get", "parameters", String(at), "schema"], page.next_cursor), []);
    const defaults = (api.paths[path]?.get?.parameters ?? []).flatMap(({ name, schema }) => {
      const { default: value } = resolve(schema as { readonly default?: unknown });
      return value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`];
    });
    t.true(defaults.length > 0, path);
    const next = await pageOf([`cursor=${page.next_cursor}`, ...defaults].join("&"));
    t.true(next.items.length > 0, path);
    t.notDeepEqual(next.items[0], page.items[0], path);
  }
});
