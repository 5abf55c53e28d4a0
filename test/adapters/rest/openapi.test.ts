import { createConfig, lintFromString } from "@redocly/openapi-core";
import test from "ava";
import { openApiDocument } from "../../../src/adapters/rest/openapi/document.ts";
import { api, faultsAt } from "../../harness/contract.ts";

test("a linter finds nothing to say about the document", async (t) => {
  const config = await createConfig({ extends: ["recommended-strict"] });
  for (const publicUrl of [null, "https://api.example/aggregator"]) {
    const problems = await lintFromString({ source: JSON.stringify(openApiDocument(publicUrl)), absoluteRef: "/openapi.json", config });
    t.deepEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
      [],
    );
  }
});

/** Every media type of the document that has a schema, with its place. */
function* contents(part: unknown, place: readonly string[] = []): Generator<{ place: readonly string[]; examples: readonly unknown[] }> {
  if (typeof part !== "object" || part === null) return;
  const { schema, example, examples } = part as { schema?: object; example?: unknown; examples?: Record<string, { value: unknown }> };
  const here = [...(example === undefined ? [] : [example]), ...Object.values(examples ?? {}).map(({ value }) => value)];
  if (schema !== undefined && here.length > 0) yield { place: [...place, "schema"], examples: here };
  for (const [key, value] of Object.entries(part)) yield* contents(value, [...place, key]);
}

test("every example is what its schema says, and has no field that is not described", (t) => {
  const all = [...contents(openApiDocument(null))];
  t.true(all.length > 40, String(all.length));
  for (const { place, examples } of all) for (const example of examples) t.deepEqual(faultsAt(place, example), [], place.join(" "));
});

test("every operation and every callback has an example of its success and of what is sent", (t) => {
  for (const operation of [...Object.values(api.paths).flatMap(Object.values), ...Object.values(api.webhooks).map(({ post }) => post)]) {
    const success = operation.responses["200"] ?? operation.responses["202"];
    t.truthy(success?.content?.["application/json"]?.examples, operation.operationId);
  }
});
