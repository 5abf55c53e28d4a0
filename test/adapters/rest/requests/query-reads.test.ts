import test from "ava";
import { SUCCESS_TEXTS } from "../../../../src/adapters/rest/replies/success-texts.ts";
import { listing } from "../../../../src/adapters/rest/requests/listing.ts";
import { type Parameter, wholeNumber } from "../../../../src/adapters/rest/requests/query.ts";
import { type Route, route } from "../../../../src/adapters/rest/route.ts";
import { type FieldFault, ok, refuse } from "../../../../src/domain/errors.ts";
import type { Merchant } from "../../../../src/ports/settings-store.ts";

/** A parameter that counts its reads. */
function counted(): Parameter<number> & { reads: number } {
  const number = wholeNumber("n", 0, 9);
  const parameter = {
    ...number,
    reads: 0,
    read: (text: string) => {
      parameter.reads++;
      return number.read(text);
    },
  };
  return parameter;
}

const call = { merchant: { code: "casa" } as Merchant, path: {}, body: {} };
const dataOf = async (answering: Route, query: string): Promise<Record<string, unknown>> => {
  const answer = await answering.answer(call, query);
  if (!answer.ok || !("data" in answer.value)) throw new Error(JSON.stringify(answer));
  return answer.value.data as Record<string, unknown>;
};

test("an operation reads its query once, and its answer gets this value", async (t) => {
  const n = counted();
  let reads = 0;
  const doubled = route({
    method: "GET",
    path: "/v1/doubled",
    query: { n },
    read: ({ query }) => {
      reads++;
      return ok({ doubled: 2 * (query.n ?? 0) });
    },
    answer: ({ query }) => ok({ message: SUCCESS_TEXTS.merchant, data: query }),
  });
  t.deepEqual(await dataOf(doubled, "n=4"), { doubled: 8 });
  t.is(n.reads, 1);
  t.is(reads, 1);
});

test("an operation does not answer a query with faults; faults of single parameters are listed before those of the whole query", async (t) => {
  const refusing = route({
    method: "GET",
    path: "/v1/refusing",
    query: { n: counted() },
    read: () => refuse("VALIDATION_ERROR", { details: [{ field: "all", rule: "never" }] }),
    answer: () => t.fail(),
  });
  const answer = await refusing.answer(call, "n=x&m=1");
  t.deepEqual(answer.ok || (answer.refusal.details as readonly FieldFault[]).map(({ field }) => field), [
    "n",
    "m",
    "all",
  ]);
});

test("a listing reads a parameter once for its first page, and once from the cursor for the next page", async (t) => {
  const n = counted();
  const numbers = listing({
    path: "/v1/numbers",
    query: { n },
    limit: { standard: 1, max: 1 },
    answer: ({ query: { choice, nextCursor } }) =>
      ok({ message: SUCCESS_TEXTS.merchant, data: { n: choice.n, cursor: nextCursor({ at: "1" }) } }),
  });
  const first = await dataOf(numbers, "n=4");
  t.is(first.n, 4);
  t.is(n.reads, 1);
  t.is((await dataOf(numbers, `cursor=${first.cursor}`)).n, 4);
  t.is(n.reads, 2);
});
