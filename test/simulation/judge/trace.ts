/** The history of one transaction in a run, as lines of text, for `npm run simulate -- --seed S --trace ID`. */

import type { Content, Transaction } from "../../../src/domain/transaction/transaction.ts";
import { keyText, type TxId } from "../../../src/domain/values/identifiers.ts";
import { describeOutcome } from "../../../testbed/judge/check-replies.ts";
import type { RunRecord } from "../../../testbed/judge/record.ts";

interface Moment {
  readonly at: number;
  readonly what: string;
}

/**
 * Requests, wallet calls, row writes, effects and commands that concern the transaction or its reversals, in their
 * order.
 *
 * @param id - a wire tx_id such as `ACME:t1`. The merchant's number may stand before it: `2/ACME:t1`.
 */
export function trace(record: RunRecord, id: string): string[] {
  const concerns = (content: Content | Transaction): boolean =>
    [content.txId, content.refTxId, content.bet?.txId ?? null].some(
      (txId) =>
        txId !== null && (txId === id || keyText({ merchantId: content.merchantId, txId: txId as TxId }) === id),
    );
  const moments = [
    ...requests(record, concerns),
    ...calls(record, concerns),
    ...writes(record, concerns),
    ...effects(record, id),
    ...record.processFaults.map(({ at, kind, replica, until }) => ({
      at,
      what: `REPLICA ${replica} ${kind}, runs again at ${relative(record, until)}`,
    })),
    ...(record.commands ?? [])
      .filter(({ key }) => key === id || key.endsWith(`/${id}`))
      .map(({ invokedAt, what, key, outcome }) => ({ at: invokedAt, what: `COMMAND ${what} ${key}: ${outcome}` })),
  ];
  return moments
    .sort((a, b) => a.at - b.at)
    .map(({ at, what }) => `${String(relative(record, at)).padStart(8)} ${what}`);
}

type Concerns = (content: Content) => boolean;

function requests(record: RunRecord, concerns: Concerns): Moment[] {
  return record.operations
    .filter(({ content }) => concerns(content))
    .flatMap((operation) => {
      const { content, invokedAt, endedAt, timeoutMs } = operation;
      const names = `${content.action} ${keyText(content)}`;
      const reference = content.refTxId === null ? "" : ` of ${content.refTxId}`;
      const request = `${names}${reference}, ${content.amountMinor} of ${content.playerId}, round "${content.roundId}", time-out ${timeoutMs} ms`;
      const reply = {
        at: endedAt ?? record.endedAt,
        what: `TOLD ${describeOutcome(operation)}: ${names}, asked at ${relative(record, invokedAt)}`,
      };
      return [{ at: invokedAt, what: `ASKED ${request}` }, reply];
    });
}

function calls(record: RunRecord, concerns: Concerns): Moment[] {
  return record.calls
    .filter(({ content }) => concerns(content))
    .flatMap(({ content, replica, attempt, begunAt, sentAt, endedAt, answer }) => {
      const name = `CALL by replica ${replica} of ${content.action} ${keyText(content)}, attempt ${attempt}`;
      const begun = {
        at: begunAt,
        what: `${name}: ${sentAt === null ? "never sent" : `sent at ${relative(record, sentAt)}`}`,
      };
      if (endedAt === null || answer === null) return [begun];
      return [
        begun,
        { at: endedAt, what: `${name}: ${answer.kind}${answer.kind === "rejected" ? ` ${answer.error}` : ""}` },
      ];
    });
}

function writes(record: RunRecord, concerns: Concerns): Moment[] {
  return record.writes
    .filter(({ after }) => concerns(after))
    .map(({ at, key, statement, before, after }) => {
      const error = after.status === "failed" ? ` ${after.error}` : "";
      const time = (name: string, value: number | null) => (value === null ? "" : `, ${name} ${value}`);
      const rest =
        `${time("lease until", after.leaseUntil)}${time("silent at", after.silentAt)}${time("next at", after.nextAt)}, attempts ${after.attempts}` +
        `, token ${after.leaseToken.slice(0, 6)}${after.reversedBy === null ? "" : `, reversed by ${after.reversedBy}`}`;
      return {
        at,
        what: `ROW ${key} by statement ${statement}: ${before?.status ?? "none"} -> ${after.status}${error}${rest}`,
      };
    });
}

function effects(record: RunRecord, id: string): Moment[] {
  return record.effects
    .map((effect) => ({ effect, merchantId: record.merchantIds.get(effect.merchant) ?? 0 }))
    .filter(({ effect, merchantId }) =>
      [effect.txId, effect.refTxId].some((txId) => txId === id || `${merchantId}/${txId}` === id),
    )
    .map(({ effect, merchantId }) => ({
      at: record.endedAt,
      what: `EFFECT at the wallet, told at the end: ${effect.action} ${merchantId}/${effect.txId} ${effect.deltaMinor} of ${effect.player}`,
    }));
}

/** Milliseconds since the first request. */
function relative({ operations }: RunRecord, at: number): number {
  return Math.round(at - Math.min(...operations.map(({ invokedAt }) => invokedAt)));
}
