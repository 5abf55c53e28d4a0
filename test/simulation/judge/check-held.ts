import { NOT_FOUND } from "../../../src/domain/transaction/reversal.ts";
import { NEVER } from "../../../src/domain/transaction/transaction.ts";
import { keyText, type TxId } from "../../../src/domain/values/identifiers.ts";
import { type RunRecord, type Violation, violation, type Write } from "../../../testbed/judge/record.ts";

/**
 * In a run without disturbing faults a held win may be due this much later, because the statement itself may need this
 * time.
 */
const STATEMENT_MS = 200;

/**
 * I10: the statement that fails a rollback makes its pending win due, at the end of the quiet period after the
 * rollback's last silence.
 */
export function checkHeld({ writes, undisturbed, quietPeriodMs }: RunRecord): Violation[] {
  const rows = new Map<string, Write["after"]>();
  return [...Map.groupBy(writes, (write) => write.statement).values()].flatMap((statement): Violation[] => {
    for (const { key, after } of statement) rows.set(key, after);
    return statement.flatMap(({ before, after: rollback }): Violation[] => {
      const ends =
        rollback.action === "rollback" &&
        before?.status === "pending" &&
        rollback.status === "failed" &&
        rollback.error !== NOT_FOUND;
      if (!ends || rollback.refTxId === null) return [];
      const key = keyText({ merchantId: rollback.merchantId, txId: rollback.refTxId as TxId });
      const win = rows.get(key);
      if (win?.status !== "pending" || win.nextAt === NEVER) return [];
      const isWritten = statement.some((write) => write.key === key) && win.nextAt !== null;
      const freeAt = Math.max(rollback.updatedAt, (rollback.silentAt ?? 0) + quietPeriodMs);
      const isLate = undisturbed && (win.nextAt ?? 0) > freeAt + STATEMENT_MS;
      return isWritten && !isLate
        ? []
        : [violation("I10", key, `its rollback failed, and it is due at ${win.nextAt}, not at ${freeAt}`)];
    });
  });
}
