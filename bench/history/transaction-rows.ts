import type { Database } from "../../src/adapters/sql/connection/database.ts";
import { actionOf, statusOf } from "../../src/adapters/sql/schema/codes.ts";
import type { Action, Status } from "../../src/domain/transaction/transaction.ts";

/** The part of a transaction that the bench compares. */
export interface Row {
  readonly txId: string;
  readonly merchantId: number;
  readonly action: Action;
  readonly status: Status;
  readonly amountMinor: number;
}

const PAGE = 20_000;

/** Every transaction, in the table's order. */
export async function* transactionRows({ knex }: Pick<Database, "knex">): AsyncGenerator<Row> {
  for (let after = "0"; ; ) {
    const rows = await knex("tx")
      .select("id", "tx_id", "merchant_id", "action", "status", "amount_minor")
      .where("id", ">", after)
      .orderBy("id")
      .limit(PAGE);
    for (const { tx_id, merchant_id, action, status, amount_minor } of rows)
      yield {
        txId: String(tx_id),
        merchantId: Number(merchant_id),
        action: actionOf(action),
        status: statusOf(status),
        amountMinor: Number(amount_minor),
      };
    if (rows.length < PAGE) return;
    after = String(rows.at(-1).id);
  }
}
