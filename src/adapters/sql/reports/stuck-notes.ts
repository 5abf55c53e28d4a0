import { NOT_FOUND } from "../../../domain/transaction/reversal.ts";
import type { StuckKind } from "../../../domain/transaction/stuck.ts";
import type { TxKey } from "../../../domain/values/identifiers.ts";
import type { NewAuditEntry } from "../../../ports/admin-store.ts";
import type { NumberLine } from "../../../ports/transactions/change-store.ts";
import { StuckNotes } from "../../../ports/transactions/stuck-money.ts";
import type { Database } from "../connection/database.ts";
import { changedIn } from "../connection/database-transaction.ts";
import { write } from "../connection/execute.ts";
import { marks, type Statement } from "../connection/statement.ts";
import type { SqlFragments } from "../dialects/sql-fragments.ts";
import { ACTION, STATUS } from "../schema/codes.ts";
import { changeWithAudit } from "../settings/audit-rows.ts";
import { catchUp, isCaughtUp } from "./feed-catch-up.ts";

/** The numbers that stand for a kind in the column `kind`. They never change. */
export const STUCK = { owed: 1, contradiction: 2 } as const satisfies Partial<Record<StuckKind, number>>;

/**
 * Which rows `t` are noted. `o` is the row that `t` reverses.
 *
 * `owed`: the merchant owes the player a failed credit. A refund is not owed if neither the wallet nor the service has
 * recorded its bet as a success. `contradiction`: the wallet accepted a reversal of a transaction that it had rejected,
 * or it does not know a transaction that it had accepted.
 */
const CONDITION: Readonly<Record<keyof typeof STUCK, string>> = {
  owed: `t.status = ${STATUS.failed} AND (t.action = ${ACTION.win} OR (t.action = ${ACTION.refund}
    AND (t.error <> '${NOT_FOUND}' OR o.status = ${STATUS.success})))`,
  contradiction: `((t.status = ${STATUS.success} AND t.error IS NOT NULL)
    OR (t.status = ${STATUS.failed} AND t.action IN (${ACTION.refund}, ${ACTION.rollback}) AND t.error = '${NOT_FOUND}'
      AND (t.resolved_by IS NULL OR t.resolved_by <> 'manual') AND o.status = ${STATUS.success}))`,
};

/** Writes the table `stuck`. Its rows are closed and never deleted. */
export class SqlStuckNotes extends StuckNotes {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async contradicted({ merchantId, txId }: TxKey): Promise<void> {
    const row = { sql: "t.merchant_id = ? AND t.tx_id = ?", bindings: [merchantId, txId] };
    await write(this.#database, insert("contradiction", row, "", this.#database.dialect.sql));
  }

  override close({ merchantId, txId }: TxKey, audit: NewAuditEntry): Promise<boolean> {
    const sql = `UPDATE stuck SET is_open = 0 WHERE kind = ${STUCK.contradiction} AND is_open = 1
      AND tx = (SELECT id FROM tx WHERE merchant_id = ? AND tx_id = ?)`;
    return changeWithAudit(this.#database, { sql, bindings: [merchantId, txId] }, audit);
  }

  override catchUp(): Promise<boolean> {
    const { dialect } = this.#database;
    return catchUp(this.#database, "stuck_seq", async (trx, range) => {
      for (const statement of open(range, dialect.sql.byIndex("feed"), dialect.sql))
        await changedIn(dialect, trx, statement);
    });
  }

  override isComplete(): Promise<boolean> {
    return isCaughtUp(this.#database, "stuck_seq");
  }
}

/** Notes the changes that were just numbered: none for nearly all lines, so nearly always no statement. */
export function noteStuck(lines: readonly NumberLine[], fragments: SqlFragments): Statement[] {
  const changed = lines.filter(({ stuck }) => stuck !== undefined).map(({ id }) => id);
  const checked = lines.filter(({ stuck }) => stuck === "check").map(({ id }) => id);
  const over = lines.filter(({ stuck }) => stuck === "over").map(({ id }) => id);
  return [
    ...close(changed, "owed"),
    ...close(over, "contradiction"),
    ...(checked.length === 0 ? [] : open({ sql: `t.id IN (${marks(checked)})`, bindings: checked }, "", fragments)),
  ];
}

const open = (rows: Statement, index: string, fragments: SqlFragments): Statement[] =>
  (["owed", "contradiction"] as const).map((kind) =>
    insert(kind, { ...rows, sql: `${rows.sql} AND ${CONDITION[kind]}` }, index, fragments),
  );

const insert = (
  kind: keyof typeof STUCK,
  { sql, bindings }: Statement,
  index: string,
  { updateExisting }: SqlFragments,
): Statement => ({
  sql: `INSERT INTO stuck (tx, kind, merchant_id, created_at, is_open)
    SELECT t.id, ${STUCK[kind]}, t.merchant_id, t.created_at, 1 FROM tx t ${index}
      LEFT JOIN tx o ON o.merchant_id = t.merchant_id AND o.tx_id = t.ref_tx_id
    WHERE ${sql} ${updateExisting("tx, kind")} is_open = 1`,
  bindings,
});

const close = (ids: readonly bigint[], kind: keyof typeof STUCK): Statement[] =>
  ids.length === 0
    ? []
    : [{ sql: `UPDATE stuck SET is_open = 0 WHERE kind = ${STUCK[kind]} AND tx IN (${marks(ids)})`, bindings: ids }];
