import test from "ava";
import { ManualClock } from "../../testbed/in-process/manual-clock.ts";
import { MemorySlipStore } from "../../testbed/memory/slip-store.ts";
import { MemoryUsedTokens } from "../../testbed/memory/used-tokens.ts";
import { slipStoreContract } from "../contracts/slip-store.ts";
import { usedTokensContract } from "../contracts/used-tokens.ts";

slipStoreContract(test, "slips in memory", async () => {
  const clock = new ManualClock();
  return { stores: [new MemorySlipStore(() => clock.now())], age: async (ms) => clock.jump(ms) };
});
usedTokensContract(test, "used tokens in memory", async () => {
  const clock = new ManualClock();
  return { stores: [new MemoryUsedTokens(clock)], age: async (ms) => clock.jump(ms) };
});
