/** Writes rows of `tx` directly, in the form in which the service would have written them, for tests that read. */
import type { Database } from "../../src/adapters/sql/connection/database.ts";
import { byDriver } from "../../src/adapters/sql/connection/driver.ts";
import { insertKinds } from "../../src/adapters/sql/reports/kind-list.ts";
import { KIND } from "../../src/adapters/sql/schema/codes.ts";
import { type Action, NEVER, type Status } from "../../src/domain/transaction/transaction.ts";
import type { Labels } from "../../src/domain/values/labels.ts";

const STATUS: Readonly<Record<Status, number>> = { pending: 0, success: 1, failed: 2, void: 3 };
const ACTION: Readonly<Record<Action, number>> = { bet: 1, win: 2, refund: 3, rollback: 4 };
const AT_ONCE = 100;

export interface StoredRow {
  readonly merchantId: number;
  readonly txId: string;
  readonly action: Action;
  readonly status: Status;
  readonly playerId: string;
  readonly roundId: string;
  readonly refTxId: string | null;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly providerId: number;
  readonly gameId: number;
  readonly error: string | null;
  readonly balanceMinor: bigint | null;
  readonly createdAt: number;
  /** null: not numbered yet. */
  readonly feedSeq: number | null;
  readonly settledBy: string | null;
  readonly labels: Partial<Labels>;
}

/** An accepted bet of 2.50, unless `row` has other values. It may have a change number or not. */
export const storedRow = (
  more: Partial<StoredRow> & Pick<StoredRow, "merchantId" | "txId" | "providerId" | "gameId">,
): StoredRow => ({
  action: "bet",
  status: "success",
  playerId: "ana",
  roundId: "r1",
  refTxId: null,
  amountMinor: 250n,
  currency: "BRL",
  error: null,
  balanceMinor: null,
  createdAt: 1_767_225_600_000,
  feedSeq: 1,
  settledBy: null,
  labels: {},
  ...more,
});

let tokens = 0;

export async function storeRows(database: Database, rows: readonly StoredRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await database.knex("tx").insert(
      rows.slice(from, from + AT_ONCE).map((row) => ({
        merchant_id: row.merchantId,
        tx_id: row.txId,
        action: ACTION[row.action],
        status: STATUS[row.status],
        player_id: row.playerId,
        round_id: row.roundId,
        amount_minor: row.amountMinor.toString(),
        currency: row.currency,
        provider_id: row.providerId,
        game_id: row.gameId,
        ref_tx_id: row.refTxId,
        settled_by: row.settledBy,
        kind: row.labels.kind ? KIND[row.labels.kind] : null,
        promo_id: row.labels.promoId ?? null,
        jackpot_id: row.labels.jackpotId ?? null,
        jackpot_tier: row.labels.jackpotTier ?? null,
        jackpot_micros: row.labels.jackpotMicros?.toString() ?? null,
        error: row.status === "failed" ? (row.error ?? "REJECTED") : row.error,
        balance_minor: row.balanceMinor?.toString() ?? null,
        attempts: 1,
        last_result: row.status === "success" ? "accepted" : row.status === "failed" ? "rejected" : "timeout",
        // A pending row gets its due time together with its number.
        next_at: row.status === "pending" && row.feedSeq !== null ? NEVER : null,
        lease_token: Buffer.from((++tokens).toString(16).padStart(32, "0"), "hex"),
        created_at: row.createdAt,
        opened_at: row.createdAt,
        updated_at: row.createdAt,
        feed_seq: row.status === "void" ? 0 : row.feedSeq,
      })),
    );
  }
  // The numbering lists the rows that have a kind.
  const merchantIds = [
    ...new Set(rows.filter(({ labels }) => labels.kind != null).map(({ merchantId }) => merchantId)),
  ];
  for (const merchantId of merchantIds) {
    const numbered = { sql: "t.merchant_id = ? AND t.feed_seq > 0", bindings: [merchantId] };
    const { dialect, knex } = database;
    await byDriver(knex, dialect, insertKinds(numbered, dialect.sql.byIndex("feed"), dialect.sql));
  }
}
