import { keyText, type TxId } from "../../src/domain/identifiers.ts";
import { answerOf, isCredit } from "../../src/domain/transaction.ts";
import { difference, type Operation, type RunRecord, type Violation } from "./record.ts";

/** How long before its caller's deadline the service answers pending, at most. */
const RESERVE_MS = 150;

/**
 * I4, as providers see it: no reply contradicts an earlier final one. Two replies are in order when the first had arrived before
 * the second was asked for. A rejected credit may be judged anew; a success may become TRANSACTION_REVERSED, by way of pending.
 */
export function checkReplies(record: RunRecord): Violation[] {
  return [...contradictions(record), ...untrue(record)];
}

/** A final reply tells a state that its row had at some moment while the request was under way: never more than is durable. */
function untrue({ operations, writes }: RunRecord): Violation[] {
  const versions = Map.groupBy(writes, (write) => write.key);
  return operations.flatMap((operation): Violation[] => {
    const { content, invokedAt, endedAt, outcome } = operation;
    if (outcome.kind !== "ok" || outcome.status === "pending" || endedAt === null) return [];
    const key = keyText({ ...content, txId: outcome.txId as TxId });
    const all = versions.get(key) ?? [];
    const isTrue = all.some(({ at, after }, i) => {
      const until = all[i + 1]?.at ?? Number.POSITIVE_INFINITY;
      const answer = answerOf(after);
      return at <= endedAt && until >= invokedAt && answer.status === outcome.status && (answer.status !== "failed" || answer.error === outcome.error);
    });
    return isTrue ? [] : [{ invariant: "I4", key, what: `told ${said(operation)}, which its row was not meanwhile` }];
  });
}

function contradictions({ operations, rows }: RunRecord): Violation[] {
  return [...Map.groupBy(operations, ({ content }) => keyText(content))].flatMap(([key, all]) => {
    const isReversed = rows.get(key)?.transaction.reversedBy != null;
    return all.flatMap((earlier) =>
      all
        .filter((later) => earlier.endedAt !== null && earlier.endedAt < later.invokedAt && difference(earlier.content, later.content) === undefined)
        .filter((later) => contradicts(earlier, later, isReversed))
        .map((later): Violation => ({ invariant: "I4", key, what: `told ${said(earlier)}, then ${said(later)}` })),
    );
  });
}

const said = ({ outcome }: Operation): string =>
  outcome.kind === "ok" ? `${outcome.status} ${outcome.error}`.trim() : outcome.kind === "refused" ? outcome.code : "nothing";

function contradicts(earlier: Operation, later: Operation, isReversed: boolean): boolean {
  const was = said(earlier);
  const is = said(later);
  // At the deadline, pending only says that nothing was found out in time.
  if (is === "pending" && (later.endedAt ?? 0) - later.invokedAt >= later.timeoutMs - RESERVE_MS) return false;
  if (is === "nothing" || is === "OVERLOADED" || is === "SERVICE_UNAVAILABLE" || is === was) return false;
  if (was === "TRANSACTION_REVERSED") return true;
  if (was === "success") return !(isReversed && (is === "pending" || is === "TRANSACTION_REVERSED"));
  return was.startsWith("failed") && !isCredit(earlier.content.action);
}
