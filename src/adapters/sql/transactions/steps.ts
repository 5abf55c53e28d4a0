import { NEVER } from "../../../domain/transaction/transaction.ts";
import type { Statement } from "../connection/statement.ts";
import type { SqlFragments } from "../dialects/sql-fragments.ts";
import { ACTION, STATUS } from "../schema/codes.ts";
import { DIED, LOGGED_MAX } from "./attempt-log.ts";
import {
  ADOPT,
  ADOPT_FOR_BET,
  ADOPT_PLAY,
  CONTENT_COLUMNS,
  type LineColumns,
  MARK,
  RESOLVE,
  RESOLVE_BOTH,
  RESOLVE_PLAY,
  SCHEDULE,
  SEAL,
  SETTLE,
  SETTLE_BET,
  SETTLE_PLAY,
  SETTLE_REVERSAL,
  TAKE_OVER,
  WAIT,
} from "./line-columns.ts";
import { LABEL_COLUMNS } from "./rows.ts";
import type { TransactionStatements } from "./transaction-statements.ts";

/** The new values of a row, by column. */
type Values = Readonly<Record<string, string>>;

/**
 * A change of the rows of a batch. `n` is a line, `o` is the row with the line's key, and `b` is the row that `o`
 * reverses, or the bet that `o` names: the line's column `reversed` or `bet_tx_id` has its id.
 *
 * MySQL assigns from left to right, and an expression sees the values assigned before it. So an assignment that reads a
 * column comes before the assignment that writes this column.
 */
export interface Step<Line> {
  readonly columns: LineColumns<Line>;
  readonly where: string;
  readonly set: Values;
  /** The change of `b`. A line for which `when` is false does not change `b`. */
  readonly reversed?: { readonly when?: string; readonly set: Values };
  /** The same for the bet that `o` names. A step has one of the two. */
  readonly bet?: Step<Line>["reversed"];
}

const { pending: PENDING, failed: FAILED, void: VOID, success: SUCCESS } = STATUS;

/** Whether the row has no live lease. */
export const idle = (alias: string, { nowMs }: SqlFragments): string =>
  `(${alias}.lease_until IS NULL OR ${alias}.lease_until <= ${nowMs})`;

/** Whether the round of the line may take the line's transaction. The subquery finds at most one row by its key. */
export const MAY_JOIN_ROUND = `(n.unless_ended = 0 OR (SELECT r.ended_at FROM rounds r
  WHERE r.merchant_id = n.merchant_id AND r.provider_id = n.provider_id AND r.round_id = n.round_id) IS NULL)`;

/**
 * The statements that change rows which exist already.
 *
 * @param changing - how a dialect writes the statement of a step.
 */
export function changes(
  fragments: SqlFragments,
  changing: <Line>(step: Step<Line>) => (lines: readonly Line[]) => Statement,
): Omit<TransactionStatements, "read" | "claim" | "claimInRound" | "claimPlay" | "merchantsDue" | "due"> {
  const { nowMs: NOW, greatest, isSame } = fragments;

  /** The new `silent_at`. The end of a dead lease counts as an unanswered attempt. */
  const silentSince = (row: string): string =>
    `IF(${row}.lease_until IS NULL OR ${row}.lease_until > ${NOW}, ${row}.silent_at, ${greatest}(${row}.lease_until, COALESCE(${row}.silent_at, ${row}.lease_until)))`;
  /** The new `attempt_log`. If the row has a dead lease, the log gets a line for the attempt whose process died. */
  const logOfDead = (row: string): string =>
    `CONCAT_WS('\n', ${row}.attempt_log, IF(${row}.lease_until IS NULL OR ${row}.attempts > ${LOGGED_MAX}, NULL, CONCAT('{"n":', ${row}.attempts, ',"at":', ${row}.updated_at, '${DIED}')))`;
  const nextAt = (ms: string): string => `IF(${ms} = ${NEVER}, ${NEVER}, ${NOW} + ${ms})`;
  /** A failed row is opened again. The other rows keep the value. */
  const ifReopened = (column: string, value: string): string => `IF(n.seen_status = ${FAILED}, ${value}, o.${column})`;

  const asSeen = `o.status = n.seen_status AND n.seen_status IN (${PENDING}, ${FAILED}) AND o.lease_token = n.seen_token
       AND ${isSame("o.reversed_by", "n.seen_reversed_by")} AND ${idle("o", fragments)}`;

  const opened = { created_at: NOW, opened_at: NOW, updated_at: NOW, feed_seq: "NULL", status: `${PENDING}` };

  /** The reversed row of a refund is a bet, that of a rollback is a win. */
  const reversedAction = `IF(o.action = ${ACTION.refund}, ${ACTION.bet}, ${ACTION.win})`;
  /**
   * The original doesn't contradict the reversal (`referenceMismatch`). It may have become a real transaction since it
   * was read.
   */
  const agrees = `((b.status = ${VOID} AND b.bet_tx_id IS NULL) OR (b.action = ${reversedAction}
       AND b.amount_minor = o.amount_minor AND b.currency = o.currency AND b.player_id = o.player_id))`;
  const ifVoid = (column: string, value: string): [string, string] => [
    column,
    `IF(b.status = ${VOID}, ${value}, b.${column})`,
  ];
  /** The win of a Play has its content already. */
  const ifUnseen = (column: string, value: string): [string, string] =>
    ifVoid(column, `IF(b.bet_tx_id IS NULL, ${value}, b.${column})`);

  /** A win may be paid for the bet (`betRefusal`). */
  const payable = (bet: string): string => `${bet}.status = ${SUCCESS} AND ${bet}.action = ${ACTION.bet}
       AND ${bet}.reversed_by IS NULL AND ${bet}.currency = n.currency AND ${bet}.player_id = n.player_id`;
  const content: Values = Object.fromEntries(
    [...CONTENT_COLUMNS, ...LABEL_COLUMNS, "round_ended"].map((column) => [column, `n.${column}`]),
  );
  const named: Values = { bet_tx_id: "n.bet_tx_id", settles: "n.settles" };
  const adopt = {
    where: `o.status = ${VOID} AND o.lease_token = n.seen_token AND o.reversed_by IS NULL`,
    set: {
      ...content,
      attempts: "IF(n.lease_ms IS NULL, 0, 1)",
      lease_token: "n.token",
      lease_until: `${NOW} + n.lease_ms`,
      next_at: `${NOW} + n.due_ms`,
      silent_at: "NULL",
      ...opened,
    },
  };

  /**
   * The condition of a settle: the row still has the line's lease. The last part makes a repeat of the statement
   * harmless.
   */
  const held = (row: string): string =>
    `${row}.status = ${PENDING} AND ${row}.lease_token = n.token AND ${row}.lease_until IS NOT NULL`;
  const state = { error: "n.error", balance_minor: "n.balance_minor", resolved_by: "n.resolved_by" };
  const settled = (row: string): Values => ({
    attempt_log: `CONCAT_WS('\n', ${row}.attempt_log, n.log_line)`,
    last_result: "n.last_result",
    ...state,
    silent_at: `IF(n.is_silent = 1, ${NOW}, ${row}.silent_at)`,
    next_at: nextAt("n.next_ms"),
    updated_at: NOW,
    feed_seq: `IF(n.status = ${PENDING}, ${row}.feed_seq, NULL)`,
    lease_until: "NULL",
    status: "n.status",
  });
  const reversed: Step<never>["reversed"] = {
    when: "n.reversed_status IS NOT NULL",
    set: {
      attempt_log: logOfDead("b"),
      silent_at: silentSince("b"),
      lease_token: "IF(b.lease_until IS NULL, b.lease_token, n.token)",
      lease_until: "NULL",
      error: "n.reversed_error",
      balance_minor: "n.reversed_balance_minor",
      resolved_by: "n.reversed_resolved_by",
      next_at: nextAt("n.reversed_next_ms"),
      updated_at: NOW,
      feed_seq: "IF(n.reversed_status = b.status, b.feed_seq, NULL)",
      status: "n.reversed_status",
    },
  };
  const reversedAsSeen = "b.status = n.reversed_seen AND b.reversed_by = n.tx_id";

  const resolvable = `o.status = ${PENDING} AND o.lease_token = n.seen_token AND ${isSame("o.reversed_by", "n.seen_reversed_by")}
       AND o.opened_at < ${NOW} - n.horizon_ms AND ${idle("o", fragments)}`;
  /** A dead lease is logged as an attempt without an end. */
  const resolved: Values = {
    attempt_log: logOfDead("o"),
    silent_at: silentSince("o"),
    ...state,
    next_at: "NULL",
    updated_at: NOW,
    feed_seq: "NULL",
    lease_token: "n.token",
    lease_until: "NULL",
    status: "n.status",
  };
  const resolveAlone = changing({ columns: RESOLVE, where: resolvable, set: resolved });
  const resolveBoth = changing({
    columns: RESOLVE_BOTH,
    where: `${resolvable} AND ${reversedAsSeen} AND ${idle("b", fragments)}`,
    set: resolved,
    reversed,
  });

  const resolvePlay = changing({
    columns: RESOLVE_PLAY,
    where: `${resolvable} AND b.status = ${VOID} AND b.reversed_by IS NULL AND b.bet_tx_id = n.tx_id`,
    set: { ...resolved, settled_by: "IF(b.settles = 1, b.tx_id, o.settled_by)" },
    reversed: { set: { next_at: NOW, ...opened } },
  });

  return {
    takeOver: changing({
      columns: TAKE_OVER,
      where: asSeen,
      set: {
        attempt_log: logOfDead("o"),
        silent_at: silentSince("o"),
        attempts: "o.attempts + 1",
        opened_at: ifReopened("opened_at", NOW),
        feed_seq: ifReopened("feed_seq", "NULL"),
        next_at: ifReopened("next_at", "NULL"),
        error: "NULL",
        lease_token: "n.token",
        lease_until: `${NOW} + n.lease_ms`,
        updated_at: NOW,
        status: `${PENDING}`,
      },
    }),
    adopt: changing({ columns: ADOPT, ...adopt, where: `${adopt.where} AND ${MAY_JOIN_ROUND}` }),
    adoptForBet: changing({
      columns: ADOPT_FOR_BET,
      where: `${adopt.where} AND ${payable("b")} AND (n.settles = 0 OR b.settled_by IS NULL)`,
      set: { ...named, ...adopt.set },
      bet: { when: "n.settles = 1", set: { settled_by: "n.tx_id" } },
    }),
    adoptPlay: changing({
      columns: ADOPT_PLAY,
      where: `${adopt.where} AND ${MAY_JOIN_ROUND}`,
      set: { play_win: "n.play_win", ...adopt.set },
    }),
    wait: changing({
      columns: WAIT,
      where: `${adopt.where} AND o.bet_tx_id IS NULL`,
      set: { ...named, ...content, lease_token: "n.token" },
    }),
    settleBet: changing({
      columns: SETTLE_BET,
      where: `${payable("o")} AND o.settled_by IS NULL`,
      set: { settled_by: "n.win" },
    }),
    mark: changing({
      columns: MARK,
      where: `o.status = ${VOID} AND o.lease_token = n.seen_token AND b.reversed_by IS NULL AND (n.unless_settled = 0 OR b.settled_by IS NULL) AND ${agrees}`,
      set: {
        next_at: `IF(o.action = ${ACTION.rollback} AND n.deliver = 0, ${NEVER}, ${greatest}(COALESCE(b.lease_until, 0), ${NOW}))`,
        ...opened,
      },
      reversed: {
        set: {
          ...Object.fromEntries([
            ...CONTENT_COLUMNS.filter((column) => column !== "action" && column !== "ref_tx_id").map((column) =>
              ifUnseen(column, `o.${column}`),
            ),
            ifUnseen("ref_tx_id", "NULL"),
            ifVoid("created_at", NOW),
            ifVoid("opened_at", NOW),
            ifUnseen("action", reversedAction),
          ]),
          reversed_by: "n.tx_id",
        },
      },
    }),
    seal: changing({
      columns: SEAL,
      where: adopt.where,
      set: { reversed_by: "n.sealed_by", resolved_by: "'sealed'", action: `${ACTION.bet}`, updated_at: NOW },
    }),
    settle: changing({ columns: SETTLE, where: held("o"), set: settled("o") }),
    settleReversal: changing({
      columns: SETTLE_REVERSAL,
      where: `${held("o")} AND ${reversedAsSeen}`,
      set: settled("o"),
      reversed,
    }),
    settlePlay: changing({
      columns: SETTLE_PLAY,
      where: `${held("b")} AND b.reversed_by IS NULL AND (o.settles = 0 OR b.settled_by IS NULL)
       AND o.status = ${VOID} AND o.reversed_by IS NULL AND o.bet_tx_id = n.bet_tx_id AND o.lease_token = n.win_seen`,
      set: {
        attempts: "1",
        lease_token: "n.win_token",
        lease_until: `${NOW} + n.lease_ms`,
        next_at: "NULL",
        silent_at: "NULL",
        ...opened,
      },
      bet: { set: { settled_by: "IF(o.settles = 1, o.tx_id, b.settled_by)", ...settled("b") } },
    }),
    schedule: changing({
      columns: SCHEDULE,
      where: asSeen,
      set: {
        opened_at: ifReopened("opened_at", NOW),
        feed_seq: ifReopened("feed_seq", "NULL"),
        error: "NULL",
        next_at: `${NOW} + n.due_ms`,
        updated_at: NOW,
        status: `${PENDING}`,
      },
    }),
    resolve: (line) =>
      (line.win !== undefined ? resolvePlay : line.reversed === undefined ? resolveAlone : resolveBoth)([line]),
  };
}
