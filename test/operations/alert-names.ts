/** Which test plants the fault of which alert. Each alert that no list names belongs to watching.test.ts. */
import { readFileSync } from "node:fs";
import { RULES } from "./monitoring.ts";

/** Alerts whose fault no test plants, because it would need much time, memory or load, or another machine. */
export const UNIT_TESTS_ONLY = [
  "AggregatorCpuFull",
  "AggregatorGgrDiffers",
  "AggregatorMemoryHigh",
  "AggregatorReplicaFull",
  "ClockWrong",
  "DiskFilling",
  "DiskFull",
] as const;

/** Alerts of rare-faults.test.ts. */
export const RARE = [
  "AggregatorConnectionsWaiting",
  "AggregatorFeedLags",
  "AggregatorFileDescriptors",
  "AggregatorRestarts",
  "AggregatorSlipStuck",
  "AggregatorWalletContradicts",
] as const;

/** Alerts of cluster-faults.test.ts. */
export const GALERA = ["GaleraNodeLost", "GaleraNodeSlow"] as const;
export const GROUP_REPLICATION = ["GroupMemberLost"] as const;

export const alertNames = (): string[] =>
  [...readFileSync(RULES, "utf8").matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);
