/** Which rows of the tables are stuck money. The kinds stand in src/domain/transaction/stuck.ts. */
import { type DbTime, NEVER } from "../../../domain/transaction/transaction.ts";
import { CONTRADICTIONS_MS } from "../../../ports/transactions/stuck-money.ts";
import type { STUCK } from "../reports/stuck-notes.ts";
import { ACTION, STATUS } from "../schema/codes.ts";

/** The kinds that are noted in the table `stuck`. */
export type NotedKind = keyof typeof STUCK;

export const IS_CREDIT = `action IN (${ACTION.win}, ${ACTION.refund})`;

/** Ranges of the index of due times. Only credits have a due time before {@link NEVER}. */
export const DUE = {
  retrying: `next_at >= 0 AND next_at < ${NEVER}`,
  open: "next_at >= 0",
  never: `next_at = ${NEVER}`,
} as const;

/** Whether a noted row `t` is still stuck. It may have changed since it was noted. */
export const STILL: Readonly<Record<NotedKind, string>> = {
  owed: `t.status = ${STATUS.failed}`,
  contradiction: `NOT (t.status = ${STATUS.success} AND t.error IS NULL AND t.action IN (${ACTION.win}, ${ACTION.refund}))`,
};

/** The oldest creation of a noted transaction that is shown. */
export const notedSince = (kind: NotedKind, now: DbTime): DbTime => (kind === "owed" ? 0 : now - CONTRADICTIONS_MS);
