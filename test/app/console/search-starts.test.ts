import test from "ava";
import { startsOf } from "../../../src/app/console/search-transactions.ts";
import type { ProviderCode } from "../../../src/domain/values/identifiers.ts";

const PROVIDERS = ["ACME", "BETA"] as ProviderCode[];

test("a text is looked for in four cases, and as the own id of each provider", (t) => {
  const cases = ["aNa", "ana", "ANA", "ANa"];
  t.deepEqual(startsOf("aNa", PROVIDERS), {
    tx_id: cases.flatMap((id) => [`ACME:${id}`, `BETA:${id}`]) as string[],
    round_id: cases,
    player_id: cases,
  });
});

test("a text with a provider's code is that provider's id, also without a list of providers", (t) => {
  t.deepEqual(startsOf("acme:F1", []).tx_id, ["ACME:F1", "ACME:f1"]);
  t.deepEqual(startsOf("f1", []).tx_id, [], "nobody knows whose id it is");
});
