/** Every order of a few crossing requests, with every answer of the wallet: nothing is left to chance. */
import test from "ava";
import { judgeScope } from "./main.ts";
import { CASES } from "./scopes.ts";

for (const { scope, ends } of CASES)
  test.serial(`every history is allowed: ${scope.name}`, async (t) => {
    const { reached, violations, moments, ends: histories } = await judgeScope(scope);
    t.deepEqual(violations, []);
    t.deepEqual(reached, ends.toSorted(), "each way to end was met, and no other");
    t.log(`${moments} moments, ${histories} histories`);
  });
