import { keyText, type TxId } from "../../../src/domain/values/identifiers.ts";
import { type RunRecord, type Violation, violation, type Write } from "../../../testbed/judge/record.ts";
import type { RecordIndex } from "../../../testbed/judge/record-index.ts";

/** Whether support closed the row in this write. */
export const isClosing = ({ before, after }: Write): boolean =>
  after.resolvedBy === "manual" && before?.resolvedBy !== "manual";

/**
 * I9, for support: a row is closed by hand only on support's request. Neither the row's call nor its original's call
 * may be open at that time.
 */
export function checkClosings({ writes, commands = [] }: RunRecord, index: RecordIndex): Violation[] {
  return writes.filter(isClosing).flatMap((write): Violation[] => {
    const { key, at, after } = write;
    const isRequested = commands.some((one) => one.what === "close" && one.key === key && one.invokedAt <= at);
    const original =
      after.refTxId === null ? [] : [keyText({ merchantId: after.merchantId, txId: after.refTxId as TxId })];
    const underWay = [key, ...original]
      .flatMap((one) => index.calls.get(one) ?? [])
      .some((call) => call.begunAt < at && index.endOf(call) > at && !index.mayOutliveItsLease(call));
    return [
      ...(isRequested ? [] : [violation("I9", key, "closed by hand, and nobody asked for it")]),
      ...(underWay ? [violation("I9", key, "closed by hand with a call under way")] : []),
    ];
  });
}
