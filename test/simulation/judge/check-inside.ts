/**
 * The checks that only the simulation can make, because it records each write and each call of the service.
 */

import { NOT_FOUND } from "../../../src/domain/transaction/reversal.ts";
import { answerOf, isCredit, isReversal, type Transaction } from "../../../src/domain/transaction/transaction.ts";
import { keyText, type TxId } from "../../../src/domain/values/identifiers.ts";
import { describeOutcome } from "../../../testbed/judge/check-replies.ts";
import {
  type Operation,
  type Outcome,
  type RunRecord,
  type Violation,
  violation,
  type WalletCall,
  type Write,
} from "../../../testbed/judge/record.ts";
import type { RecordIndex } from "../../../testbed/judge/record-index.ts";
import { checkClosings } from "./check-closings.ts";
import { checkCreated } from "./check-created.ts";
import { checkHeld } from "./check-held.ts";
import { checkNumbers } from "./check-numbers.ts";
import { checkTimes } from "./check-times.ts";

const LONGEST_BACKOFF_MS = 300_000;
/** A resend may begin this much later than planned. This is the time of a scan and its statements. */
const SCAN_MS = 700;
/** In a run without disturbing faults a request becomes a row within this time. It waits at most 2 s for a permit. */
const CREATED_WITHIN_MS = 3_000;

/** The parts of I2 to I4, I8 to I11 and I13 that can't be checked with the state at the end of a run. */
export const checkInside = (record: RunRecord, index: RecordIndex): Violation[] => [
  ...calledUnasked(index),
  ...unrecorded(record, index),
  ...transitions(record),
  ...untrue(record),
  ...sentAfterFailure(record, index),
  ...backoff(record, index),
  ...checkClosings(record, index),
  ...pairsSettleTogether(record.writes),
  ...checkNumbers(record.writes),
  ...checkCreated(record.writes),
  ...checkHeld(record),
  ...checkTimes(record.writes),
];

/** I2: a bet or rollback is never sent more often than it was requested. */
function calledUnasked(index: RecordIndex): Violation[] {
  return [...index.calls].flatMap(([key, calls]) => {
    const { content } = calls[0] as WalletCall;
    // A rollback that a request has left to the service may be resent.
    const isDelivered = (index.operations.get(key) ?? []).some(({ reverse }) => reverse?.deliver === true);
    if (isCredit(content.action) || isDelivered || calls.length <= index.requestCount(content)) return [];
    return [violation("I2", key, `sent ${calls.length} times, and asked for ${index.requestCount(content)} times`)];
  });
}

/** I3: a process without faults records the wallet's answer. */
function unrecorded({ calls, undisturbed }: RunRecord, index: RecordIndex): Violation[] {
  return calls.flatMap(({ content, answer }) => {
    if (!undisturbed || isCredit(content.action) || answer === null || answer.kind === "silent") return [];
    const row = index.row(content.merchantId, content.txId);
    const kept =
      answer.kind === "accepted"
        ? row?.status === "success"
        : answer.error === NOT_FOUND || row === undefined || answerOf(row).status === "failed";
    const same =
      answer.kind !== "rejected" ||
      answer.error === NOT_FOUND ||
      row?.status !== "failed" ||
      row.error === answer.error;
    return kept && same ? [] : [violation("I3", keyText(content), `the wallet's ${answer.kind} was not recorded`)];
  });
}

/** I4: final states stay, except for a credit that is sent again and an original whose reversal was accepted. */
function transitions({ writes }: RunRecord): Violation[] {
  return writes.flatMap(({ key, before, after }) => {
    if (before === undefined || before.status === after.status) return [];
    const step = `${before.status} -> ${after.status}`;
    const legal =
      before.status === "void" ||
      (before.status === "pending" && after.status !== "void") ||
      (step === "failed -> pending" && isCredit(after.action)) ||
      (step === "failed -> success" &&
        after.reversedBy !== null &&
        after.resolvedBy?.endsWith(`:${after.reversedBy}`) === true);
    return legal ? [] : [violation("I4", key, step)];
  });
}

/**
 * I4: a final reply is a state that the row had, durably, while the request was open. The same holds for the reply
 * `pending` to a credit, because this reply is a promise: the row was then pending, or its reversal held it.
 */
function untrue({ operations, writes }: RunRecord): Violation[] {
  const versions = Map.groupBy(writes, (write) => write.key);
  return operations.flatMap((operation): Violation[] => {
    const { content, invokedAt, endedAt, outcome } = operation;
    if (outcome.kind !== "ok" || endedAt === null || (outcome.status === "pending" && !isCredit(content.action)))
      return [];
    const key = keyText({ ...content, txId: outcome.txId as TxId });
    const all = versions.get(key) ?? [];
    const isTrue = all.some(({ at, after }, i) => {
      const until = all[i + 1]?.at ?? Number.POSITIVE_INFINITY;
      return at <= endedAt && until >= invokedAt && tells(outcome, after);
    });
    return isTrue
      ? []
      : [{ invariant: "I4", key, what: `told ${describeOutcome(operation)}, which its row was not meanwhile` }];
  });
}

function tells({ status, error }: Outcome & { kind: "ok" }, row: Transaction): boolean {
  if (status === "pending") return row.status === "pending" || row.reversedBy !== null;
  const answer = answerOf(row);
  return answer.status === status && (answer.status !== "failed" || answer.error === error);
}

/**
 * I8: the service never sends a rejected debit again. It sends a rejected credit again only after a repeat of the
 * request.
 */
function sentAfterFailure({ writes }: RunRecord, index: RecordIndex): Violation[] {
  return writes.flatMap(({ at, key, before, after }) => {
    if (
      after.status !== "failed" ||
      before?.status === "failed" ||
      (isCredit(after.action) && index.requestCount(after) > 1)
    )
      return [];
    return (index.calls.get(key) ?? []).some((call) => call.begunAt > at)
      ? [violation("I8", key, "sent after it had failed")]
      : [];
  });
}

/**
 * I10: the service makes resend k at the planned time: not before 2^(k-1) s, and at most a tenth and a scan later.
 * Resends end with the horizon.
 */
function backoff({ undisturbed, crowded, horizonMs }: RunRecord, index: RecordIndex): Violation[] {
  if (!undisturbed) return [];
  return [...index.calls].flatMap(([key, calls]) => {
    const { content } = calls[0] as WalletCall;
    if (
      !isCredit(content.action) ||
      index.requestCount(content) !== 1 ||
      index.row(content.merchantId, content.txId)?.reversedBy != null
    )
      return [];
    const invokedAt = index.operations.get(key)?.[0]?.invokedAt ?? Number.POSITIVE_INFINITY;
    const beyond =
      !crowded && calls.some((call) => call.begunAt > invokedAt + horizonMs + CREATED_WITHIN_MS)
        ? [violation("I10", key, "sent again after its horizon")]
        : [];
    const offSchedule = calls.slice(1).flatMap((call, i) => {
      const last = calls[i] as WalletCall;
      const gap = call.begunAt - (last.endedAt ?? last.begunAt);
      const least = Math.min(1_000 * 2 ** (last.attempt - 1), LONGEST_BACKOFF_MS);
      const most = Math.min(least * 1.1, LONGEST_BACKOFF_MS) + SCAN_MS;
      // The worker may send the credit while its provider's request is still open. The request's own call may then
      // follow at once.
      if (gap < least && isUnderWay(index.operations.get(key) ?? [], call.begunAt)) return [];
      return gap < least || (gap > most && !crowded)
        ? [violation("I10", key, `attempt ${call.attempt} came ${Math.round(gap)} ms after the one before`)]
        : [];
    });
    return [...beyond, ...offSchedule];
  });
}

const isUnderWay = (operations: readonly Operation[], at: number): boolean =>
  operations.some(({ invokedAt, endedAt }) => invokedAt <= at && at <= (endedAt ?? Number.POSITIVE_INFINITY));

/** I11: after each statement, the states of a reversal and its original fit each other. */
function pairsSettleTogether(writes: readonly Write[]): Violation[] {
  const rows = new Map<string, Transaction>();
  return [...Map.groupBy(writes, (write) => write.statement).values()].flatMap((statement) => {
    for (const { key, after } of statement) rows.set(key, after);
    return statement.flatMap(({ key, before, after }) => {
      const find = (txId: TxId | null) =>
        txId === null ? undefined : rows.get(keyText({ merchantId: after.merchantId, txId }));
      if (isReversal(after.action)) {
        const original = find(after.refTxId);
        const wrong =
          (after.status === "success" && original?.status !== "success") ||
          (after.status === "failed" && after.error === NOT_FOUND && original?.status === "pending");
        return wrong
          ? [{ invariant: "I11" as const, key, what: `${after.status}, but its original is ${original?.status}` }]
          : [];
      }
      const closed =
        after.reversedBy !== null &&
        after.resolvedBy?.endsWith(`:${after.reversedBy}`) &&
        before?.resolvedBy !== after.resolvedBy;
      const reversal = find(after.reversedBy);
      return closed && reversal?.status !== "success" && reversal?.status !== "failed"
        ? [{ invariant: "I11" as const, key, what: `closed by a reversal that is ${reversal?.status}` }]
        : [];
    });
  });
}
