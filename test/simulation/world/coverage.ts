/**
 * The calls of a run, and the faults that can hit each call. An empty cell of this table means a case that was never
 * tested.
 */
import { cell } from "./fired.ts";

const PROCESS = ["crash before", "crash after", "pause before", "pause after"];
const DATABASE = ["dbRefused", "dbLost", "dbSlow", "dbLate", "dbAgain", "dbAway", "clog"];
const WALLET = ["walletRefused", "walletLate", "walletReplyLost", "walletBroken", "walletAway", "walletCut", "clog"];

/** Statements for one or several rows. One element of a batch may fail alone. */
const BATCHES = [
  "read",
  "claim",
  "takeOver",
  "adopt",
  "mark",
  "seal",
  "settleBet",
  "settle",
  "schedule",
  "claimPlay",
  "settlePlay",
];
/** Statements that have several rows in many runs. */
const SHARED = ["read", "claim", "takeOver", "settle"];
const STATEMENTS = [
  "merchantsDue",
  "due",
  "waiting",
  "unnumbered",
  "unlocked",
  "number",
  "find",
  "resolve",
  "end rounds",
  "read round",
];
const WALLET_CALLS = ["wallet bet", "wallet win", "wallet refund", "wallet rollback"];
const SLIP_STATEMENTS = ["open", "read", "take", "renew", "decide", "finish", "due"].map((name) => `slip ${name}`);

/** The faults that can hit each call. The calls and the faults are the rows and columns of the table of runs. */
export type FaultsAt = ReadonlyMap<string, readonly string[]>;

const of = (names: readonly string[], faults: readonly string[]) =>
  names.map((name): [string, readonly string[]] => [name, faults]);

export const FAULTS_AT: FaultsAt = new Map([
  ...of(
    [...BATCHES, ...SHARED.map((name) => `${name} of several`)],
    [...PROCESS, ...DATABASE, "dbPoisoned", "dbLocked"],
  ),
  ...of(STATEMENTS, [...PROCESS, ...DATABASE]),
  ...of(WALLET_CALLS, [...PROCESS, ...WALLET]),
  ...of(["request", "reply"], ["callerLost", "clog"]),
]);

/** As {@link FAULTS_AT}, but for the statements of slips. */
export const SLIP_FAULTS_AT: FaultsAt = new Map(of(SLIP_STATEMENTS, [...PROCESS, ...DATABASE]));

/** Faults that do not belong to a single call. */
export const FAULTS_OF_RUNS = [
  "pause beyond any lease",
  "suspend",
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

/** The cells of the table that no run has filled. */
export const emptyCells = (cells: ReadonlyMap<string, number>, faultsAt: FaultsAt): string[] =>
  [...faultsAt].flatMap(([at, faults]) => faults.map((fault) => cell(at, fault)).filter((name) => !cells.has(name)));

/** How often each call was hit by each fault, in Markdown. */
export function cellTable(cells: ReadonlyMap<string, number>, faultsAt: FaultsAt): string {
  const columns = [...new Set([...faultsAt.values()].flat())];
  const line = (texts: readonly string[]) => `| ${texts.join(" | ")} |`;
  const rows = [...faultsAt].map(([at, faults]) =>
    line([
      at,
      ...columns.map((fault) => (faults.includes(fault) ? (cells.get(cell(at, fault)) ?? "**0**").toString() : "")),
    ]),
  );
  return [line(["call", ...columns]), `|---|${"--:|".repeat(columns.length)}`, ...rows].join("\n");
}
