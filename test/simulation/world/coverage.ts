/**
 * The calls of a run, and the faults that can hit each call. An empty cell of this table means a case that was never
 * tested.
 */
import { cell } from "./fired.ts";

const PROCESS = ["crash before", "crash after", "pause before", "pause after"];
const DATABASE = ["dbRefused", "dbLost", "dbSlow", "dbLate", "dbAway", "clog"];
const WALLET = ["walletRefused", "walletLate", "walletReplyLost", "walletBroken", "walletAway", "walletCut", "clog"];

/** Statements for one or several rows. One element of a batch may fail alone. */
const BATCHES = ["read", "claim", "takeOver", "adopt", "mark", "settle", "schedule"];
/** Statements that have several rows in many runs. */
const SHARED = ["read", "claim", "takeOver", "settle"];
const STATEMENTS = ["merchantsDue", "due", "waiting", "unnumbered", "number", "find", "resolve"];
const WALLET_CALLS = ["wallet bet", "wallet win", "wallet refund", "wallet rollback"];

/** The rows and columns of the table of runs. */
export const FAULTS_AT: ReadonlyMap<string, readonly string[]> = new Map([
  ...[...BATCHES, ...SHARED.map((name) => `${name} of several`)].map((name): [string, string[]] => [
    name,
    [...PROCESS, ...DATABASE, "dbPoisoned"],
  ]),
  ...STATEMENTS.map((name): [string, string[]] => [name, [...PROCESS, ...DATABASE]]),
  ...WALLET_CALLS.map((name): [string, string[]] => [name, [...PROCESS, ...WALLET]]),
  ...["request", "reply"].map((name): [string, string[]] => [name, ["callerLost", "clog"]]),
]);

/** Faults that do not belong to a single call. */
export const FAULTS_OF_RUNS = [
  "pause beyond any lease",
  "blackout",
  "clockStep",
  "dbClockBack",
  "dbClockForward",
  "nodeSkew",
  "dbDown",
  "walletDown",
  "blocked",
  "resend done",
  "resend refused",
  "close done",
  "close refused",
];

export function emptyCells(cells: ReadonlyMap<string, number>, counts: ReadonlyMap<string, number>): string[] {
  const ofCalls = [...FAULTS_AT].flatMap(([at, faults]) =>
    faults.map((fault) => cell(at, fault)).filter((name) => !cells.has(name)),
  );
  return [...ofCalls, ...FAULTS_OF_RUNS.filter((name) => !counts.has(name))];
}

/** How often each call was hit by each fault, in Markdown. */
export function cellTable(cells: ReadonlyMap<string, number>): string {
  const columns = [...new Set([...FAULTS_AT.values()].flat())];
  const line = (texts: readonly string[]) => `| ${texts.join(" | ")} |`;
  const rows = [...FAULTS_AT].map(([at, faults]) =>
    line([
      at,
      ...columns.map((fault) => (faults.includes(fault) ? (cells.get(cell(at, fault)) ?? "**0**").toString() : "")),
    ]),
  );
  return [line(["call", ...columns]), `|---|${"--:|".repeat(columns.length)}`, ...rows].join("\n");
}
