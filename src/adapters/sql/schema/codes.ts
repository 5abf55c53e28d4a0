/** The numbers that stand for a status or an action in the columns of `tx`. They never change. */
import type { Action, Status } from "../../../domain/transaction/transaction.ts";

export const STATUS = { pending: 0, success: 1, failed: 2, void: 3 } as const satisfies Record<Status, number>;
export const ACTION = { bet: 1, win: 2, refund: 3, rollback: 4 } as const satisfies Record<Action, number>;

const STATUSES: readonly Status[] = ["pending", "success", "failed", "void"];
const ACTIONS: readonly (Action | undefined)[] = [undefined, "bet", "win", "refund", "rollback"];

export function statusOf(code: unknown): Status {
  const status = STATUSES[Number(code)];
  if (status === undefined) throw new Error(`tx.status has an unknown code: ${String(code)}`);
  return status;
}

export function actionOf(code: unknown): Action {
  const action = ACTIONS[Number(code)];
  if (action === undefined) throw new Error(`tx.action has an unknown code: ${String(code)}`);
  return action;
}
