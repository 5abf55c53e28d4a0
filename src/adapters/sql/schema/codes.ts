/** The numbers that stand for a status, an action or a kind in the columns of `tx`. They never change. */
import type { Kind } from "../../../../contract/transactions/kinds.ts";
import type { Action, Status } from "../../../domain/transaction/transaction.ts";

export const STATUS = { pending: 0, success: 1, failed: 2, void: 3 } as const satisfies Record<Status, number>;
export const ACTION = { bet: 1, win: 2, refund: 3, rollback: 4 } as const satisfies Record<Action, number>;
export const KIND = {
  tip: 1,
  feature_buy: 2,
  adjustment: 3,
  free_rounds: 4,
  jackpot: 5,
  tournament: 6,
  prize_drop: 7,
  promo: 8,
  cash_out: 9,
} as const satisfies Record<Kind, number>;

const STATUSES: readonly Status[] = ["pending", "success", "failed", "void"];
const ACTIONS: readonly (Action | undefined)[] = [undefined, "bet", "win", "refund", "rollback"];

const KINDS = new Map(Object.entries(KIND).map(([kind, code]) => [code as number, kind as Kind]));

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

export function kindOf(code: unknown): Kind | null {
  if (code === null) return null;
  const kind = KINDS.get(Number(code));
  if (kind === undefined) throw new Error(`tx.kind has an unknown code: ${String(code)}`);
  return kind;
}
