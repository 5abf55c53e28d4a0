import { type LeaseToken, NEVER } from "../../../../domain/transaction/transaction.ts";
import type { Binding, Statement } from "../../connection/statement.ts";
import { ACTION, STATUS } from "../../schema/codes.ts";
import { DIED, LOGGED_MAX, logLine } from "../../transactions/attempt-log.ts";
import { balanceOf, COLUMNS, errorOf } from "../../transactions/rows.ts";
import { nextCell, reversedCells, type TransactionStatements } from "../../transactions/transaction-statements.ts";
import { ROOM_FOR_SETTLE } from "./row-room.ts";
import { mysqlSettle } from "./settle.ts";
import { mysqlFragments } from "./sql-fragments.ts";

/*
 * Every UPDATE, except an original's settle (settle.ts), joins a derived table of the batch's lines to the rows with
 * the lines' keys. The lines stay in their order. STRAIGHT_JOIN and FORCE INDEX keep this plan on tables of any size: a
 * scan would lock rows of other requests, and another order would cause deadlocks. The derived table begins with an
 * empty line, which gives the columns their types.
 *
 * MySQL assigns from left to right, and an expression sees the values assigned before it. So an assignment that reads a
 * column comes before the assignment that writes this column.
 */

const NOW = mysqlFragments.nowMs;
const { pending: PENDING, failed: FAILED, void: VOID } = STATUS;

/**
 * The lines as a derived table `n`. `names`: the empty first line, which names the columns. `template`: the values of
 * one line.
 */
const derived = (names: string, template: string, lines: number): string =>
  `(SELECT ${names}${` UNION ALL SELECT ${template}`.repeat(lines)}) n`;
const row = (alias: string, key: "t" | "r" = "t"): string =>
  `STRAIGHT_JOIN tx ${alias} FORCE INDEX (tx_key) ON ${alias}.merchant_id = n.m AND ${alias}.tx_id = n.${key}`;
const bytes = (token: LeaseToken): Buffer => Buffer.from(token, "hex");

const build = <Line>(lines: readonly Line[], sql: string, bind: (line: Line) => readonly Binding[]): Statement => {
  const bindings: Binding[] = [];
  for (const line of lines) bindings.push(...bind(line));
  return { sql, bindings };
};

/** Whether the row has no live lease. */
const idle = (alias: string): string => `(${alias}.lease_until IS NULL OR ${alias}.lease_until <= ${NOW})`;
/** The new `silent_at`. The end of a dead lease counts as an unanswered attempt. */
const silentSince = (alias: string): string =>
  `IF(${alias}.lease_until IS NULL OR ${alias}.lease_until > ${NOW}, ${alias}.silent_at, GREATEST(${alias}.lease_until, COALESCE(${alias}.silent_at, ${alias}.lease_until)))`;
/** The new `attempt_log`. If the row has a dead lease, the log gets a line for the attempt whose process died. */
const logOfDead = (alias: string): string =>
  `CONCAT_WS('\n', ${alias}.attempt_log, IF(${alias}.lease_until IS NULL OR ${alias}.attempts > ${LOGGED_MAX}, NULL, CONCAT('{"n":', ${alias}.attempts, ',"at":', ${alias}.updated_at, '${DIED}')))`;

const CLAIM_HEAD = `INSERT INTO tx (merchant_id, tx_id, action, player_id, round_id, amount_minor, currency, provider_id, game_id, ref_tx_id, lease_token, status, attempts, lease_until, next_at, created_at, opened_at, updated_at, feed_seq, attempt_log) VALUES `;
/** The values of a claimed row, by the field `as` of its line. */
const CLAIM_ROW = {
  leased: `(?,?,?,?,?,?,?,?,?,?,?,${PENDING},1,${NOW}+?,NULL,${NOW},${NOW},${NOW},NULL,${ROOM_FOR_SETTLE})`,
  due: `(?,?,?,?,?,?,?,?,?,?,?,${PENDING},0,NULL,${NOW},${NOW},${NOW},${NOW},NULL,NULL)`,
  void: `(?,?,?,?,?,?,?,?,?,?,?,${VOID},0,NULL,NULL,${NOW},${NOW},${NOW},0,NULL)`,
} as const;

/**
 * The original doesn't contradict the reversal (`referenceMismatch`). It may have become a real transaction since it
 * was read.
 */
const AGREES = `(b.status = ${VOID} OR (b.action = IF(o.action = ${ACTION.refund}, ${ACTION.bet}, ${ACTION.win})
  AND b.amount_minor = o.amount_minor AND b.currency = o.currency AND b.player_id = o.player_id))`;

export const mysqlTransactionStatements: TransactionStatements = {
  read: (keys) =>
    build(
      keys,
      `SELECT ${COLUMNS.map((name) => `o.${name}`).join(", ")}, ${NOW} AS read_at FROM ${derived("0 m, x'' t", "?,?", keys.length)} ${row("o")}`,
      (key) => [key.merchantId, key.txId],
    ),

  // If a row exists already, the update does not change it. INSERT IGNORE would also change values that don't fit.
  claim(lines) {
    const bindings: Binding[] = [];
    for (const { content, token, as, leaseMs } of lines) {
      bindings.push(
        content.merchantId,
        content.txId,
        ACTION[content.action],
        content.playerId,
        content.roundId,
        content.amountMinor,
        content.currency,
      );
      bindings.push(content.game.providerId, content.game.id, content.refTxId, bytes(token));
      if (as === "leased") bindings.push(leaseMs);
    }
    const rows = lines.map(({ as }) => CLAIM_ROW[as]);
    return {
      sql: `${CLAIM_HEAD}${rows.join(",")} ON DUPLICATE KEY UPDATE attempts = tx.attempts`,
      bindings,
      recurs: lines.every(({ as }) => as === "leased"),
    };
  },

  takeOver: (lines) =>
    build(
      lines,
      `UPDATE ${derived("0 m, x'' t, 0 s, x'' k, x'' v, x'' w, 0 l", "?,?,?,?,?,?,?", lines.length)} ${row("o")} SET
         o.attempt_log = ${logOfDead("o")}, o.silent_at = ${silentSince("o")}, o.attempts = o.attempts + 1,
         o.opened_at = IF(n.s = ${FAILED}, ${NOW}, o.opened_at), o.feed_seq = IF(n.s = ${FAILED}, NULL, o.feed_seq), o.next_at = IF(n.s = ${FAILED}, NULL, o.next_at),
         o.error = NULL, o.lease_token = n.w, o.lease_until = ${NOW} + n.l, o.updated_at = ${NOW}, o.status = ${PENDING}
       WHERE o.status = n.s AND n.s IN (${PENDING}, ${FAILED}) AND o.lease_token = n.k AND o.reversed_by <=> n.v AND ${idle("o")}`,
      (line) => [
        line.key.merchantId,
        line.key.txId,
        STATUS[line.seen.status],
        bytes(line.seen.leaseToken),
        line.seen.reversedBy,
        bytes(line.token),
        line.leaseMs,
      ],
    ),

  adopt: (lines) =>
    build(
      lines,
      `UPDATE ${derived("0 m, x'' t, x'' k, 0 a, x'' p, x'' ro, 0 am, x'' c, 0 pr, 0 g, x'' rf, x'' w, 0 l, 0 d", "?,?,?,?,?,?,?,?,?,?,?,?,?,?", lines.length)} ${row("o")} SET
         o.action = n.a, o.player_id = n.p, o.round_id = n.ro, o.amount_minor = n.am, o.currency = n.c, o.provider_id = n.pr, o.game_id = n.g, o.ref_tx_id = n.rf,
         o.attempts = IF(n.l IS NULL, 0, 1), o.lease_token = n.w, o.lease_until = ${NOW} + n.l, o.next_at = ${NOW} + n.d, o.silent_at = NULL,
         o.created_at = ${NOW}, o.opened_at = ${NOW}, o.updated_at = ${NOW}, o.feed_seq = NULL, o.status = ${PENDING}
       WHERE o.status = ${VOID} AND o.lease_token = n.k AND o.reversed_by IS NULL`,
      ({ content, seen, token, as, leaseMs }) => [
        content.merchantId,
        content.txId,
        bytes(seen),
        ACTION[content.action],
        content.playerId,
        content.roundId,
        content.amountMinor,
        content.currency,
        content.game.providerId,
        content.game.id,
        content.refTxId,
        bytes(token),
        as === "leased" ? leaseMs : null,
        as === "due" ? 0 : null,
      ],
    ),

  mark: (lines) =>
    build(
      lines,
      `UPDATE ${derived("0 m, x'' t, x'' k, x'' r", "?,?,?,?", lines.length)} ${row("b", "r")} ${row("o")} SET
         b.player_id = IF(b.status = ${VOID}, o.player_id, b.player_id), b.round_id = IF(b.status = ${VOID}, o.round_id, b.round_id),
         b.amount_minor = IF(b.status = ${VOID}, o.amount_minor, b.amount_minor), b.currency = IF(b.status = ${VOID}, o.currency, b.currency),
         b.provider_id = IF(b.status = ${VOID}, o.provider_id, b.provider_id), b.game_id = IF(b.status = ${VOID}, o.game_id, b.game_id),
         b.ref_tx_id = IF(b.status = ${VOID}, NULL, b.ref_tx_id),
         b.created_at = IF(b.status = ${VOID}, ${NOW}, b.created_at), b.opened_at = IF(b.status = ${VOID}, ${NOW}, b.opened_at),
         b.action = IF(b.status = ${VOID}, IF(o.action = ${ACTION.refund}, ${ACTION.bet}, ${ACTION.win}), b.action), b.reversed_by = n.t,
         o.next_at = IF(o.action = ${ACTION.rollback}, ${NEVER}, GREATEST(COALESCE(b.lease_until, 0), ${NOW})),
         o.created_at = ${NOW}, o.opened_at = ${NOW}, o.updated_at = ${NOW}, o.feed_seq = NULL, o.status = ${PENDING}
       WHERE o.status = ${VOID} AND o.lease_token = n.k AND b.reversed_by IS NULL AND ${AGREES}`,
      (line) => [line.key.merchantId, line.key.txId, bytes(line.seen), line.reversed],
    ),

  settle: mysqlSettle,

  settleReversal: (lines) =>
    build(
      lines,
      `UPDATE ${derived(
        "0 m, x'' t, x'' k, 0 s, x'' e, 0 b, x'' y, 0 q, 0 d, '' l, '' a, x'' r, 0 rs, 0 s2, x'' e2, 0 b2, x'' y2, 0 d2",
        "?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?",
        lines.length,
      )} ${row("b", "r")} ${row("o")} SET ${SETTLED}, ${REVERSED}
       WHERE ${HELD} AND b.status = n.rs AND b.reversed_by = n.t`,
      (line) => [...settleBindings(line), ...reversedCells(line.reversed)],
    ),

  schedule: (lines) =>
    build(
      lines,
      `UPDATE ${derived("0 m, x'' t, 0 s, x'' k, x'' v, 0 d", "?,?,?,?,?,?", lines.length)} ${row("o")} SET
         o.opened_at = IF(n.s = ${FAILED}, ${NOW}, o.opened_at), o.feed_seq = IF(n.s = ${FAILED}, NULL, o.feed_seq),
         o.error = NULL, o.next_at = ${NOW} + n.d, o.updated_at = ${NOW}, o.status = ${PENDING}
       WHERE o.status = n.s AND n.s IN (${PENDING}, ${FAILED}) AND o.lease_token = n.k AND o.reversed_by <=> n.v AND ${idle("o")}`,
      (line) => [
        line.key.merchantId,
        line.key.txId,
        STATUS[line.seen.status],
        bytes(line.seen.leaseToken),
        line.seen.reversedBy,
        line.inMs,
      ],
    ),

  resolve: ({ key, seen, token, horizonMs, change: { state, resolvedBy }, reversed }) => ({
    sql: `UPDATE ${derived("0 m, x'' t, x'' v, x'' rb, 0 h, x'' k, 0 s, x'' e, 0 b, x'' y, x'' r, 0 rs, 0 s2, x'' e2, 0 b2, x'' y2, 0 d2", "?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?", 1)}
       ${reversed === undefined ? row("o") : `${row("b", "r")} ${row("o")}`} SET ${RESOLVED}${reversed === undefined ? "" : `, ${REVERSED}`}
       WHERE o.status = ${PENDING} AND o.lease_token = n.v AND o.reversed_by <=> n.rb AND o.opened_at < ${NOW} - n.h AND ${idle("o")}
       ${reversed === undefined ? "" : `AND b.status = n.rs AND b.reversed_by = n.t AND ${idle("b")}`}`,
    bindings: [
      key.merchantId,
      key.txId,
      bytes(seen.leaseToken),
      seen.reversedBy,
      horizonMs,
      bytes(token),
      STATUS[state.status],
      errorOf(state),
      balanceOf(state),
      resolvedBy,
      ...reversedCells(reversed),
    ],
  }),

  // The statement uses a loose index scan ("Using index for group-by"). MIN is needed for this: without an aggregate
  // the server reads every index entry of every merchant.
  merchantsDue: {
    sql: `SELECT merchant_id, MIN(next_at) AS next_at FROM tx FORCE INDEX (tx_due) WHERE next_at >= 0 AND next_at <= ${NOW} GROUP BY merchant_id`,
    bindings: [],
  },

  due: (merchantIds, limit) => ({
    sql: `SELECT merchant_id, tx_id FROM (${merchantIds
      .map(
        () =>
          `(SELECT merchant_id, tx_id, next_at FROM tx FORCE INDEX (tx_due) WHERE merchant_id = ? AND next_at <= ${NOW} AND status = ${PENDING} AND ${idle("tx")} ORDER BY next_at LIMIT ?)`,
      )
      .join(" UNION ALL ")}) d ORDER BY next_at`,
    bindings: merchantIds.flatMap((id) => [id, limit]),
  }),
};

/**
 * The condition of a settle: the row still has the line's lease. The last part makes a repeat of the statement
 * harmless.
 */
const HELD = `o.status = ${PENDING} AND o.lease_token = n.k AND o.lease_until IS NOT NULL`;
const SETTLED = `o.attempt_log = CONCAT_WS('\n', o.attempt_log, n.a), o.last_result = n.l, o.error = n.e, o.balance_minor = n.b, o.resolved_by = n.y,
         o.silent_at = IF(n.q = 1, ${NOW}, o.silent_at), o.next_at = IF(n.d = ${NEVER}, ${NEVER}, ${NOW} + n.d), o.updated_at = ${NOW},
         o.feed_seq = IF(n.s = ${PENDING}, o.feed_seq, NULL), o.lease_until = NULL, o.status = n.s`;

/**
 * The new values of the reversed row. If the line has no status for it, the row keeps its values. The assignment is
 * made all the same, because it locks the row.
 */
const REVERSED = `b.attempt_log = IF(n.s2 IS NULL, b.attempt_log, ${logOfDead("b")}), b.silent_at = IF(n.s2 IS NULL, b.silent_at, ${silentSince("b")}),
         b.lease_token = IF(n.s2 IS NULL OR b.lease_until IS NULL, b.lease_token, n.k), b.lease_until = IF(n.s2 IS NULL, b.lease_until, NULL),
         b.error = IF(n.s2 IS NULL, b.error, n.e2), b.balance_minor = IF(n.s2 IS NULL, b.balance_minor, n.b2), b.resolved_by = IF(n.s2 IS NULL, b.resolved_by, n.y2),
         b.next_at = IF(n.s2 IS NULL, b.next_at, LEAST(${NEVER}, ${NOW} + n.d2)), b.updated_at = IF(n.s2 IS NULL, b.updated_at, ${NOW}),
         b.feed_seq = IF(n.s2 IS NULL OR n.s2 = b.status, b.feed_seq, NULL), b.status = COALESCE(n.s2, b.status)`;

/** The new values of a row that support resolves. A dead lease is logged as an attempt without an end. */
const RESOLVED = `o.attempt_log = ${logOfDead("o")}, o.silent_at = ${silentSince("o")}, o.error = n.e, o.balance_minor = n.b, o.resolved_by = n.y,
         o.next_at = NULL, o.updated_at = ${NOW}, o.feed_seq = NULL, o.lease_token = n.k, o.lease_until = NULL, o.status = n.s`;

function settleBindings({
  key,
  token,
  change,
  attempt,
}: Parameters<TransactionStatements["settle"]>[0][number]): readonly Binding[] {
  const { state, resolvedBy, silent, next } = change;
  return [
    key.merchantId,
    key.txId,
    bytes(token),
    STATUS[state.status],
    errorOf(state),
    balanceOf(state),
    resolvedBy,
    silent ? 1 : 0,
    nextCell(next),
    attempt.result,
    logLine(attempt),
  ];
}
