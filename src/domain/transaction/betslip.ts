/**
 * A slip of the sportsbook: all of its bets are debited or, in the end, none (docs/specification/sportsbook.md#sb-slip). Pure: what is
 * sent, what ends the slip, what is refunded then, and what its caller is told.
 */
import type { FieldFault, Result } from "../errors.ts";
import { idFault, isRoundId, isSlipId } from "../values/identifiers.ts";
import type { Answer, State } from "./transaction.ts";

const BETS_MAX = 50;
/** The refund of a slip's bet is this and the bet's own id, so that no crash can make a second one. The sportsbook's ids never begin so. */
const REFUND_PREFIX = "refund~";

export const refundIdOf = (own: string): string => REFUND_PREFIX + own;

/** Whether an id is of the kind that only slips give. */
export const isSlipRefundId = (own: string): boolean => own.startsWith(REFUND_PREFIX);

export const slipRefundFault = (field: string): FieldFault => ({
  field,
  rule: `does not begin with ${REFUND_PREFIX}`,
  message: `${field} não pode começar com ${REFUND_PREFIX}.`,
});

/** One bet of a slip; ids are the sportsbook's own. */
export interface SlipBet {
  readonly txId: string;
  readonly roundId: string;
  /** Minor units; zero is a free bet, which is never sent. */
  readonly amountMinor: bigint;
}

export type SlipState =
  | { readonly status: "running" }
  /** Every bet is debited. Final. */
  | { readonly status: "accepted" }
  /** Bet `at` ended it. Final; `refunding` until each refund is durable. */
  | { readonly status: "failed"; readonly at: number; readonly why: Failure; readonly refunding: boolean };

/** Why a bet ended its slip: a code of the wallet or of this service, and nothing was taken; or no answer, and something may have been. */
export type Failure = { readonly kind: "refused"; readonly error: string } | { readonly kind: "silent" };

/** Every fault of a slip at once, its amounts aside. */
export function slipFaults(slipId: string, bets: readonly SlipBet[]): FieldFault[] {
  const faults: FieldFault[] = [];
  if (!isSlipId(slipId)) faults.push(idFault("slip_id", 88));
  if (bets.length < 1 || bets.length > BETS_MAX) {
    return [...faults, { field: "bets", rule: `1..${BETS_MAX} bets`, message: `bets deve ter de 1 a ${BETS_MAX} apostas.` }];
  }
  const seen = new Set<string>();
  for (const [i, { txId, roundId }] of bets.entries()) {
    const field = `bets[${i}].tx_id`;
    if (!isSlipId(txId)) faults.push(idFault(field, 88));
    else if (isSlipRefundId(txId)) faults.push(slipRefundFault(field));
    if (seen.has(txId)) faults.push({ field, rule: "unique within the slip", message: `${field} repete o tx_id de outra aposta.` });
    seen.add(txId);
    if (!isRoundId(roundId)) faults.push(idFault(`bets[${i}].round_id`, 128));
  }
  return faults;
}

/** The field in which two slips of one id differ; `undefined`: none. */
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

/** Whether a bet is sent to the wallet at all. */
export const isSent = (bet: SlipBet): boolean => bet.amountMinor > 0n;

/**
 * What a bet's outcome means for its slip; `undefined`: it is debited, go on.
 *
 * @param sole - whether this process has held the slip since it came. Else a refusal is no proof that nothing was sent: another process
 *   that stood still may be about to send it, so its refund must bar the way.
 */
export function failureOf(outcome: Result<Answer>, sole: boolean): Failure | undefined {
  if (!outcome.ok) {
    const { code } = outcome.refusal;
    return code === "OVERLOADED" && !sole ? { kind: "silent" } : { kind: "refused", error: code };
  }
  const answer = outcome.value;
  if (answer.status === "success") return undefined;
  return answer.status === "failed" ? { kind: "refused", error: answer.error } : { kind: "silent" };
}

/** How a slip fails when bet `at` does: over at once when nothing has to be refunded. */
export function failedAt(bets: readonly SlipBet[], at: number, why: Failure): SlipState & { status: "failed" } {
  const failed = { status: "failed", at, why, refunding: true } as const;
  return { ...failed, refunding: toRefund(bets, failed).length > 0 };
}

/** The bets of a failed slip that are refunded: the debited ones, and the one that got no answer. */
export const toRefund = (bets: readonly SlipBet[], { at, why }: SlipState & { status: "failed" }): SlipBet[] =>
  bets.slice(0, why.kind === "silent" ? at + 1 : at).filter(isSent);

/** A transaction as it is recorded now. */
export type SlipRow = State & { readonly updatedAt: number };

/** What is recorded of one bet: its own row, and its one reversal's with that one's own id. */
export interface BetRows {
  readonly bet: SlipRow | undefined;
  readonly refund: (SlipRow & { readonly own: string }) | undefined;
}

export interface BetReport {
  readonly txId: string;
  readonly status: "success" | "pending" | "failed";
  /** Why it failed, else empty. */
  readonly error: string;
  /** Its refund's own id, when it has one. */
  readonly refund: { readonly txId: string; readonly status: "success" | "pending" | "failed" } | null;
}

export interface SlipReport {
  readonly status: "success" | "pending" | "failed";
  /** As the wallet told it last for this slip; null: not known. */
  readonly balanceMinor: bigint | null;
  readonly bets: readonly BetReport[];
}

/** A bet whose slip had ended before its turn. */
const NOT_SENT = "NOT_SENT";

/** A slip that still runs: nothing about its bets is settled yet. */
export const running = (bets: readonly SlipBet[]): SlipReport => ({
  status: "pending",
  balanceMinor: null,
  bets: bets.map(({ txId }) => ({ txId, status: "pending", error: "", refund: null })),
});

/**
 * What the caller of a decided slip is told. The verdict is the slip's and never changes; refunds are told as they stand.
 *
 * @param rows - what is recorded of each bet, in the slip's order.
 */
export function reportOf(bets: readonly SlipBet[], state: SlipState, rows: readonly BetRows[]): SlipReport {
  if (state.status === "running") return running(bets);
  if (state.status === "accepted") {
    const taken = bets.map(({ txId }): BetReport => ({ txId, status: "success", error: "", refund: null }));
    return { status: "success", balanceMinor: lastBalance(rows.map(({ bet }) => bet)), bets: taken };
  }
  const refunded = new Set(toRefund(bets, state));
  const own = rows.map((row, i): BetRows => (refunded.has(bets[i] as SlipBet) ? row : { bet: undefined, refund: undefined }));
  return {
    status: "failed",
    balanceMinor: lastBalance([...own.map(({ bet }) => bet), ...own.map(({ refund }) => refund)]),
    bets: bets.map((bet, i) => reportOfBet(bet, i, state, own[i] as BetRows)),
  };
}

function reportOfBet({ txId }: SlipBet, i: number, { at, why }: SlipState & { status: "failed" }, { bet, refund }: BetRows): BetReport {
  const told = refund === undefined ? null : { txId: refund.own, status: known(refund) };
  if (i > at) return { txId, status: "failed", error: NOT_SENT, refund: null };
  if (i < at) return { txId, status: "success", error: "", refund: told };
  if (why.kind === "refused") return { txId, status: "failed", error: why.error, refund: null };
  // A silent one that never became a transaction: its process stood still before it could send it, or its id was another's.
  if ((bet ?? VOID).status === "void" && (refund === undefined || refund.status === "failed")) return { txId, status: "failed", error: NOT_SENT, refund: told };
  if (bet?.status === "failed") return { txId, status: "failed", error: bet.error, refund: told };
  return { txId, status: known(bet ?? VOID), error: "", refund: told };
}

const VOID = { status: "void" } as const;
const known = ({ status }: State): "success" | "pending" | "failed" => (status === "void" ? "pending" : status);

/** Of rows in the order in which they were sent, the balance of the one that the wallet answered last. */
function lastBalance(rows: readonly (SlipRow | undefined)[]): bigint | null {
  let last: { at: number; balanceMinor: bigint } | undefined;
  for (const row of rows) {
    if (row?.status !== "success" || row.balanceMinor === null || (last !== undefined && row.updatedAt < last.at)) continue;
    last = { at: row.updatedAt, balanceMinor: row.balanceMinor };
  }
  return last?.balanceMinor ?? null;
}
