import { NEVER } from "../../../../domain/transaction/transaction.ts";
import type { Cell, Statement } from "../../connection/statement.ts";
import { ACTION, STATUS } from "../../schema/codes.ts";
import { DIED, LOGGED_MAX, logLine } from "../../transactions/attempt-log.ts";
import { balanceOf, COLUMNS, errorOf } from "../../transactions/rows.ts";
import { nextCell, reversedCells, type TransactionStatements } from "../../transactions/transaction-statements.ts";
import { jsonLines } from "./json-lines.ts";
import { sqliteFragments } from "./sql-fragments.ts";

/*
 * The lines of a batch are one binding, a JSON array of arrays. So each statement has the same text for any number of
 * lines.
 */

const NOW = sqliteFragments.nowMs;
const { pending: PENDING, failed: FAILED, void: VOID } = STATUS;

/** The lines of a batch as a table `n`. A name that begins with `$` is the name of a token in hex. */
const given = (names: readonly string[]): string =>
  `n(${names.map((name) => name.replace("$", "")).join(", ")}) AS MATERIALIZED (SELECT ${names
    .map((name, i) => (name.startsWith("$") ? `unhex(value ->> ${i})` : `value ->> ${i}`))
    .join(", ")} FROM json_each(?))`;

const statement = (sql: string, lines: readonly (readonly Cell[])[]): Statement => ({
  sql,
  bindings: [jsonLines(lines)],
});
const row = (alias: string, key: "t" | "r" = "t"): string => `${alias}.merchant_id = n.m AND ${alias}.tx_id = n.${key}`;

/** Whether the row has no live lease. */
const idle = (alias: string): string => `(${alias}.lease_until IS NULL OR ${alias}.lease_until <= ${NOW})`;
/** The new `silent_at`. The end of a dead lease counts as an unanswered attempt. */
const silentSince = (alias: string): string =>
  `iif(${alias}.lease_until IS NULL OR ${alias}.lease_until > ${NOW}, ${alias}.silent_at, max(${alias}.lease_until, coalesce(${alias}.silent_at, ${alias}.lease_until)))`;
const append = (log: string, line: string): string => `nullif(concat_ws(char(10), ${log}, ${line}), '')`;
/** The new `attempt_log`. If the row has a dead lease, the log gets a line for the attempt whose process died. */
const logOfDead = (alias: string): string =>
  append(
    `${alias}.attempt_log`,
    `iif(${alias}.lease_until IS NULL OR ${alias}.attempts > ${LOGGED_MAX}, NULL, '{"n":' || ${alias}.attempts || ',"at":' || ${alias}.updated_at || '${DIED}')`,
  );

const CONTENT =
  "merchant_id, tx_id, action, player_id, round_id, amount_minor, currency, provider_id, game_id, ref_tx_id";

const READ = `WITH ${given(["m", "t"])} SELECT ${COLUMNS.map((name) => `o.${name}`).join(", ")}, ${NOW} AS read_at FROM n JOIN tx o ON ${row("o")}`;

const CLAIM = `WITH ${given(["m", "t", "a", "p", "ro", "am", "c", "pr", "g", "rf", "$k", "s", "l", "d"])}
  INSERT INTO tx (${CONTENT}, lease_token, status, attempts, lease_until, next_at, created_at, opened_at, updated_at, feed_seq)
  SELECT m, t, a, p, ro, am, c, pr, g, rf, k, s, iif(l IS NULL, 0, 1), ${NOW} + l, ${NOW} + d, ${NOW}, ${NOW}, ${NOW}, iif(s = ${VOID}, 0, NULL) FROM n WHERE true
  ON CONFLICT (merchant_id, tx_id) DO NOTHING`;

const TAKE_OVER = `WITH ${given(["m", "t", "s", "$k", "v", "$w", "l"])}
  UPDATE tx AS o SET attempt_log = ${logOfDead("o")}, silent_at = ${silentSince("o")}, attempts = o.attempts + 1,
    opened_at = iif(n.s = ${FAILED}, ${NOW}, o.opened_at), feed_seq = iif(n.s = ${FAILED}, NULL, o.feed_seq), next_at = iif(n.s = ${FAILED}, NULL, o.next_at),
    error = NULL, lease_token = n.w, lease_until = ${NOW} + n.l, updated_at = ${NOW}, status = ${PENDING}
  FROM n WHERE ${row("o")} AND o.status = n.s AND n.s IN (${PENDING}, ${FAILED}) AND o.lease_token = n.k AND o.reversed_by IS n.v AND ${idle("o")}`;

const ADOPT = `WITH ${given(["m", "t", "$k", "a", "p", "ro", "am", "c", "pr", "g", "rf", "$w", "l", "d"])}
  UPDATE tx AS o SET action = n.a, player_id = n.p, round_id = n.ro, amount_minor = n.am, currency = n.c, provider_id = n.pr, game_id = n.g, ref_tx_id = n.rf,
    attempts = iif(n.l IS NULL, 0, 1), lease_token = n.w, lease_until = ${NOW} + n.l, next_at = ${NOW} + n.d, silent_at = NULL,
    created_at = ${NOW}, opened_at = ${NOW}, updated_at = ${NOW}, feed_seq = NULL, status = ${PENDING}
  FROM n WHERE ${row("o")} AND o.status = ${VOID} AND o.lease_token = n.k AND o.reversed_by IS NULL`;

/** Finds both rows of each line for which the conditions are true. The statement changes these rows after that. */
const pairs = (condition: string): string =>
  `hit AS MATERIALIZED (SELECT n.*, o.id AS o_id, b.id AS b_id FROM n JOIN tx o ON ${row("o")} JOIN tx b ON ${row("b", "r")} WHERE ${condition})`;

/**
 * The original doesn't contradict the reversal (`referenceMismatch`). It may have become a real transaction since it
 * was read.
 */
const AGREES = `(b.status = ${VOID} OR (b.action = iif(o.action = ${ACTION.refund}, ${ACTION.bet}, ${ACTION.win})
  AND b.amount_minor = o.amount_minor AND b.currency = o.currency AND b.player_id = o.player_id))`;

const MARK = `WITH ${given(["m", "t", "$k", "r"])}, ${pairs(`o.status = ${VOID} AND o.lease_token = n.k AND b.reversed_by IS NULL AND ${AGREES}`)},
  change AS (
    SELECT o.id, o.action, o.player_id, o.round_id, o.amount_minor, o.currency, o.provider_id, o.game_id, o.ref_tx_id, o.reversed_by,
      iif(o.action = ${ACTION.rollback}, ${NEVER}, max(coalesce(b.lease_until, 0), ${NOW})) AS next_at,
      ${NOW} AS created_at, ${NOW} AS opened_at, ${NOW} AS updated_at, NULL AS feed_seq, ${PENDING} AS status
    FROM hit JOIN tx o ON o.id = o_id JOIN tx b ON b.id = b_id
    UNION ALL
    SELECT b.id, iif(o.action = ${ACTION.refund}, ${ACTION.bet}, ${ACTION.win}), o.player_id, o.round_id, o.amount_minor, o.currency, o.provider_id, o.game_id, NULL, o.tx_id,
      b.next_at, ${NOW}, ${NOW}, b.updated_at, b.feed_seq, b.status
    FROM hit JOIN tx o ON o.id = o_id JOIN tx b ON b.id = b_id WHERE b.status = ${VOID}
    UNION ALL
    SELECT b.id, b.action, b.player_id, b.round_id, b.amount_minor, b.currency, b.provider_id, b.game_id, b.ref_tx_id, o.tx_id,
      b.next_at, b.created_at, b.opened_at, b.updated_at, b.feed_seq, b.status
    FROM hit JOIN tx o ON o.id = o_id JOIN tx b ON b.id = b_id WHERE b.status <> ${VOID})
  UPDATE tx SET action = c.action, player_id = c.player_id, round_id = c.round_id, amount_minor = c.amount_minor, currency = c.currency, provider_id = c.provider_id,
    game_id = c.game_id, ref_tx_id = c.ref_tx_id, reversed_by = c.reversed_by, next_at = c.next_at, created_at = c.created_at, opened_at = c.opened_at,
    updated_at = c.updated_at, feed_seq = c.feed_seq, status = c.status
  FROM change c WHERE tx.id = c.id`;

const SETTLE_COLUMNS = ["m", "t", "$k", "s", "e", "b", "y", "q", "d", "l", "a"] as const;
/**
 * The condition of a settle: the row still has the line's lease. The last part makes a repeat of the statement
 * harmless.
 */
const HELD = `o.status = ${PENDING} AND o.lease_token = n.k AND o.lease_until IS NOT NULL`;
const settledNext = (delay: "d" | "d2"): string => `iif(n.${delay} = ${NEVER}, ${NEVER}, ${NOW} + n.${delay})`;

const SETTLE = `WITH ${given(SETTLE_COLUMNS)}
  UPDATE tx AS o SET attempt_log = ${append("o.attempt_log", "n.a")}, last_result = n.l, error = n.e, balance_minor = n.b, resolved_by = n.y,
    silent_at = iif(n.q = 1, ${NOW}, o.silent_at), next_at = ${settledNext("d")}, updated_at = ${NOW},
    feed_seq = iif(n.s = ${PENDING}, o.feed_seq, NULL), lease_until = NULL, status = n.s
  FROM n WHERE ${row("o")} AND ${HELD}`;

/** Adds a row to `change`: the new values of the reversed row. The first row has the new values of the reversal. */
const REVERSED = `UNION ALL
    SELECT b.id, ${logOfDead("b")}, b.last_result, n.e2, n.b2, n.y2,
      ${silentSince("b")}, ${settledNext("d2")}, iif(n.s2 = b.status, b.feed_seq, NULL), iif(b.lease_until IS NULL, b.lease_token, n.k), n.s2
    FROM hit n JOIN tx b ON b.id = n.b_id WHERE n.s2 IS NOT NULL`;
const CHANGE_BOTH = `UPDATE tx SET attempt_log = c.attempt_log, last_result = c.last_result, error = c.error, balance_minor = c.balance_minor, resolved_by = c.resolved_by,
    silent_at = c.silent_at, next_at = c.next_at, updated_at = ${NOW}, feed_seq = c.feed_seq, lease_token = c.lease_token, lease_until = NULL, status = c.status
  FROM change c WHERE tx.id = c.id`;

const SETTLE_REVERSAL = `WITH ${given([...SETTLE_COLUMNS, "r", "rs", "s2", "e2", "b2", "y2", "d2"])}, ${pairs(`${HELD} AND b.status = n.rs AND b.reversed_by = n.t`)},
  change AS (
    SELECT o.id, ${append("o.attempt_log", "n.a")} AS attempt_log, n.l AS last_result, n.e AS error, n.b AS balance_minor, n.y AS resolved_by,
      iif(n.q = 1, ${NOW}, o.silent_at) AS silent_at, ${settledNext("d")} AS next_at, iif(n.s = ${PENDING}, o.feed_seq, NULL) AS feed_seq, o.lease_token, n.s AS status
    FROM hit n JOIN tx o ON o.id = n.o_id
    ${REVERSED})
  ${CHANGE_BOTH}`;

/**
 * Resolves an original alone, or (with `reversed`) a reversal together with its reversed row. A dead lease is logged as
 * an attempt without an end.
 */
const resolving = (reversed: boolean): string => {
  const condition = `o.status = ${PENDING} AND o.lease_token = n.v AND o.reversed_by IS n.rb AND o.opened_at < ${NOW} - n.h AND ${idle("o")}`;
  const hit = reversed
    ? pairs(`${condition} AND b.status = n.rs AND b.reversed_by = n.t AND ${idle("b")}`)
    : `hit AS MATERIALIZED (SELECT n.*, o.id AS o_id FROM n JOIN tx o ON ${row("o")} WHERE ${condition})`;
  return `WITH ${given(["m", "t", "$v", "rb", "h", "$k", "s", "e", "b", "y", "r", "rs", "s2", "e2", "b2", "y2", "d2"])}, ${hit},
  change AS (
    SELECT o.id, ${logOfDead("o")} AS attempt_log, o.last_result, n.e AS error, n.b AS balance_minor, n.y AS resolved_by,
      ${silentSince("o")} AS silent_at, NULL AS next_at, NULL AS feed_seq, n.k AS lease_token, n.s AS status
    FROM hit n JOIN tx o ON o.id = n.o_id
    ${reversed ? REVERSED : ""})
  ${CHANGE_BOTH}`;
};
const RESOLVE = resolving(false);
const RESOLVE_BOTH = resolving(true);

const SCHEDULE = `WITH ${given(["m", "t", "s", "$k", "v", "d"])}
  UPDATE tx AS o SET opened_at = iif(n.s = ${FAILED}, ${NOW}, o.opened_at), feed_seq = iif(n.s = ${FAILED}, NULL, o.feed_seq),
    error = NULL, next_at = ${NOW} + n.d, updated_at = ${NOW}, status = ${PENDING}
  FROM n WHERE ${row("o")} AND o.status = n.s AND n.s IN (${PENDING}, ${FAILED}) AND o.lease_token = n.k AND o.reversed_by IS n.v AND ${idle("o")}`;

/** SQLite has no loose index scan, so the statement makes one look-up in the index for each merchant. */
const MERCHANTS_DUE = `WITH RECURSIVE m(id) AS (
    SELECT min(merchant_id) FROM tx
    UNION ALL SELECT (SELECT min(merchant_id) FROM tx WHERE merchant_id > m.id) FROM m WHERE m.id IS NOT NULL)
  SELECT m.id AS merchant_id FROM m WHERE EXISTS (SELECT 1 FROM tx WHERE merchant_id = m.id AND next_at >= 0 AND next_at <= ${NOW})`;

/** The statement reads at most `limit` index entries of each merchant, however many rows are due. */
const DUE = `WITH ${given(["m"])}
  SELECT tx.merchant_id, tx.tx_id FROM n JOIN tx ON tx.id IN (
    SELECT d.id FROM tx d WHERE d.merchant_id = n.m AND d.next_at <= ${NOW} AND d.status = ${PENDING} AND ${idle("d")} ORDER BY d.next_at LIMIT ?)
  ORDER BY tx.next_at`;

export const sqliteTransactionStatements: TransactionStatements = {
  read: (keys) =>
    statement(
      READ,
      keys.map((key) => [key.merchantId, key.txId]),
    ),
  claim: (lines) =>
    statement(
      CLAIM,
      lines.map(({ content, token, as, leaseMs }) => [
        content.merchantId,
        content.txId,
        ACTION[content.action],
        content.playerId,
        content.roundId,
        content.amountMinor,
        content.currency,
        content.game.providerId,
        content.game.id,
        content.refTxId,
        token,
        as === "void" ? VOID : PENDING,
        as === "leased" ? leaseMs : null,
        as === "due" ? 0 : null,
      ]),
    ),
  takeOver: (lines) =>
    statement(
      TAKE_OVER,
      lines.map((line) => [
        line.key.merchantId,
        line.key.txId,
        STATUS[line.seen.status],
        line.seen.leaseToken,
        line.seen.reversedBy,
        line.token,
        line.leaseMs,
      ]),
    ),
  adopt: (lines) =>
    statement(
      ADOPT,
      lines.map(({ content, seen, token, as, leaseMs }) => [
        content.merchantId,
        content.txId,
        seen,
        ACTION[content.action],
        content.playerId,
        content.roundId,
        content.amountMinor,
        content.currency,
        content.game.providerId,
        content.game.id,
        content.refTxId,
        token,
        as === "leased" ? leaseMs : null,
        as === "due" ? 0 : null,
      ]),
    ),
  mark: (lines) =>
    statement(
      MARK,
      lines.map((line) => [line.key.merchantId, line.key.txId, line.seen, line.reversed]),
    ),
  settle: (lines) => statement(SETTLE, lines.map(settleCells)),
  settleReversal: (lines) =>
    statement(
      SETTLE_REVERSAL,
      lines.map((line) => [...settleCells(line), ...reversedCells(line.reversed)]),
    ),
  schedule: (lines) =>
    statement(
      SCHEDULE,
      lines.map((line) => [
        line.key.merchantId,
        line.key.txId,
        STATUS[line.seen.status],
        line.seen.leaseToken,
        line.seen.reversedBy,
        line.inMs,
      ]),
    ),
  resolve: ({ key, seen, token, horizonMs, change: { state, resolvedBy }, reversed }) =>
    statement(reversed === undefined ? RESOLVE : RESOLVE_BOTH, [
      [
        key.merchantId,
        key.txId,
        seen.leaseToken,
        seen.reversedBy,
        horizonMs,
        token,
        STATUS[state.status],
        errorOf(state),
        balanceOf(state),
        resolvedBy,
        ...reversedCells(reversed),
      ],
    ]),
  merchantsDue: { sql: MERCHANTS_DUE, bindings: [] },
  due: (merchantIds, limit) => ({ sql: DUE, bindings: [jsonLines(merchantIds.map((id) => [id])), limit] }),
};

function settleCells({
  key,
  token,
  change,
  attempt,
}: Parameters<TransactionStatements["settle"]>[0][number]): readonly Cell[] {
  const { state, resolvedBy, silent, next } = change;
  return [
    key.merchantId,
    key.txId,
    token,
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
