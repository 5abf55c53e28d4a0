import { createConfig, lintFromString } from "@redocly/openapi-core";
import test from "ava";
import { openApiDocument } from "../../../src/adapters/rest/openapi/document.ts";
import { apiRoutes } from "../../../src/adapters/rest/routes/table.ts";
import { contractFaults } from "../../../testbed/callers/contract.ts";
import { api, callbacks, faultsAt, resolve } from "../../../testbed/callers/description.ts";

test("a linter finds no fault in the description of the API", async (t) => {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({
    source: JSON.stringify(openApiDocument("https://api.aggregator.test/base")),
    absoluteRef: "/openapi.json",
    config,
  });
  t.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  );
});

/** Every media type of the document that has a schema, with its place. */
function* contents(
  part: unknown,
  place: readonly string[] = [],
): Generator<{ place: readonly string[]; examples: readonly unknown[] }> {
  if (typeof part !== "object" || part === null) return;
  const { schema, example, examples } = part as {
    schema?: object;
    example?: unknown;
    examples?: Record<string, { value: unknown }>;
  };
  const here = [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples ?? {}).map(({ value }) => value),
  ];
  if (schema !== undefined && here.length > 0) yield { place: [...place, "schema"], examples: here };
  for (const [key, value] of Object.entries(part)) yield* contents(value, [...place, key]);
}

test("every example matches its schema and has no field that is not described", (t) => {
  const all = [...contents(api)];
  t.true(all.length > 40, String(all.length));
  for (const { place, examples } of all)
    for (const example of examples) t.deepEqual(faultsAt(place, example), [], place.join(" "));
});

test("every operation and every callback has an example of its success", (t) => {
  for (const operation of [
    ...Object.values(api.paths).flatMap(Object.values),
    ...[...callbacks.values()].map(({ post }) => post),
  ]) {
    const success = operation.responses["200"] ?? operation.responses["202"];
    t.truthy(success?.content?.["application/json"]?.examples, operation.operationId);
  }
});

/** Every `$ref` of a part. */
const refsOf = (part: unknown): string[] =>
  typeof part !== "object" || part === null
    ? []
    : Object.entries(part).flatMap(([key, value]) => (key === "$ref" ? [String(value)] : refsOf(value)));

test("every component is used by an operation or a callback, so that code generators keep it", (t) => {
  const reached = new Set<string>();
  const visit = (part: unknown): void => {
    for (const $ref of refsOf(part))
      if (!reached.has($ref)) {
        reached.add($ref);
        visit(resolve({ $ref }));
      }
  };
  visit(api.paths);
  const { securitySchemes: _, ...components } = api.components as Readonly<Record<string, object>>;
  const all = Object.entries(components).flatMap(([kind, named]) =>
    Object.keys(named).map((name) => `#/components/${kind}/${name}`),
  );
  t.true(all.length > 60);
  t.deepEqual(
    all.filter((one) => !reached.has(one)),
    [],
  );
  t.is(callbacks.size, 5);
});

test("every object schema is a named component, never inline", (t) => {
  const inlined = (part: unknown, place: string): string[] => {
    if (typeof part !== "object" || part === null) return [];
    if ("properties" in part) return [place];
    return Object.entries(part).flatMap(([key, value]) => inlined(value, `${place}/${key}`));
  };
  t.deepEqual(inlined(api.paths, ""), []);
});

test("the address of the API is in `servers`, and its reference in `externalDocs`", (t) => {
  const address = "https://api.aggregator.test/base";
  const { servers, externalDocs, paths } = openApiDocument(address) as {
    servers: { url: string }[];
    externalDocs: { url: string };
    paths: object;
  };
  t.deepEqual([servers.map(({ url }) => url), externalDocs.url], [[address], `${address}/docs`]);
  t.true(Object.keys(paths).every((path) => path.startsWith("/v1/")));
});

test("the description has exactly the operations that are served", (t) => {
  // No call is made here, so the use cases may be missing.
  const nothing = {} as never;
  const served = apiRoutes(nothing, nothing, nothing, nothing, nothing, nothing).map(
    ({ method, segments }) => `${method} ${segments.join("/")}`,
  );
  const described = Object.entries(api.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  t.deepEqual(described.sort(), served.sort());
});

test("the test harness notices a reply, or an accepted request, that does not match the description", (t) => {
  const data = { items: [], next_cursor: null, total: 0 };
  const headers = {
    "x-request-id": "5b1c6c1e-6b52-4c3c-8f1a-0c8f3e1f7c11",
    "content-type": "application/json; charset=utf-8",
    "ratelimit-limit": "10",
    "ratelimit-remaining": "9",
    "ratelimit-reset": "1",
  };
  const reply = (changed: object = {}, status = 200) => ({
    status,
    headers,
    body: JSON.stringify({ success: true, message: "Catálogo de jogos.", statusCode: status, data, ...changed }),
  });
  const faults = (target: string, more: Partial<ReturnType<typeof reply>> = {}) =>
    contractFaults({ method: "GET", target, body: "", reply: { ...reply(), ...more } }).length;
  t.is(faults("/v1/games?limit=500"), 0);
  t.is(faults("/v1/games?limit=501"), 1, "a parameter beyond its limit");
  t.is(faults("/v1/games?colour=red"), 1, "an undescribed parameter");
  t.is(faults("/v1/games", reply({ data: { ...data, extra: 1 } })), 1, "an undescribed field");
  t.is(faults("/v1/games", reply({ data: { items: [] } })), 2, "fields that are missing");
  t.is(faults("/v1/games", reply({ message: "Jogos." })), 1, "another message");
  t.is(faults("/v1/games", reply({}, 203)), 1, "an undescribed status");
  t.is(faults("/v1/games", { headers: { ...headers, "ratelimit-reset": "" } }), 1, "no rate limit");
  t.is(faults("/v1/nowhere"), 1, "a success where there is nothing");
});
