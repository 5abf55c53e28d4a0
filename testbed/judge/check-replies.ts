import { isCredit } from "../../src/domain/transaction/transaction.ts";
import { keyText } from "../../src/domain/values/identifiers.ts";
import { difference, type Operation, type OutsideRecord, type Violation } from "./record.ts";

/** The service answers PENDING at most this long before its caller's deadline. */
const RESERVE_MS = 150;

/**
 * I4, from the providers' view: no reply contradicts an earlier final reply. Two replies are in order when the first
 * one arrived before the second request was sent. A repeat of a rejected credit may get another answer, because the
 * wallet decides again. A success may change to TRANSACTION_REVERSED, with PENDING in between.
 */
export function contradictions({ operations, rows }: OutsideRecord): Violation[] {
  return [...Map.groupBy(operations, ({ content }) => keyText(content))].flatMap(([key, all]) => {
    const isReversed = rows.get(key)?.transaction.reversedBy != null;
    return all.flatMap((earlier) =>
      all
        .filter(
          (later) =>
            earlier.endedAt !== null &&
            earlier.endedAt < later.invokedAt &&
            difference(earlier.content, later.content) === undefined,
        )
        .filter((later) => contradicts(earlier, later, isReversed))
        .map(
          (later): Violation => ({
            invariant: "I4",
            key,
            what: `told ${describeOutcome(earlier)}, then ${describeOutcome(later)}`,
          }),
        ),
    );
  });
}

export const describeOutcome = ({ outcome }: Operation): string =>
  outcome.kind === "ok"
    ? `${outcome.status} ${outcome.error}`.trim()
    : outcome.kind === "refused"
      ? outcome.code
      : "nothing";

function contradicts(earlier: Operation, later: Operation, isReversed: boolean): boolean {
  const was = describeOutcome(earlier);
  const is = describeOutcome(later);
  // At the deadline, PENDING only means that the service did not get the result in time.
  if (is === "pending" && (later.endedAt ?? 0) - later.invokedAt >= later.timeoutMs - RESERVE_MS) return false;
  if (is === "nothing" || is === "OVERLOADED" || is === "SERVICE_UNAVAILABLE" || is === was) return false;
  // A win that was refused because of its bet has no row, so its id may get other content later.
  if (was === "TRANSACTION_REVERSED") return earlier.content.bet === undefined || is !== "TRANSACTION_MISMATCH";
  if (was === "success") return !(isReversed && (is === "pending" || is === "TRANSACTION_REVERSED"));
  return was.startsWith("failed") && !isCredit(earlier.content.action);
}
