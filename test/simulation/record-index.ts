import type { Effect } from "../../sandbox/merchant/ledger.ts";
import { keyText, type TxId } from "../../src/domain/identifiers.ts";
import type { Content, Transaction } from "../../src/domain/transaction.ts";
import type { Operation, OutsideRecord, WalletCall } from "./record.ts";

/** A record's parts by the transaction they are about. */
export class RecordIndex {
  readonly effects: ReadonlyMap<string, readonly Effect[]>;
  readonly calls: ReadonlyMap<string, readonly WalletCall[]>;
  readonly operations: ReadonlyMap<string, readonly Operation[]>;
  readonly #record: OutsideRecord;

  constructor(record: OutsideRecord) {
    this.#record = record;
    this.effects = Map.groupBy(record.effects, (effect) => keyText({ merchantId: record.merchantIds.get(effect.merchant) ?? 0, txId: effect.txId as TxId }));
    this.calls = Map.groupBy(record.calls, (call) => keyText(call.content));
    this.operations = Map.groupBy(record.operations, (operation) => keyText(operation.content));
  }

  /** How many requests asked for it: by its id, or as another reversal of the same transaction. */
  askedFor(content: Content): number {
    const asksFor = (one: Content) =>
      one.merchantId === content.merchantId && (one.txId === content.txId || (content.refTxId !== null && one.refTxId === content.refTxId));
    return this.#record.operations.filter((one) => asksFor(one.content)).length;
  }

  row(merchantId: number, txId: TxId | string | null): Transaction | undefined {
    return txId === null ? undefined : this.#record.rows.get(keyText({ merchantId, txId: txId as TxId }))?.transaction;
  }
}
