import {
  isOver,
  isSameVerdict,
  type SlipBet,
  type SlipState,
  type Verdict,
} from "../../../domain/transaction/betslip.ts";
import type { LeaseToken } from "../../../domain/transaction/transaction.ts";
import type { PlayerId } from "../../../domain/values/identifiers.ts";
import type { Currency } from "../../../domain/values/money.ts";
import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import {
  type LeasedSlip,
  type NewSlip,
  type Opened,
  type Slip,
  type SlipKey,
  SlipStore,
} from "../../../ports/transactions/slip-store.ts";
import type { Database } from "../connection/database.ts";
import { decisiveRows, rows, write } from "../connection/execute.ts";
import { type Binding, integer, marks, type Row } from "../connection/statement.ts";
import { hexOf, numberOrNull, textOf, textOrNull } from "../schema/columns.ts";

const STATUSES = { running: 1, accepted: 2, failed: 3 } as const;
/**
 * The slip that uses an id may be rolled back before it is read. Then the insert is tried again, at most this many
 * times in total.
 */
const TRIES_MAX = 5;

const bytesOf = (token: LeaseToken): Buffer => Buffer.from(token, "hex");

/** Slips, with one row for each bet. The row at position 0 has the state. */
export class SqlSlipStore extends SlipStore {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async open(slip: NewSlip, token: LeaseToken, leaseMs: number): Promise<Opened> {
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      await this.#insert(slip, token, leaseMs);
      const stored = await this.read(slip);
      // The token shows whether this call inserted the slip, even if a lost connection made the INSERT run twice.
      if (stored !== undefined) return { is: stored.leaseToken === token ? "new" : "known", slip: stored };
      const position = await this.#taken(slip);
      if (position !== undefined) return { is: "taken", position };
    }
    throw new StoreUnavailable("an id of the slip is taken, but no slip with it was found");
  }

  /** Inserts all rows of the slip. If one of its ids exists already, it inserts no row. */
  async #insert(
    { merchantId, slipId, playerId, currency, bets }: NewSlip,
    token: LeaseToken,
    leaseMs: number,
  ): Promise<void> {
    const { nowMs } = this.#database.dialect.sql;
    const values = bets.map((_, i) =>
      i === 0
        ? `(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${nowMs} + ?, ${nowMs})`
        : "(?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, NULL)",
    );
    const bindings = bets.flatMap(({ txId, roundId, amountMinor }, i): Binding[] => {
      const bet = [merchantId, slipId, i, txId, roundId, amountMinor];
      return i === 0 ? [...bet, playerId, currency, STATUSES.running, bytesOf(token), leaseMs] : bet;
    });
    const columns =
      "merchant_id, slip_id, position, tx_id, round_id, amount_minor, player_id, currency, status, lease_token, due_at, created_at";
    try {
      await write(this.#database, { sql: `INSERT INTO slips (${columns}) VALUES ${values.join(", ")}`, bindings });
    } catch (error) {
      if (!this.#database.dialect.failures.isDuplicateKey(error)) throw error;
    }
  }

  /** The position of the first bet whose id belongs to another slip. */
  async #taken({ merchantId, slipId, bets }: NewSlip): Promise<number | undefined> {
    const found = await decisiveRows(this.#database, {
      sql: `SELECT tx_id FROM slips WHERE merchant_id = ? AND slip_id <> ? AND tx_id IN (${marks(bets)})`,
      bindings: [merchantId, slipId, ...bets.map(({ txId }) => txId)],
    });
    const ids = new Set(found.map((row) => textOf(row.tx_id)));
    const position = bets.findIndex(({ txId }) => ids.has(txId));
    return position === -1 ? undefined : position;
  }

  override async read({ merchantId, slipId }: SlipKey): Promise<Slip | undefined> {
    const found = await decisiveRows(this.#database, {
      sql: `SELECT slips.*, ${this.#database.dialect.sql.nowMs} AS now_ms FROM slips WHERE merchant_id = ? AND slip_id = ? ORDER BY position`,
      bindings: [merchantId, slipId],
    });
    const [head] = found;
    return head && fromRows(head, found);
  }

  override async ofBet(merchantId: number, txId: string): Promise<Slip | undefined> {
    const [row] = await decisiveRows(this.#database, {
      sql: "SELECT slip_id FROM slips WHERE merchant_id = ? AND tx_id = ?",
      bindings: [merchantId, txId],
    });
    return row && this.read({ merchantId, slipId: textOf(row.slip_id) });
  }

  override async take(seen: LeasedSlip, token: LeaseToken, leaseMs: number): Promise<Slip | undefined> {
    const { nowMs } = this.#database.dialect.sql;
    await this.#change(seen, seen.leaseToken, `lease_token = ?, due_at = ${nowMs} + ?`, `due_at <= ${nowMs}`, [
      bytesOf(token),
      leaseMs,
    ]);
    const slip = await this.read(seen);
    return slip?.leaseToken === token ? slip : undefined;
  }

  override async renew(key: SlipKey, token: LeaseToken, leaseMs: number): Promise<boolean> {
    const { nowMs } = this.#database.dialect.sql;
    const runs = `status = ${STATUSES.running}`;
    if (await this.#change(key, token, `due_at = ${nowMs} + ?`, runs, [leaseMs])) return true;
    // The lease may also end in the same millisecond as before. Then MySQL counts no changed row.
    const slip = await this.read(key);
    return slip?.leaseToken === token && slip.state.status === "running";
  }

  override async decide(key: SlipKey, token: LeaseToken, verdict: Verdict, leaseMs: number): Promise<boolean> {
    const { nowMs } = this.#database.dialect.sql;
    const failed = verdict.status === "failed" ? verdict : undefined;
    const set = `status = ?, failed_at = ?, failure = ?, due_at = ${nowMs} + ?`;
    const decided = await this.#change(key, token, set, `status = ${STATUSES.running}`, [
      STATUSES[verdict.status],
      failed?.at ?? null,
      failed?.why.kind === "refused" ? failed.why.error : null,
      // Without a lease the due time becomes NULL: now + NULL is NULL.
      isOver(verdict) ? null : leaseMs,
    ]);
    if (decided) return true;
    // An earlier try of this statement may have stored the verdict and lost its answer.
    const slip = await this.read(key);
    return slip?.leaseToken === token && isSameVerdict(slip.state, verdict);
  }

  override async finish(key: SlipKey, token: LeaseToken): Promise<boolean> {
    if (await this.#change(key, token, "due_at = NULL", `status = ${STATUSES.failed}`, [])) return true;
    const slip = await this.read(key);
    return slip?.leaseToken === token && slip.state.status === "failed";
  }

  /**
   * Changes a slip that is not finished, if it has this token and the condition is true. `false`: no row changed. Then
   * either the condition is false, or an earlier try of the statement has made this change and lost its answer.
   */
  async #change(
    { merchantId, slipId }: SlipKey,
    token: LeaseToken,
    set: string,
    condition: string,
    values: readonly Binding[],
  ): Promise<boolean> {
    const { affected } = await write(this.#database, {
      sql: `UPDATE slips SET ${set}
            WHERE merchant_id = ? AND slip_id = ? AND position = 0 AND lease_token = ? AND due_at IS NOT NULL AND ${condition}`,
      bindings: [...values, merchantId, slipId, bytesOf(token)],
    });
    return affected === 1;
  }

  override async due(limit: number): Promise<LeasedSlip[]> {
    const found = await rows(this.#database, {
      sql: `SELECT merchant_id, slip_id, lease_token FROM slips WHERE due_at <= ${this.#database.dialect.sql.nowMs} ORDER BY due_at LIMIT ?`,
      bindings: [limit],
    });
    return found.map((row) => ({
      merchantId: Number(row.merchant_id),
      slipId: textOf(row.slip_id),
      leaseToken: hexOf(row.lease_token),
    }));
  }
}

function fromRows(head: Row, all: readonly Row[]): Slip {
  return {
    merchantId: Number(head.merchant_id),
    slipId: textOf(head.slip_id),
    playerId: textOf(head.player_id) as PlayerId,
    currency: textOf(head.currency) as Currency,
    bets: all.map(
      (row): SlipBet => ({
        txId: textOf(row.tx_id),
        roundId: textOf(row.round_id),
        amountMinor: integer(row.amount_minor),
      }),
    ),
    state: stateOf(head),
    leaseToken: hexOf(head.lease_token),
    dueAt: numberOrNull(head.due_at),
    createdAt: Number(head.created_at),
    readAt: Number(head.now_ms),
  };
}

function stateOf(head: Row): SlipState {
  const status = Number(head.status);
  if (status === STATUSES.running) return { status: "running" };
  if (status === STATUSES.accepted) return { status: "accepted" };
  const error = textOrNull(head.failure);
  return {
    status: "failed",
    at: Number(head.failed_at),
    why: error === null ? { kind: "silent" } : { kind: "refused", error },
    refunding: head.due_at !== null,
  };
}
