/**
 * Judges a run of real processes by the rules of the simulation: from the wallet's ledger, the provider's history, the
 * rows, and the merchant's report.
 *
 * The record of a real run does not have the single writes. It has the calls as the wallet received them, not as the
 * service made them. So this judge leaves out the checks of test/simulation/judge/check-inside.ts: each step of a row
 * (I4), final replies against the row's versions (I4), resends of credits without a repeat (I8), the exact backoff
 * (I10), original and reversal after each statement (I11).
 */
import type { Reply } from "../../sandbox/merchant/ledger.ts";
import { type Action, type Content, isReversal, type WalletAnswer } from "../../src/domain/transaction/transaction.ts";
import { keyText, type PlayerId, type ProviderCode, type TxId } from "../../src/domain/values/identifiers.ts";
import type { Currency } from "../../src/domain/values/money.ts";
import { signedCall } from "../callers/signed-call.ts";
import type { Installation } from "../stage/installation.ts";
import { type LedgerLine, readLedger } from "../wallet/ledger-file.ts";
import { checkOutside } from "./check-outside.ts";
import { checkProviderApi } from "./check-provider-api.ts";
import { type OutsideRecord, type ProcessFault, type Violation, violation, type WalletCall } from "./record.ts";
import { storedRows, storedSums } from "./stored-rows.ts";

/** A pause of a process, just before it sent some transactions to the wallet. */
export interface Standstill {
  readonly at: number;
  readonly until: number;
  /** The keys of these transactions. */
  readonly keys: readonly string[];
}

export interface RunConditions {
  /** Whether every fault had ended, and all transactions had enough time to end. */
  readonly healed: boolean;
  readonly standstills: readonly Standstill[];
  /** The times at which processes were killed, in ms since 1970. On a busy machine their sockets close later. */
  readonly deaths?: readonly number[];
  /** Processes that ended unexpectedly, and errors that only bugs cause. */
  readonly bugs: readonly string[];
}

/**
 * Judges everything that happened in an installation.
 *
 * @param restOrigin - the REST API of a running replica, for the report; null: no replica runs.
 */
export async function judge(
  installation: Installation,
  conditions: RunConditions,
  restOrigin: string | null,
): Promise<Violation[]> {
  const record = await recordOf(installation, conditions);
  const lines = readLedger(installation.wallet.ledgerFile);
  const reports = restOrigin === null || !conditions.healed ? [] : await reportsOf(installation, restOrigin);
  return [...checkOutside(record), ...checkProviderApi(record), ...signatures(lines), ...checkReports(record, reports)];
}

async function recordOf(
  { database, directory, history, wallet }: Installation,
  { healed, standstills, deaths = [], bugs }: RunConditions,
): Promise<OutsideRecord> {
  const merchantIds = new Map(directory.merchants.map(({ code, id }) => [code, id]));
  const lines = readLedger(wallet.ledgerFile);
  return {
    healed,
    endedAt: Date.now(),
    operations: history.operations,
    calls: callsOf(lines, merchantIds, standstills, deaths),
    effects: lines.flatMap((line) =>
      line.kind === "applied" ? [{ ...line.effect, deltaMinor: BigInt(line.effect.deltaMinor) }] : [],
    ),
    merchantIds,
    forgotten: new Set(),
    rows: await storedRows(database),
    sums: await storedSums(database),
    processFaults: standstills.map(({ at, until }): ProcessFault => ({ kind: "pause", replica: 0, at, until })),
    bugs,
  };
}

/**
 * The calls as the wallet recorded them. A call begins when the wallet receives it. It ends with the reply, or when the
 * service closes the socket.
 */
export function callsOf(
  lines: readonly LedgerLine[],
  merchantIds: ReadonlyMap<string, number>,
  standstills: readonly Standstill[],
  deaths: readonly number[] = [],
): WalletCall[] {
  const ends = new Map(lines.flatMap((line) => (line.kind === "ended" ? [[line.call, line]] : [])));
  return lines.flatMap((line): WalletCall[] => {
    if (line.kind !== "received") return [];
    const callback = JSON.parse(line.body) as Readonly<Record<string, string | number>>;
    if (callback.action === "balance") return [];
    const content = contentOf(callback, merchantIds.get(line.merchant) ?? 0);
    const end = ends.get(line.call);
    // If a process stood still before a send, its call began before the pause, although its bytes came after the pause.
    const stood = standstills.find(
      ({ at, until, keys }) =>
        keys.includes(keyText(content)) && line.at >= until && line.at < until + (until - at) + SENT_AFTER_MS,
    );
    const begunAt = stood?.at ?? line.at;
    const death = end?.how === "cut" ? deaths.find((at) => at >= begunAt && at < end.at) : undefined;
    return [
      {
        content,
        body: line.body,
        attempt: line.attempt,
        replica: 0,
        begunAt,
        sentAt: begunAt,
        endedAt: death ?? end?.at ?? null,
        answer: answerOf(end?.answer ?? null),
      },
    ];
  });
}

/** After a pause, a process makes the call that it had planned within this time. */
const SENT_AFTER_MS = 500;

const contentOf = (callback: Readonly<Record<string, string | number>>, merchantId: number): Content => ({
  merchantId,
  txId: callback.tx_id as TxId,
  action: callback.action as Action,
  playerId: callback.player_id as PlayerId,
  roundId: callback.round_id as string,
  amountMinor: BigInt(Math.round(Number(callback.amount) * 100)),
  currency: callback.currency as Currency,
  game: { id: 0, code: callback.game as string, providerId: 0, provider: callback.provider as ProviderCode },
  refTxId: isReversal(callback.action as Action) ? (callback.ref_tx_id as TxId) : null,
});

const answerOf = (reply: Reply | null): WalletAnswer | null => {
  if (reply === null) return null;
  return reply.ok
    ? { kind: "accepted", balanceMinor: BigInt(Math.round(reply.balance * 100)) }
    : { kind: "rejected", error: reply.error };
};

/** I13: every callback has a signature with the current secret. */
export const signatures = (lines: readonly LedgerLine[]): Violation[] =>
  lines.flatMap((line) =>
    line.kind === "received" && line.signature !== "ok"
      ? [violation("I13", `${line.merchant} ${line.requestId}`, `signature: ${line.signature}`)]
      : [],
  );

/** A merchant's GGR in minor units, of all days. */
export interface Report {
  readonly merchantId: number;
  readonly bets: bigint;
  readonly wins: bigint;
  readonly refunds: bigint;
  readonly rollbacks: bigint;
}

const DAY_MS = 86_400_000;
const SUMS = { bet: "bets", win: "wins", refund: "refunds", rollback: "rollbacks" } as const;

async function reportsOf({ directory }: Installation, origin: string): Promise<Report[]> {
  const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
  return Promise.all(
    directory.merchants.map(async ({ id, code, secret }) => {
      const reply = await signedCall(origin, { code, secret }, "GET", `/v1/reports/ggr?from=${day(-1)}&to=${day(1)}`);
      if (!reply.ok) throw new Error(`no report for ${code}: ${reply.code}`);
      const { totals } = reply.data as { totals: Readonly<Record<keyof Omit<Report, "merchantId">, number>> };
      const minor = (major: number) => BigInt(Math.round(major * 100));
      return {
        merchantId: id,
        bets: minor(totals.bets),
        wins: minor(totals.wins),
        refunds: minor(totals.refunds),
        rollbacks: minor(totals.rollbacks),
      };
    }),
  );
}

/** I11: the report agrees with the wallet's ledger for every transaction that isn't pending or failed. */
export function checkReports(
  { effects, rows, merchantIds }: Pick<OutsideRecord, "effects" | "rows" | "merchantIds">,
  reports: readonly Report[],
): Violation[] {
  return reports.flatMap((report) => {
    const ledgerSums = { bets: 0n, wins: 0n, refunds: 0n, rollbacks: 0n };
    for (const { merchant, txId, action, deltaMinor } of effects) {
      const row = rows.get(keyText({ merchantId: report.merchantId, txId: txId as TxId }))?.transaction;
      if (merchantIds.get(merchant) !== report.merchantId || row?.status !== "success") continue;
      ledgerSums[SUMS[action]] += deltaMinor < 0n ? -deltaMinor : deltaMinor;
    }
    return Object.values(SUMS).flatMap((sum) =>
      ledgerSums[sum] === report[sum]
        ? []
        : [
            violation(
              "I11",
              `merchant ${report.merchantId}`,
              `${sum}: the ledger comes to ${ledgerSums[sum]}, the report to ${report[sum]}`,
            ),
          ],
    );
  });
}
