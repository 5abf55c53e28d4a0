import { ok, type Result, refuse } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import { isReason } from "../../domain/values/identifiers.ts";
import type { StuckNotes } from "../../ports/transactions/stuck-money.ts";
import type { ListedTransaction, TransactionReader } from "../../ports/transactions/transaction-reader.ts";
import { type AdminRequest, auditEntry, reasonFaults, refuseFaults } from "../admin/changes.ts";
import { findTxKey, type TransactionName, transactionTarget } from "../admin/find-merchant.ts";
import type { Settings } from "../runtime/settings.ts";

/** Closes contradictions of wallets that people have settled with the merchant. */
export class CloseContradiction {
  readonly #notes: StuckNotes;
  readonly #reader: TransactionReader;
  readonly #settings: Settings;

  constructor(notes: StuckNotes, reader: TransactionReader, settings: Settings) {
    this.#notes = notes;
    this.#reader = reader;
    this.#settings = settings;
  }

  /**
   * Takes a transaction off the list of contradictions. It changes neither the transaction nor a sum, and sends nothing.
   * Refusals: VALIDATION_ERROR, RECORD_NOT_FOUND (`merchant`, `contradiction`), TRANSACTION_NOT_FOUND. Throws
   * StoreUnavailable.
   *
   * @param evidence - what the merchant's records show.
   */
  async close(request: AdminRequest, name: TransactionName, evidence: string): Promise<Result<ListedTransaction>> {
    const faults = [
      ...(isReason(evidence) && evidence.trim() !== ""
        ? []
        : [fieldFault("evidence", "1 to 1024 characters: what the merchant's records show")]),
      ...reasonFaults(request, true),
    ];
    if (faults.length > 0) return refuseFaults(faults);
    const key = await findTxKey(this.#settings, name);
    if (!key.ok) return key;
    const found = await this.#reader.find(key.value);
    if (found === undefined) return refuse("TRANSACTION_NOT_FOUND", { field: "tx_id" });
    const entry = auditEntry(request, "transaction close-contradiction", transactionTarget(name), [
      { field: "evidence", to: evidence },
    ]);
    return (await this.#notes.close(key.value, entry))
      ? ok(found)
      : refuse("RECORD_NOT_FOUND", { field: "contradiction" });
  }
}
