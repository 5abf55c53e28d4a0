import { isReversal, type Transaction } from "../../../src/domain/transaction/transaction.ts";
import { keyText, type TxId } from "../../../src/domain/values/identifiers.ts";
import { describeOutcome } from "../../../testbed/judge/check-replies.ts";
import { type Operation, type RunRecord, type Violation, violation } from "../../../testbed/judge/record.ts";

export const isZero = ({ content }: Operation): boolean => content.amountMinor === 0n;

/**
 * I8, for amounts of 0: such a request is refused if and only if its id, or the transaction that it reverses, is known.
 * The service reads the rows while the request is open. So it finds every row that was written before the request
 * arrived. And if it refuses the request, the known row was written before the answer.
 */
export function checkZeros({ operations, writes }: RunRecord): Violation[] {
  const versions = Map.groupBy(writes, (write) => write.key);
  /** The state of the row at the time `at`. */
  const rowAt = (merchantId: number, txId: TxId, at: number): Transaction | undefined =>
    versions.get(keyText({ merchantId, txId }))?.findLast((write) => write.at < at)?.after;
  const isContradicted = ({ content: { merchantId, txId, action, refTxId } }: Operation, at: number): boolean => {
    const row = rowAt(merchantId, txId, at);
    const reversed = refTxId === null ? undefined : rowAt(merchantId, refTxId, at);
    return isKnown(row) || (row !== undefined && isReversal(action)) || isKnown(reversed);
  };
  const answers = operations.filter(isZero).flatMap((one): Violation[] => {
    const key = keyText(one.content);
    if (one.outcome.kind === "ok") {
      const isPlain = one.outcome.status === "success" && one.outcome.txId === "";
      return isPlain && !isContradicted(one, one.invokedAt)
        ? []
        : [violation("I8", key, `an amount of 0 was told ${describeOutcome(one)}`)];
    }
    const refused =
      one.outcome.kind === "refused" &&
      (one.outcome.code === "TRANSACTION_MISMATCH" || one.outcome.code === "TRANSACTION_REVERSED");
    // A win that names its bet may be refused because of the bet (check-settlements.ts).
    return refused && one.content.bet === undefined && !isContradicted(one, one.endedAt ?? 0)
      ? [violation("I8", key, `an amount of 0 was told ${describeOutcome(one)}, and nothing was against it`)]
      : [];
  });
  const written = writes
    // The void row of an id that Reverse has marked has no amount.
    .filter(({ after }) => after.amountMinor === 0n && after.status !== "void")
    .map(({ key }) => violation("I8", key, "a row of amount 0"));
  return [...answers, ...written];
}

/**
 * A void row is not a transaction yet. But a void reversal has an amount. A void original has an amount if a reversal
 * has marked it, or if it is the win of a Play.
 */
const isKnown = (row: Transaction | undefined): boolean =>
  row !== undefined &&
  (row.status !== "void" || isReversal(row.action) || row.reversedBy !== null || row.bet !== undefined);
