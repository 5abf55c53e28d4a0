/**
 * A slip of the sportsbook: in the end all of its bets are debited, or none is
 * (docs/specification/sportsbook.md#sb-slip). Pure functions decide which bets are sent, what ends the slip, which bets
 * are refunded then, and what the caller is told.
 */
import type { FieldFault, Result } from "../errors.ts";
import { idFault, isRoundId, isSlipId } from "../values/identifiers.ts";
import type { Answer, State } from "./transaction.ts";

const BETS_MAX = 50;
/**
 * The id of a bet's refund is this prefix and the bet's own id. So a crash cannot lead to a second refund. Ids of the
 * sportsbook may not begin with it.
 */
const REFUND_PREFIX = "refund~";

export const refundIdOf = (own: string): string => REFUND_PREFIX + own;

/** Whether an id has the form of a slip's own refund. */
export const isSlipRefundId = (own: string): boolean => own.startsWith(REFUND_PREFIX);

export const slipRefundFault = (field: string): FieldFault => ({
  field,
  rule: `does not begin with ${REFUND_PREFIX}`,
});

/** One bet of a slip. Its ids are those that the sportsbook uses. */
export interface SlipBet {
  readonly txId: string;
  readonly roundId: string;
  /** The amount in minor units. Zero is a free bet, which is never sent to the wallet. */
  readonly amountMinor: bigint;
}

export type SlipState =
  | { readonly status: "running" }
  /** Every bet is debited. This status is final. */
  | { readonly status: "accepted" }
  /** The bet at position `at` ended the slip. This status is final. `refunding`: not every refund is durable yet. */
  | { readonly status: "failed"; readonly at: number; readonly why: Failure; readonly refunding: boolean };

/** The final status of a slip. */
export type Verdict = Exclude<SlipState, { readonly status: "running" }>;

/** Whether a slip with this final status has ended: nothing is left to refund. */
export const isOver = (verdict: Verdict): boolean => verdict.status === "accepted" || !verdict.refunding;

/** Whether both are the same final status, apart from the progress of the refunds. */
export function isSameVerdict(a: SlipState, b: SlipState): boolean {
  if (a.status !== "failed" || b.status !== "failed") return a.status === b.status;
  return a.at === b.at && errorOf(a.why) === errorOf(b.why);
}

const errorOf = (why: Failure): string | undefined => (why.kind === "refused" ? why.error : undefined);

/**
 * Why a bet ended its slip. `refused`: the wallet or this service refused it with this code, and nothing was debited.
 * `silent`: the wallet gave no answer, and the bet may have been debited.
 */
export type Failure = { readonly kind: "refused"; readonly error: string } | { readonly kind: "silent" };

/** All faults of a slip, apart from faults of its amounts. */
export function slipFaults(slipId: string, bets: readonly SlipBet[]): FieldFault[] {
  const faults: FieldFault[] = [];
  if (!isSlipId(slipId)) faults.push(idFault("slip_id", 88));
  if (bets.length < 1 || bets.length > BETS_MAX) {
    return [...faults, { field: "bets", rule: `1..${BETS_MAX} bets` }];
  }
  const seen = new Set<string>();
  for (const [i, { txId, roundId }] of bets.entries()) {
    const field = `bets[${i}].tx_id`;
    if (!isSlipId(txId)) faults.push(idFault(field, 88));
    else if (isSlipRefundId(txId)) faults.push(slipRefundFault(field));
    if (seen.has(txId)) faults.push({ field, rule: "unique within the slip" });
    seen.add(txId);
    if (!isRoundId(roundId)) faults.push(idFault(`bets[${i}].round_id`, 128));
  }
  return faults;
}

/** The first field in which two slips with the same id differ; `undefined`: no field differs. */
export function slipDifference(a: readonly SlipBet[], b: readonly SlipBet[]): string | undefined {
  if (a.length !== b.length) return "bets";
  for (const [i, one] of a.entries()) {
    const other = b[i];
    if (other === undefined || one.txId !== other.txId) return `bets[${i}].tx_id`;
    if (one.roundId !== other.roundId) return `bets[${i}].round_id`;
    if (one.amountMinor !== other.amountMinor) return `bets[${i}].amount_minor`;
  }
  return undefined;
}

/** Whether a bet is sent to the wallet. A free bet is not. */
export const isSent = (bet: SlipBet): boolean => bet.amountMinor > 0n;

/**
 * Why this result of a bet ends its slip. `undefined`: the bet is debited, and the slip goes on.
 *
 * @param sole - whether only this process has ever driven the slip. If not, OVERLOADED does not prove that the bet was
 *   not sent: another process may have paused just before it sends the bet. The bet then counts as silent, so that it
 *   is refunded, and the refund stops that late bet.
 */
export function failureOf(result: Result<Answer>, sole: boolean): Failure | undefined {
  if (!result.ok) {
    const { code } = result.refusal;
    return code === "OVERLOADED" && !sole ? { kind: "silent" } : { kind: "refused", error: code };
  }
  const answer = result.value;
  if (answer.status === "success") return undefined;
  return answer.status === "failed" ? { kind: "refused", error: answer.error } : { kind: "silent" };
}

/**
 * The state of a slip whose bet at position `at` was not debited, for the reason `why`. `refunding` is false if no bet
 * has to be refunded.
 */
export function failedAt(bets: readonly SlipBet[], at: number, why: Failure): SlipState & { status: "failed" } {
  const failed = { status: "failed", at, why, refunding: true } as const;
  return { ...failed, refunding: toRefund(bets, failed).length > 0 };
}

/** The bets of a failed slip that are refunded: the debited bets, and the bet that the wallet did not answer. */
export const toRefund = (bets: readonly SlipBet[], { at, why }: SlipState & { status: "failed" }): SlipBet[] =>
  bets.slice(0, why.kind === "silent" ? at + 1 : at).filter(isSent);

/** A transaction's state as it is recorded now. */
export type SlipRow = State & { readonly updatedAt: number };

/**
 * The rows of one bet: the bet's own row, and the row of its reversal with the id that the reversal's sender gave it.
 */
export interface BetRows {
  readonly bet: SlipRow | undefined;
  readonly refund: (SlipRow & { readonly own: string }) | undefined;
}

export interface BetReport {
  readonly txId: string;
  readonly status: "success" | "pending" | "failed";
  /** Why the bet failed; empty: it has not failed. */
  readonly error: string;
  /** The bet's refund with the id that the sportsbook uses; null: the bet has no refund. */
  readonly refund: { readonly txId: string; readonly status: "success" | "pending" | "failed" } | null;
}

export interface SlipReport {
  readonly status: "success" | "pending" | "failed";
  /** The balance of the wallet's last reply for this slip; null when it is not known. */
  readonly balanceMinor: bigint | null;
  readonly bets: readonly BetReport[];
}

/** The error of a bet that was not sent because its slip had ended before. */
const NOT_SENT = "NOT_SENT";

/** The report of a slip that still runs: every bet is pending. */
export const running = (bets: readonly SlipBet[]): SlipReport => ({
  status: "pending",
  balanceMinor: null,
  bets: bets.map(({ txId }) => ({ txId, status: "pending", error: "", refund: null })),
});

/**
 * The report of a slip to its caller. The slip's own status never changes once it is decided; its refunds have their
 * present status.
 *
 * @param rows - the rows of each bet, in the slip's order.
 */
export function reportOf(bets: readonly SlipBet[], state: SlipState, rows: readonly BetRows[]): SlipReport {
  if (state.status === "running") return running(bets);
  if (state.status === "accepted") {
    const taken = bets.map(({ txId }): BetReport => ({ txId, status: "success", error: "", refund: null }));
    return { status: "success", balanceMinor: lastBalance(rows.map(({ bet }) => bet)), bets: taken };
  }
  const refunded = new Set(toRefund(bets, state));
  const own = rows.map(
    (row, i): BetRows => (refunded.has(bets[i] as SlipBet) ? row : { bet: undefined, refund: undefined }),
  );
  return {
    status: "failed",
    balanceMinor: lastBalance([...own.map(({ bet }) => bet), ...own.map(({ refund }) => refund)]),
    bets: bets.map((bet, i) => reportOfBet(bet, i, state, own[i] as BetRows)),
  };
}

function reportOfBet(
  { txId }: SlipBet,
  i: number,
  { at, why }: SlipState & { status: "failed" },
  { bet, refund }: BetRows,
): BetReport {
  const refunded = refund === undefined ? null : { txId: refund.own, status: known(refund) };
  if (i > at) return { txId, status: "failed", error: NOT_SENT, refund: null };
  if (i < at) return { txId, status: "success", error: "", refund: refunded };
  if (why.kind === "refused") return { txId, status: "failed", error: why.error, refund: null };
  // The silent bet never became a transaction: its process stopped before sending it, or another transaction has its
  // id.
  if ((bet ?? VOID).status === "void" && (refund === undefined || refund.status === "failed"))
    return { txId, status: "failed", error: NOT_SENT, refund: refunded };
  if (bet?.status === "failed") return { txId, status: "failed", error: bet.error, refund: refunded };
  return { txId, status: known(bet ?? VOID), error: "", refund: refunded };
}

const VOID = { status: "void" } as const;
const known = ({ status }: State): "success" | "pending" | "failed" => (status === "void" ? "pending" : status);

/**
 * The balance of the transaction that the wallet answered last.
 *
 * @param rows - in the order in which they were sent.
 */
function lastBalance(rows: readonly (SlipRow | undefined)[]): bigint | null {
  let last: { at: number; balanceMinor: bigint } | undefined;
  for (const row of rows) {
    if (row?.status !== "success" || row.balanceMinor === null || (last !== undefined && row.updatedAt < last.at))
      continue;
    last = { at: row.updatedAt, balanceMinor: row.balanceMinor };
  }
  return last?.balanceMinor ?? null;
}
