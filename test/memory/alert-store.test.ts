import test from "ava";
import { MemoryAlertStore } from "../../testbed/memory/alert-store.ts";
import { alertStoreContract } from "../contracts/alert-store.ts";

alertStoreContract(test, "alerts in memory", async () => {
  let now = 1_767_225_600_000;
  return {
    stores: [new MemoryAlertStore(() => now)],
    age: async (ms) => {
      now += ms;
    },
  };
});
