import type { Transaction, TransactionRequest } from "../../../src/domain/transaction/transaction.ts";
import { keyText, type TxId } from "../../../src/domain/values/identifiers.ts";
import { describeOutcome } from "../../../testbed/judge/check-replies.ts";
import {
  type Operation,
  type RunRecord,
  type Violation,
  violation,
  type Write,
} from "../../../testbed/judge/record.ts";

/**
 * I14: a bet is settled at most once, a win that names its bet is paid only for a stake that was taken and not given
 * back, and neither a settlement nor a refund with its condition overlooks the other.
 */
export function checkSettlements(record: RunRecord): Violation[] {
  const history = new History(record.writes);
  return [...marks(record), ...refusals(record, history)];
}

/** The versions of the rows. */
class History {
  readonly #versions: ReadonlyMap<string, readonly Write[]>;

  constructor(writes: readonly Write[]) {
    this.#versions = Map.groupBy(writes, (write) => write.key);
  }

  /** Every state that a row had between two times; undefined: there was no row. */
  during(merchantId: number, txId: TxId, from: number, to: number): (Transaction | undefined)[] {
    const all = this.#versions.get(keyText({ merchantId, txId })) ?? [];
    const before = all.findLast((write) => write.at < from)?.after;
    return [before, ...all.filter(({ at }) => at >= from && at <= to).map(({ after }) => after)];
  }
}

/** After each statement: who set a mark, and on what a win became a transaction. */
function marks({ writes, operations }: RunRecord): Violation[] {
  const rows = new Map<string, Transaction>();
  const asked = Map.groupBy(operations, ({ content }) => keyText(content));
  const requests = (merchantId: number, txId: TxId): readonly TransactionRequest[] =>
    (asked.get(keyText({ merchantId, txId })) ?? []).map(({ content }) => content);
  return [...Map.groupBy(writes, (write) => write.statement).values()].flatMap((statement) => {
    for (const { key, after } of statement) rows.set(key, after);
    return statement.flatMap(({ key, before, after }): Violation[] => {
      const found: string[] = [];
      const { merchantId } = after;
      const was = before?.settledBy ?? null;
      if (was !== null && after.settledBy !== was) found.push(`settled by ${was}, then by ${after.settledBy}`);
      if (was === null && after.settledBy !== null) {
        // The bet of a Play gets the mark in the statement that makes it a success.
        const isTaken =
          before?.status === "success" || (after.status === "success" && after.playWin === after.settledBy);
        if (after.action !== "bet" || !isTaken || after.reversedBy !== null)
          found.push(`a ${after.action} settled while ${before?.status}, and reversed by ${after.reversedBy}`);
        const settles = requests(merchantId, after.settledBy).some(
          (one) =>
            one.action === "win" &&
            one.bet?.settles === true &&
            one.bet.txId === after.txId &&
            one.playerId === after.playerId &&
            one.currency === after.currency,
        );
        if (!settles) found.push(`settled by ${after.settledBy}, which nobody asked for`);
      }
      const isReversedNow = after.reversedBy !== null && (before?.reversedBy ?? null) === null;
      if (isReversedNow && after.settledBy !== null) {
        const mayReverse = requests(merchantId, after.reversedBy as TxId).some((one) => one.unlessSettled !== true);
        if (!mayReverse) found.push(`reversed by ${after.reversedBy} although it was settled`);
      }
      const isPaidNow = after.bet !== undefined && (before?.status ?? "void") === "void" && after.status !== "void";
      if (isPaidNow && after.bet !== undefined) {
        const bet = rows.get(keyText({ merchantId, txId: after.bet.txId }));
        const taken =
          bet?.action === "bet" &&
          bet.status === "success" &&
          bet.reversedBy === null &&
          bet.playerId === after.playerId &&
          bet.currency === after.currency;
        if (!taken) found.push(`a win of a bet that is ${bet?.status}, reversed by ${bet?.reversedBy}`);
        if (after.bet.settles && bet?.settledBy !== after.txId)
          found.push(`a settlement of a bet that is settled by ${bet?.settledBy}`);
      }
      return found.map((what) => violation("I14", key, what));
    });
  });
}

/** A refusal because of a bet is true: its bet was like that at some moment while the request was open. */
function refusals({ operations }: RunRecord, history: History): Violation[] {
  return operations.flatMap((operation) => {
    const { content, outcome, invokedAt, endedAt } = operation;
    if (outcome.kind !== "refused" || endedAt === null) return [];
    const betId = content.bet?.txId ?? content.refTxId;
    const states = betId === null ? [] : history.during(content.merchantId, betId, invokedAt, endedAt);
    const own = history.during(content.merchantId, content.txId, invokedAt, endedAt);
    const why = WHY[outcome.code];
    if (why === undefined || (content.bet === undefined && outcome.code === "TRANSACTION_REVERSED")) return [];
    return states.some((bet) => why(operation, bet)) || (outcome.code === "TRANSACTION_REVERSED" && own.some(isMarked))
      ? []
      : [violation("I14", keyText(content), `told ${describeOutcome(operation)}, and its bet was not like that`)];
  });
}

const isMarked = (row: Transaction | undefined): boolean => (row?.reversedBy ?? null) !== null;

/** What the bet must have been for a refusal. */
const WHY: Readonly<Record<string, (operation: Operation, bet: Transaction | undefined) => boolean>> = {
  BET_NOT_FOUND: (_, bet) => bet === undefined || bet.status === "failed" || (bet.status === "void" && !isMarked(bet)),
  BET_PENDING: (_, bet) => bet?.status === "pending",
  BET_SETTLED: ({ content }, bet) =>
    (bet?.settledBy ?? null) !== null &&
    bet?.settledBy !== content.txId &&
    (content.bet?.settles === true || content.unlessSettled === true),
  TRANSACTION_REVERSED: (_, bet) => isMarked(bet),
};
