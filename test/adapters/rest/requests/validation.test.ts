import test, { type ExecutionContext } from "ava";
import { LANGUAGES, type Language } from "../../../../src/domain/values/language.ts";
import { type ApiOperation, api, resolve } from "../../../../testbed/callers/description.ts";
import { errorOf, type RestUnderTest, type SignedParts } from "../../../../testbed/callers/rest-server.ts";
import { startStocked } from "../stocked-api.ts";

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** A path of the description with ids that exist. */
const IDS: Readonly<Record<string, string>> = { tx_id: "NORTH:w1", round_id: "r1", code: "fruits" };
const filled = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => IDS[name] ?? (path.includes("rounds") ? "NORTH" : "ACME"));

const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
const queryOf = (operation: ApiOperation) =>
  (operation.parameters ?? [])
    .filter((one) => one.in === "query")
    .map((one) => ({ ...one, schema: resolve<Schema>(one.schema as Schema) }));
const REQUIRED: Readonly<Record<string, string>> = { from: "2026-01-01", to: "2026-01-02" };

/** A text that is invalid by its schema. */
function bad({ type, enum: values, pattern, format, minLength, maxLength, maximum }: Schema): string {
  if (maximum !== undefined) return String(maximum + 1);
  if (maxLength !== undefined) return "x".repeat(maxLength + 1);
  if (values !== undefined || pattern !== undefined || format !== undefined || type === "boolean") return "nonsense";
  if (minLength !== undefined) return "";
  throw new Error("any text is right");
}

/** Words of one language's faults that no other language has. */
const WORDS: Readonly<Record<Language, RegExp>> = {
  pt: /\b(deve|desconhecido|obrigatório|Codificação|só pode|não se aplica|enviado)\b/,
  es: /\b(debe|desconocido|obligatorio|Codificación|solo puede|se aplica con|envió)\b/,
  en: /\b(must|Unknown|required|Invalid encoding|can only|can't|sent)\b/,
};

/**
 * The wrong fields that a refusal lists; empty when the call is accepted. Asserts that each fault is in the caller's
 * language.
 */
async function refusedFor(t: ExecutionContext, rest: RestUnderTest, parts: SignedParts): Promise<string[]> {
  const refused: string[][] = [];
  for (const language of LANGUAGES) {
    const reply = await rest.send({ ...parts, headers: { ...parts.headers, "Accept-Language": language } });
    if (reply.status < 300) return [];
    const { code, details } = errorOf(reply);
    t.is(code, "VALIDATION_ERROR", parts.target);
    const faults = details as readonly { readonly field: string; readonly message: string }[];
    for (const { message } of faults)
      for (const one of LANGUAGES)
        t[one === language ? "regex" : "notRegex"](message, WORDS[one], `${language}: ${message}`);
    refused.push(faults.map(({ field }) => field).sort());
  }
  const [first = [], ...others] = refused;
  for (const other of others) t.deepEqual(other, first);
  return first;
}

for (const { path, method, operation } of operations) {
  const parameters = queryOf(operation);
  const required = parameters.filter((one) => one.required).map(({ name }) => `${name}=${REQUIRED[name]}`);
  const { requestBody } = operation;
  const body = requestBody?.required ? { body: JSON.stringify({ player_id: "u-1", game: "fruits" }) } : {};
  const at = (query: readonly string[]): SignedParts => ({
    method,
    target: filled(path) + (query.length > 0 ? `?${query.join("&")}` : ""),
    ...body,
  });

  test(`${method} ${path} lists every wrong parameter at once, in each language`, async (t) => {
    const rest = await startStocked(t);
    const wrong = parameters.map(({ name, schema }) => `${name}=${bad(schema)}`);
    t.deepEqual(
      await refusedFor(t, rest, at([...wrong, "unknown=1"])),
      [...parameters.map(({ name }) => name), "unknown"].sort(),
    );
    t.deepEqual(await refusedFor(t, rest, at(required)), [], "without them it is answered");
    t.deepEqual(
      await refusedFor(t, rest, at([])),
      parameters
        .filter((one) => one.required)
        .map(({ name }) => name)
        .sort(),
    );
  });

  test(`${method} ${path} accepts exactly the values that its description allows, up to the limits`, async (t) => {
    const rest = await startStocked(t);
    for (const { name, schema } of parameters) {
      const others = required.filter((one) => !one.startsWith(`${name}=`));
      const tried = async (value: string | number) => refusedFor(t, rest, at([...others, `${name}=${value}`]));
      for (const value of schema.enum ?? []) t.deepEqual(await tried(value), [], `${name}=${value}`);
      if (schema.minimum !== undefined && schema.maximum !== undefined) {
        for (const value of [schema.minimum, schema.maximum]) t.deepEqual(await tried(value), [], `${name}=${value}`);
        for (const value of [schema.minimum - 1, schema.maximum + 1, "1.5", "1e2", ""])
          t.deepEqual(await tried(value), [name], `${name}=${value}`);
      }
      if (schema.maxLength !== undefined) t.deepEqual(await tried("x".repeat(schema.maxLength)), [], name);
      if (schema.minLength !== undefined) t.deepEqual(await tried(""), [name], name);
    }
    t.pass();
  });
}

test("a launch lists every wrong field at once, in each language", async (t) => {
  const rest = await startStocked(t);
  const properties = api.components.schemas.LaunchRequest?.properties ?? {};
  const wrong = Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [name, type === "boolean" ? "yes" : 5]),
  );
  const launch = (body: object) =>
    refusedFor(t, rest, { method: "POST", target: "/v1/game/launch", body: JSON.stringify(body) });
  t.deepEqual(await launch({ ...wrong, unknown: 1 }), [...Object.keys(properties), "unknown"].sort());
  t.is(Object.keys(properties).length, 13);
  t.deepEqual(await launch({}), ["game", "player_id"]);
  const withQuery = { method: "POST", target: "/v1/game/launch?soon=1", body: '{"game":5}' };
  t.deepEqual(await refusedFor(t, rest, withQuery), ["game", "player_id", "soon"], "the query's faults too");
});

test("a resend request may have no field", async (t) => {
  const rest = await startStocked(t);
  const resend = { method: "POST", target: "/v1/transactions/NORTH:b1/resend" };
  t.deepEqual(await refusedFor(t, rest, { ...resend, body: '{"force":true,"amount":1}' }), ["amount", "force"]);
  const withQuery = { ...resend, target: `${resend.target}?soon=1`, body: '{"force":true}' };
  t.deepEqual(await refusedFor(t, rest, withQuery), ["force", "soon"], "the query's faults too");
});
