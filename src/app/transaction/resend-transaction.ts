import { ok, type Result, refuse } from "../../domain/errors.ts";
import { mayResend } from "../../domain/transaction/support.ts";
import { isInFlight, type Transaction } from "../../domain/transaction/transaction.ts";
import type { TxKey } from "../../domain/values/identifiers.ts";
import { wholeMs } from "../../domain/values/whole-ms.ts";
import type { ListedTransaction, TransactionReader } from "../../ports/transactions/transaction-reader.ts";
import { StoreFault, type TransactionStore } from "../../ports/transactions/transaction-store.ts";
import type { Sequencer } from "../feed/sequencer.ts";

/**
 * Sends a win or refund again on request of the merchant or of support
 * (docs/specification/resends.md#resend-by-merchant). This class only makes the row due, by compare-and-set. The worker
 * then sends it, so there is only one path to the wallet.
 */
export class ResendTransaction {
  readonly #reader: TransactionReader;
  readonly #store: TransactionStore;
  readonly #quietPeriodMs: number;
  readonly #feed: Pick<Sequencer, "changed">;

  /** @param feed - gets the merchant of a row whose state has changed. */
  constructor(
    reader: TransactionReader,
    store: TransactionStore,
    feed: Pick<Sequencer, "changed">,
    quietPeriodMs: number,
  ) {
    this.#reader = reader;
    this.#store = store;
    this.#quietPeriodMs = quietPeriodMs;
    this.#feed = feed;
  }

  /**
   * Makes the transaction due now, and returns it as it is after that. The call may be repeated. Refusals:
   * TRANSACTION_NOT_FOUND, NOT_RESENDABLE.
   *
   * @param before - called if the transaction may be sent again, before anything is written.
   */
  async resend(
    key: TxKey,
    before: (row: Transaction) => Promise<void> = async () => {},
  ): Promise<Result<ListedTransaction>> {
    const found = await this.#reader.find(key);
    if (found === undefined) return refuse("TRANSACTION_NOT_FOUND", { field: "tx_id" });
    const row = found.transaction;
    if (!mayResend(row, await this.#reversalOf(row), this.#quietPeriodMs))
      return refuse("NOT_RESENDABLE", { field: "status" });
    await before(row);
    // If a call is in flight, it counts as the resend.
    if (isInFlight(row)) return ok(found);
    const [scheduled] = await this.#store.schedule([{ key, seen: row, inMs: wholeMs(0) }]);
    if (scheduled instanceof StoreFault) throw scheduled;
    if (scheduled === true) this.#feed.changed(row.merchantId);
    // If the transaction was not scheduled, one of its calls has begun or ended in the meantime.
    return ok((await this.#reader.find(key)) ?? found);
  }

  async #reversalOf({ merchantId, reversedBy }: Transaction): Promise<Transaction | undefined> {
    if (reversedBy === null) return undefined;
    const [row] = await this.#store.read([{ merchantId, txId: reversedBy }]);
    if (row instanceof StoreFault) throw row;
    return row;
  }
}
