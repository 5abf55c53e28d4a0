import test from "ava";
import { playChaos } from "./chaos.ts";
import { PROVIDERS } from "./scripts.ts";

for (const [api, start] of Object.entries(PROVIDERS))
  test.serial(`whatever is repeated, dropped or killed, the wallet has what the book of ${api} says`, async (t) => {
    const result = await playChaos(await start(t), { rounds: 60, seed: 1 });
    t.deepEqual(result.violations, []);
    t.true(result.calls > 150);
    t.true(result.kills >= 2);
  });
