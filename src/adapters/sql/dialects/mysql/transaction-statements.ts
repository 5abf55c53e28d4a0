import type { ClaimLine, PlayClaimLine } from "../../../../ports/transactions/transaction-store.ts";
import type { Binding, Statement } from "../../connection/statement.ts";
import { STATUS } from "../../schema/codes.ts";
import {
  CLAIM_IN_ROUND,
  CLAIM_PLAY_IN_ROUND,
  CLAIMED,
  CLAIMED_LABELS,
  CLAIMED_PLAY,
  endsRound,
  hasLabels,
  isPlainPlay,
  type LineColumns,
  PLAY_LABELS,
  PLAY_ROUND_ENDED,
  READ,
  ROUND_ENDED,
} from "../../transactions/line-columns.ts";
import { COLUMNS } from "../../transactions/rows.ts";
import { changes, idle, MAY_JOIN_ROUND, type Step } from "../../transactions/steps.ts";
import type { TransactionStatements } from "../../transactions/transaction-statements.ts";
import { ROOM_FOR_SETTLE } from "./row-room.ts";
import { mysqlSettle, mysqlSettlePlays } from "./settle.ts";
import { mysqlFragments } from "./sql-fragments.ts";

/*
 * Every UPDATE, except an original's settle (settle.ts), joins a derived table of the batch's lines to the rows with
 * the lines' keys. The lines stay in their order. STRAIGHT_JOIN and FORCE INDEX keep this plan on tables of any size: a
 * scan would lock rows of other requests, and another order would cause deadlocks. The derived table begins with an
 * empty line, which gives the columns their types.
 */

const NOW = mysqlFragments.nowMs;
const { pending: PENDING, void: VOID } = STATUS;

/** The value of a column in the empty line. */
const EMPTY = { integer: "0", text: "''", bytes: "x''", token: "x''" } as const;

/** The lines as a derived table `n`, by their number. */
function derived<Line>(columns: LineColumns<Line>): (lines: number) => string {
  const all = Object.entries(columns);
  const empty = all.map(([name, { kind }]) => `${EMPTY[kind]} ${name}`).join(", ");
  const line = ` UNION ALL SELECT ${all.map(() => "?").join(",")}`;
  return (lines) => `(SELECT ${empty}${line.repeat(lines)}) n`;
}

function bindingsOf<Line>(columns: LineColumns<Line>): (lines: readonly Line[]) => Binding[] {
  const all = Object.values(columns);
  return (lines) => {
    const bindings: Binding[] = [];
    for (const line of lines)
      for (const { kind, of } of all) {
        const cell = of(line);
        bindings.push(kind === "token" ? Buffer.from(cell as string, "hex") : cell);
      }
    return bindings;
  };
}

const row = (alias: string, id: "tx_id" | "reversed" | "bet_tx_id" = "tx_id"): string =>
  `STRAIGHT_JOIN tx ${alias} FORCE INDEX (tx_key) ON ${alias}.merchant_id = n.merchant_id AND ${alias}.tx_id = n.${id}`;

/** If `b` does not change, its values are assigned all the same, because the assignment locks the row. */
function changing<Line>({ columns, where, set, reversed, bet }: Step<Line>): (lines: readonly Line[]) => Statement {
  const other = reversed ?? bet;
  const table = derived(columns);
  const bind = bindingsOf(columns);
  const assignments = Object.entries(set).map(([column, value]) => `o.${column} = ${value}`);
  for (const [column, value] of Object.entries(other?.set ?? {})) {
    const kept = other?.when === undefined ? value : `IF(${other.when}, ${value}, b.${column})`;
    assignments.push(`b.${column} = ${kept}`);
  }
  const rows = other === undefined ? row("o") : `${row("b", bet === undefined ? "reversed" : "bet_tx_id")} ${row("o")}`;
  const change = `${rows} SET ${assignments.join(", ")} WHERE ${where}`;
  return (lines) => ({ sql: `UPDATE ${table(lines.length)} ${change}`, bindings: bind(lines) });
}

const keys = derived(READ);
const bindKeys = bindingsOf(READ);

const REST = "status, attempts, lease_until, next_at, created_at, opened_at, updated_at, feed_seq, attempt_log";

/**
 * The statement of a claim, by the columns that its lines have.
 *
 * @param room - what a void row has in attempt_log.
 */
function claiming<Line extends ClaimLine>(
  columns: LineColumns<Line>,
  room = "NULL",
): (lines: readonly Line[]) => Statement {
  const names = Object.keys(columns);
  const head = `INSERT INTO tx (${names.join(", ")}, ${REST}) VALUES `;
  const places = names.map(() => "?").join(",");
  /** The values of a claimed row, by the field `as` of its line. */
  const row = {
    leased: `(${places},${PENDING},1,${NOW}+?,NULL,${NOW},${NOW},${NOW},NULL,${ROOM_FOR_SETTLE})`,
    due: `(${places},${PENDING},0,NULL,${NOW},${NOW},${NOW},${NOW},NULL,NULL)`,
    void: `(${places},${VOID},0,NULL,NULL,${NOW},${NOW},${NOW},0,${room})`,
  } as const;
  const bindColumns = bindingsOf(columns);
  const bind = (line: Line): readonly Binding[] => {
    const bindings = bindColumns([line]);
    if (line.as === "leased") bindings.push(line.leaseMs);
    return bindings;
  };
  // If a row exists already, the update does not change it. INSERT IGNORE would also change values that don't fit.
  return (lines) => ({
    sql: `${head}${lines.map(({ as }) => row[as]).join(",")} ON DUPLICATE KEY UPDATE attempts = tx.attempts`,
    bindings: lines.flatMap(bind),
    recurs: lines.every(({ as }) => as === "leased"),
  });
}

/**
 * A claim of the usual case, at the price of one subquery for the batch. If a round has ended, the first line gets no
 * merchant, so the server refuses the whole statement. A join of the lines to their rounds costs half as much as the
 * claim itself.
 */
function claimingIfOpen<Line extends ClaimLine>(
  columns: LineColumns<Line>,
  room?: string,
): (lines: readonly Line[]) => Statement {
  const claim = claiming(columns, room);
  return (lines) => {
    const bets = lines.filter(({ unlessEnded, as }) => unlessEnded === true && as !== "void");
    const statement = claim(lines);
    if (bets.length === 0) return statement;
    const rounds = bets.map(() => "(merchant_id = ? AND provider_id = ? AND round_id = ?)").join(" OR ");
    const isOver = `EXISTS (SELECT 1 FROM rounds FORCE INDEX (PRIMARY) WHERE ended_at IS NOT NULL AND (${rounds}))`;
    return {
      ...statement,
      sql: statement.sql.replace("VALUES (?", `VALUES (IF(${isOver}, NULL, ?)`),
      bindings: [
        ...bets.flatMap(({ content: { merchantId, game, roundId } }) => [merchantId, game.providerId, roundId]),
        ...statement.bindings,
      ],
    };
  };
}

const claimPlain = claiming(CLAIMED);
const claimLabels = claiming(CLAIMED_LABELS);
// The win of a Play is settled soon, so its row has the room of a leased row.
const claimPlay = claiming<PlayClaimLine>(CLAIMED_PLAY, ROOM_FOR_SETTLE);

/** A claim that leaves out lines whose rounds have ended. */
function claimingInRound<Line extends ClaimLine>(columns: LineColumns<Line>): (lines: readonly Line[]) => Statement {
  const given = new Set(["status", "lease_ms", "due_ms", "unless_ended"]);
  const claimed = Object.keys(columns).filter((name) => !given.has(name));
  const table = derived(columns);
  const bind = bindingsOf(columns);
  const head = `INSERT INTO tx (${claimed.join(", ")}, ${REST})
  SELECT ${claimed.map((column) => `n.${column}`).join(", ")},
    n.status, IF(n.lease_ms IS NULL, 0, 1), ${NOW} + n.lease_ms, ${NOW} + n.due_ms, ${NOW}, ${NOW}, ${NOW},
    IF(n.status = ${VOID}, 0, NULL), IF(n.lease_ms IS NULL, NULL, ${ROOM_FOR_SETTLE}) FROM `;
  return (lines) => ({
    sql: `${head}${table(lines.length)} WHERE n.tx_id <> x'' AND ${MAY_JOIN_ROUND} ON DUPLICATE KEY UPDATE attempts = tx.attempts`,
    bindings: bind(lines),
    recurs: true,
  });
}
const claimInRound = claimingInRound(CLAIM_IN_ROUND);
const claimOpen = claimingIfOpen(CLAIMED);
const claimEnding = claimingIfOpen({ ...CLAIMED, ...ROUND_ENDED });
const claimLabelled = claimingIfOpen({ ...CLAIMED_LABELS, ...ROUND_ENDED });
const claimPlayInRound = claimingInRound(CLAIM_PLAY_IN_ROUND);
const claimPlayEnding = claimingIfOpen({ ...CLAIMED_PLAY, ...PLAY_ROUND_ENDED }, ROOM_FOR_SETTLE);
const claimPlayLabelled = claimingIfOpen({ ...CLAIMED_PLAY, ...PLAY_LABELS, ...PLAY_ROUND_ENDED }, ROOM_FOR_SETTLE);

export const mysqlTransactionStatements: TransactionStatements = {
  ...changes(mysqlFragments, changing),
  settle: mysqlSettle,
  settlePlays: mysqlSettlePlays,

  read: (lines) => ({
    sql: `SELECT ${COLUMNS.map((name) => `o.${name}`).join(", ")}, ${NOW} AS read_at FROM ${keys(lines.length)} ${row("o")}`,
    bindings: bindKeys(lines),
  }),

  claim: (lines) => (hasLabels(lines) ? claimLabels : claimPlain)(lines),
  claimInRound,
  claimIfOpen: (lines) => (hasLabels(lines) ? claimLabelled : endsRound(lines) ? claimEnding : claimOpen)(lines),
  claimPlay: (lines) => (isPlainPlay(lines) ? { ...claimPlay(lines), recurs: true } : claimPlayInRound(lines)),
  claimPlayIfOpen: (lines) => ({
    ...(lines.some(({ content }) => content.labels !== undefined) ? claimPlayLabelled : claimPlayEnding)(lines),
    recurs: true,
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
          `(SELECT merchant_id, tx_id, next_at FROM tx FORCE INDEX (tx_due) WHERE merchant_id = ? AND next_at <= ${NOW} AND status = ${PENDING} AND ${idle("tx", mysqlFragments)} ORDER BY next_at LIMIT ?)`,
      )
      .join(" UNION ALL ")}) d ORDER BY next_at`,
    bindings: merchantIds.flatMap((id) => [id, limit]),
  }),
};
