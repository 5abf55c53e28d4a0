import test from "ava";
import { MemoryWalletMinutes } from "../../testbed/memory/wallet-minutes.ts";
import { walletMinutesContract } from "../contracts/health/wallet-minutes.ts";

walletMinutesContract(test, "sums of wallet calls in memory", async () => {
  const now = () => Date.now();
  return { stores: [new MemoryWalletMinutes(now)], now: async () => now() };
});
