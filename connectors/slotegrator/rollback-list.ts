/** The list of a rollback, and what contradicts it. */
import {
  TransactionAction,
  type TransactionRecord,
} from "../../src/gen/aggregator/provider/v1/transaction_record_pb.ts";
import { readAmount } from "../frame/decimals.ts";
import { derivedId } from "../frame/ids.ts";
import { FieldFault, Fields } from "../frame/json.ts";
import type { Session } from "../frame/state/store.ts";

export interface Item {
  /** The id as Slotegrator wrote it. */
  readonly given: string;
  /** The id at the aggregator. */
  readonly txId: string;
  readonly action: "bet" | "win" | "refund";
  /** undefined: the list does not say it. */
  readonly amountMinor: bigint | undefined;
}

const ACTIONS: Readonly<Record<Item["action"], TransactionAction>> = {
  bet: TransactionAction.BET,
  win: TransactionAction.WIN,
  refund: TransactionAction.REFUND,
};

/** @throws FieldFault. A form without the field has an empty list. */
export function itemsOf(fields: Fields, currency: Session["currency"]): readonly Item[] {
  if (!fields.has("rollback_transactions")) return [];
  return fields.list("rollback_transactions").map((json) => {
    const item = new Fields(json, "rollback_transactions");
    const given = item.text("transaction_id");
    const action = item.text("action", 32);
    if (!isAction(action)) throw new FieldFault("type", "rollback_transactions.action");
    const text = item.optionalText("amount", 64);
    const amount = text === undefined ? undefined : readAmount(text, currency);
    if (text !== undefined && amount === undefined) throw new FieldFault("type", "rollback_transactions.amount");
    return { given, txId: derivedId("", given), action, amountMinor: amount?.minor };
  });
}

/**
 * Why the list can't be reversed as a whole; undefined: it can. A refund is cancelled by leaving its bet refunded, so its
 * bet must be in the list.
 */
export function listFault(
  items: readonly Item[],
  records: readonly (TransactionRecord | undefined)[],
  { playerRef }: Session,
): string | undefined {
  const ids = new Set(items.map(({ txId }) => txId));
  for (const [index, { given, action, amountMinor }] of items.entries()) {
    const record = records[index];
    if (record === undefined) continue;
    if (record.action !== ACTIONS[action]) return `${given} is no ${action}`;
    if (record.playerRef !== playerRef) return `${given} is another player's`;
    if (amountMinor !== undefined && record.amountMinor !== amountMinor) return `${given} has another amount`;
    if (action === "refund" && !ids.has(record.refTxId)) return `the bet of the refund ${given} is not in the list`;
  }
  return undefined;
}

const isAction = (action: string): action is Item["action"] => Object.hasOwn(ACTIONS, action);
