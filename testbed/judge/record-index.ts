import type { Effect } from "../../sandbox/merchant/ledger.ts";
import type { Content, Transaction } from "../../src/domain/transaction/transaction.ts";
import { keyText, type TxId } from "../../src/domain/values/identifiers.ts";
import type { Operation, OutsideRecord, WalletCall } from "./record.ts";

/** The lease of an attempt began at most this long before its call. */
const CLAIMED_WITHIN_MS = 5_000;

/** The parts of a record, by transaction. */
export class RecordIndex {
  readonly effects: ReadonlyMap<string, readonly Effect[]>;
  readonly calls: ReadonlyMap<string, readonly WalletCall[]>;
  readonly operations: ReadonlyMap<string, readonly Operation[]>;
  readonly #record: OutsideRecord;

  constructor(record: OutsideRecord) {
    this.#record = record;
    this.effects = Map.groupBy(record.effects, (effect) =>
      keyText({ merchantId: record.merchantIds.get(effect.merchant) ?? 0, txId: effect.txId as TxId }),
    );
    this.calls = Map.groupBy(record.calls, (call) => keyText(call.content));
    this.operations = Map.groupBy(record.operations, (operation) => keyText(operation.content));
  }

  /**
   * The number of requests that can lead to a send of the transaction: requests with its id, other reversals of the
   * same original, and resends.
   */
  requestCount(content: Content): number {
    const asksFor = (one: Content) =>
      one.merchantId === content.merchantId &&
      (one.txId === content.txId || (content.refTxId !== null && one.refTxId === content.refTxId));
    const key = keyText(content);
    const { operations, commands = [] } = this.#record;
    return (
      operations.filter((one) => asksFor(one.content)).length +
      commands.filter((one) => one.what === "resend" && one.key === key).length
    );
  }

  /** The end of a call: it finished, its process died, or the run ended. */
  endOf(call: WalletCall): number {
    const { processFaults, endedAt } = this.#record;
    const deaths = processFaults.filter(
      ({ kind, replica, at }) => kind === "crash" && replica === call.replica && at >= call.begunAt,
    );
    return call.endedAt ?? Math.min(endedAt, ...deaths.map(({ at }) => at));
  }

  /** Whether a call may outlive its lease: its process was paused, or the database's clock stepped forward. */
  mayOutliveItsLease(call: WalletCall): boolean {
    const { processFaults, forwardAt = [] } = this.#record;
    const end = this.endOf(call);
    return (
      processFaults.some(
        ({ kind, replica, at, until }) =>
          kind === "pause" && replica === call.replica && at <= end && until > call.begunAt,
      ) || forwardAt.some((at) => at > call.begunAt - CLAIMED_WITHIN_MS && at <= end)
    );
  }

  row(merchantId: number, txId: TxId | string | null): Transaction | undefined {
    return txId === null ? undefined : this.#record.rows.get(keyText({ merchantId, txId: txId as TxId }))?.transaction;
  }
}
