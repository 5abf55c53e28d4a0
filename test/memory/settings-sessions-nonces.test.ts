import test from "ava";
import { SystemClock } from "../../src/adapters/system/system-clock.ts";
import { ManualClock } from "../../testbed/in-process/manual-clock.ts";
import { MemoryGgrAudits } from "../../testbed/memory/ggr-audits.ts";
import { MemoryHeartbeatStore } from "../../testbed/memory/heartbeat-store.ts";
import { MemoryNonceStore } from "../../testbed/memory/nonce-store.ts";
import { MemorySessionStore } from "../../testbed/memory/session-store.ts";
import { MemorySettingsStore } from "../../testbed/memory/settings-store.ts";
import { ggrAuditsContract } from "../contracts/ggr-audits.ts";
import { heartbeatStoreContract } from "../contracts/heartbeat-store.ts";
import { nonceStoreContract } from "../contracts/nonce-store.ts";
import { sessionStoreContract } from "../contracts/session-store.ts";
import { settingsStoreContract } from "../contracts/settings-store.ts";

nonceStoreContract(test, "nonces in memory", async () => {
  const clock = new ManualClock();
  return { store: new MemoryNonceStore(clock), age: async (ms) => clock.jump(ms) };
});
sessionStoreContract(test, "sessions in memory", async () => {
  const clock = new ManualClock();
  return { store: new MemorySessionStore(clock), age: async (ms) => clock.jump(ms) };
});
heartbeatStoreContract(test, "heartbeats in memory", async () => {
  const clock = new ManualClock();
  return { store: new MemoryHeartbeatStore(clock), age: async (ms) => clock.jump(ms) };
});
ggrAuditsContract(test, "the claim of the nightly comparison of sums in memory", async () => {
  const clock = new ManualClock();
  const audits = new MemoryGgrAudits(() => clock.now());
  return { stores: [audits, audits], age: async (ms) => clock.jump(ms) };
});
settingsStoreContract(test, "settings in memory", async () => new MemorySettingsStore(new SystemClock()));
