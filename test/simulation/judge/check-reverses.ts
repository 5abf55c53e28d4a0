import { keyText, type TxId } from "../../../src/domain/values/identifiers.ts";
import { type RunRecord, type Violation, violation } from "../../../testbed/judge/record.ts";

/**
 * I15: what a Reverse was told is true, whatever came before and after it. An id that was marked never reaches a
 * wallet, neither itself nor a reversal of it.
 */
export function checkReverses({
  operations,
  rows,
  writes,
  calls,
  effects,
  merchantIds,
  forgotten,
  healed,
}: RunRecord): Violation[] {
  const versions = Map.groupBy(writes, (write) => write.key);
  const applied = new Set(
    effects.map(({ merchant, txId }) => keyText({ merchantId: merchantIds.get(merchant) ?? 0, txId: txId as TxId })),
  );
  const told = operations.flatMap(({ content, reverse, outcome, endedAt }): Violation[] => {
    if (reverse === undefined || content.refTxId === null || endedAt === null) return [];
    const own = keyText(content);
    const original = keyText({ merchantId: content.merchantId, txId: content.refTxId });
    const was = (versions.get(original) ?? []).filter(({ at }) => at <= endedAt).map(({ after }) => after);
    if (outcome.kind === "ok" && reverse.as !== content.action)
      return [violation("I15", own, `told ${reverse.as} about a ${content.action}`)];
    if (outcome.kind !== "uncalled") return [];
    if (reverse.as === "marked") {
      const isMarked = rows.get(original)?.transaction;
      const sent = calls.some(
        (call) =>
          call.content.merchantId === content.merchantId &&
          (call.content.txId === content.refTxId || call.content.refTxId === content.refTxId),
      );
      const isVoid = isMarked?.status === "void" && isMarked.reversedBy !== null;
      const early = was.some(({ reversedBy }) => reversedBy !== null);
      return isVoid && early && !sent
        ? []
        : [violation("I15", original, `told marked, and it is ${isMarked?.status}, sent: ${sent}`)];
    }
    const rejected = was.some(({ action, status }) => action === "bet" && status === "failed");
    const moved = applied.has(original) && !forgotten.has(original);
    return rejected && !moved ? [] : [violation("I15", original, "told that nothing is to reverse")];
  });
  const unasked = writes.flatMap(({ key, after }) => {
    if (after.resolvedBy !== "sealed") return [];
    const asked = operations.some(
      ({ content, reverse }) =>
        reverse !== undefined &&
        content.merchantId === after.merchantId &&
        content.refTxId === after.txId &&
        content.txId === after.reversedBy,
    );
    return asked && after.status === "void" ? [] : [violation("I15", key, `sealed for ${after.reversedBy}`)];
  });
  const undelivered = [...rows].flatMap(([key, { transaction: row }]) => {
    if (!healed || row.action !== "rollback" || row.status !== "pending") return [];
    const began = operations.filter(
      ({ content }) => content.merchantId === row.merchantId && content.refTxId === row.refTxId,
    );
    return began.every(({ reverse }) => reverse?.deliver === true)
      ? [violation("I15", key, "a rollback that was left to the service never ended")]
      : [];
  });
  return [...told, ...unasked, ...undelivered];
}
