import { isReversal, type Transaction } from "../../../../src/domain/transaction/transaction.ts";
import { keyText } from "../../../../src/domain/values/identifiers.ts";
import { describeOutcome } from "../../../../testbed/judge/check-replies.ts";
import { type RunRecord, type Violation, violation } from "../../../../testbed/judge/record.ts";

/**
 * I17: the statement that makes a row a transaction gives it the labels of one request, and they never change. A void
 * row has none, unless it is the win of a Play. Every wallet call has these labels, and no label refuses a win.
 */
export function checkLabels(record: RunRecord): Violation[] {
  return [...stored(record), ...called(record), ...refused(record)];
}

const textOf = ({ labels }: Pick<Transaction, "labels">): string =>
  labels === undefined
    ? "none"
    : [labels.kind, labels.promoId, labels.jackpotId, labels.jackpotTier, labels.jackpotMicros].map(String).join(" / ");

function stored({ writes, operations }: RunRecord): Violation[] {
  const asked = Map.groupBy(operations, ({ content }) => keyText(content));
  return writes.flatMap(({ key, before, after }): Violation[] => {
    const is = textOf(after);
    if (after.status === "void")
      return is === "none" || after.bet !== undefined ? [] : [violation("I17", key, `a void row has labels: ${is}`)];
    if (before !== undefined && before.status !== "void")
      return is === textOf(before) ? [] : [violation("I17", key, `labels changed from ${textOf(before)} to ${is}`)];
    // A reversal has no labels, and neither has an original that only its reversal has named.
    if (is === "none" && (isReversal(after.action) || after.reversedBy !== null)) return [];
    const given = (asked.get(key) ?? []).filter(({ content }) => content.action === after.action);
    return given.some(({ content }) => textOf(content) === is)
      ? []
      : [violation("I17", key, `became a transaction with labels that nobody gave: ${is}`)];
  });
}

/** Each body has the labels that the row has, and every attempt has the same body. */
function called({ calls, rows }: RunRecord): Violation[] {
  return calls.flatMap(({ content, body }) => {
    const key = keyText(content);
    const { kind = null, promo_id: promoId = null } = JSON.parse(body) as Readonly<Record<string, string>>;
    const labels = rows.get(key)?.transaction.labels;
    return kind === (labels?.kind ?? null) && promoId === (labels?.promoId ?? null)
      ? []
      : [violation("I17", key, `the wallet got the kind ${kind} and the promotion ${promoId}`)];
  });
}

function refused({ operations }: RunRecord): Violation[] {
  return operations
    .filter(({ content, outcome }) => content.action === "win" && outcome.kind === "refused")
    .filter(({ outcome }) => outcome.kind === "refused" && outcome.code === "VALIDATION_ERROR")
    .map((operation) => violation("I17", keyText(operation.content), `told ${describeOutcome(operation)}`));
}
