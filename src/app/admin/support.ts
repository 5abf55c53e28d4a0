import { ok, type Result, refuse } from "../../domain/errors.ts";
import { type ResolvePolicy, resolve } from "../../domain/transaction/support.ts";
import { isReversal, type Transaction } from "../../domain/transaction/transaction.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import type { TxId } from "../../domain/values/identifiers.ts";
import { wholeMs } from "../../domain/values/whole-ms.ts";
import type { AdminStore } from "../../ports/admin-store.ts";
import type { Random } from "../../ports/random.ts";
import type {
  ListedTransaction,
  LoggedTransaction,
  TransactionReader,
} from "../../ports/transactions/transaction-reader.ts";
import { StoreFault, type TransactionStore } from "../../ports/transactions/transaction-store.ts";
import type { TransactionSupport } from "../../ports/transactions/transaction-support.ts";
import type { Sequencer } from "../feed/sequencer.ts";
import type { Settings } from "../runtime/settings.ts";
import type { ResendTransaction } from "../transaction/resend-transaction.ts";
import { type AdminRequest, auditEntry, reasonFaults, refuseFaults } from "./changes.ts";
import { findMerchant, findTxKey, type TransactionName, transactionTarget } from "./find-merchant.ts";
import type { Page, PageRequest } from "./page.ts";
import { readTransactionsPage, type TransactionListFilter } from "./transactions-page.ts";

/** A transaction that support closed, and the reversed transaction that was closed with it. */
export interface Resolved {
  readonly transaction: ListedTransaction;
  readonly reversed: ListedTransaction | undefined;
}

/** Shows, resends and closes transactions for support. Every read is written to the audit log. */
export class Support {
  readonly #reader: TransactionReader;
  readonly #support: TransactionSupport;
  readonly #transactions: TransactionStore;
  readonly #resend: ResendTransaction;
  readonly #audit: AdminStore;
  readonly #settings: Settings;
  readonly #random: Random;
  readonly #policy: ResolvePolicy;
  readonly #feed: Pick<Sequencer, "changed">;

  /** @param feed - gets a merchant's id after one of its rows has changed. */
  constructor(
    reader: TransactionReader,
    support: TransactionSupport,
    transactions: TransactionStore,
    resend: ResendTransaction,
    audit: AdminStore,
    settings: Settings,
    random: Random,
    policy: ResolvePolicy,
    feed: Pick<Sequencer, "changed">,
  ) {
    this.#reader = reader;
    this.#support = support;
    this.#transactions = transactions;
    this.#resend = resend;
    this.#audit = audit;
    this.#settings = settings;
    this.#random = random;
    this.#policy = policy;
    this.#feed = feed;
  }

  async get(request: AdminRequest, name: TransactionName): Promise<Result<LoggedTransaction>> {
    const key = await findTxKey(this.#settings, name);
    if (!key.ok) return key;
    await this.#audit.record(auditEntry(request, "transaction show", transactionTarget(name), []));
    const found = await this.#reader.find(key.value);
    return found === undefined ? refuse("TRANSACTION_NOT_FOUND", { field: "tx_id" }) : ok(found);
  }

  async list(
    request: AdminRequest,
    merchantCode: string,
    filter: TransactionListFilter,
    pageRequest: PageRequest,
  ): Promise<Result<Page<ListedTransaction>>> {
    const merchant = await findMerchant(this.#settings, merchantCode);
    if (!merchant.ok) return merchant;
    const read = await readTransactionsPage(merchantCode, filter, pageRequest, () => this.#reader.now());
    if (!read.ok) return read;
    const { query, chosen, limit, cursorBehind } = read.value;
    await this.#audit.record(auditEntry(request, "transaction list", `merchant ${merchantCode}`, chosen));
    const found = await this.#reader.list({ ...query, merchantId: merchant.value.id }, limit + 1);
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    return ok({ items, nextCursor: last === undefined ? "" : cursorBehind(last) });
  }

  /** Makes a win or refund due now. The call may be repeated. */
  async resend(request: AdminRequest, name: TransactionName): Promise<Result<ListedTransaction>> {
    const faults = reasonFaults(request, true);
    if (faults.length > 0) return refuseFaults(faults);
    const key = await findTxKey(this.#settings, name);
    if (!key.ok) return key;
    return this.#resend.resend(key.value, (row) => {
      const changes = row.status === "failed" ? [{ field: "status", from: "failed", to: "pending" }] : [];
      return this.#audit.record(auditEntry(request, "transaction resend", transactionTarget(name), changes));
    });
  }

  /**
   * Closes a transaction that has been pending for longer than the horizon. Its last unanswered attempt must be older
   * than the quiet period.
   */
  async resolve(request: AdminRequest, name: TransactionName, status: string): Promise<Result<Resolved>> {
    const faults = [
      ...(status === "success" || status === "failed" ? [] : [fieldFault("status", "success or failed")]),
      ...reasonFaults(request, true),
    ];
    if (faults.length > 0) return refuseFaults(faults);
    const key = await findTxKey(this.#settings, name);
    if (!key.ok) return key;
    const found = await this.#reader.find(key.value);
    if (found === undefined) return refuse("TRANSACTION_NOT_FOUND", { field: "tx_id" });
    const row = found.transaction;
    const other = isReversal(row.action) ? await this.#row(row, row.refTxId) : await this.#reversalOf(row);
    const won = await this.#row(row, row.playWin);
    const resolution = resolve(row, other, status as "success" | "failed", this.#policy, won);
    if (!resolution.ok) return resolution;
    const { change, reversed, win } = resolution.value;
    const horizonMs = wholeMs(this.#policy.horizonMs);
    const token = this.#random.token();
    const line = { key: key.value, seen: row, token, horizonMs, change, ...(win !== undefined && { win }) };
    const reversedLine =
      other === undefined || !isReversal(row.action)
        ? {}
        : { reversed: { txId: other.txId, seen: other.status, change: reversed } };
    const changes = [
      { field: "status", from: row.status, to: change.state.status },
      ...(reversed === null || other === undefined
        ? []
        : [{ field: `status of ${other.txId}`, from: other.status, to: reversed.state.status }]),
      ...(win === undefined ? [] : [{ field: `status of ${win}`, from: "", to: "pending" }]),
    ];
    const closed = await this.#support.resolve(
      { ...line, ...reversedLine },
      auditEntry(request, "transaction resolve", transactionTarget(name), changes),
    );
    // The row changed after it was read, so the decision no longer holds.
    if (!closed) return refuse("NOT_RESOLVABLE", { field: "status" });
    this.#feed.changed(row.merchantId);
    const withIt = reversed === null || other === undefined ? undefined : await this.#reader.find(other);
    return ok({ transaction: (await this.#reader.find(key.value)) ?? found, reversed: withIt });
  }

  #reversalOf(row: Transaction): Promise<Transaction | undefined> {
    return this.#row(row, row.reversedBy);
  }

  async #row({ merchantId }: Transaction, txId: TxId | null): Promise<Transaction | undefined> {
    if (txId === null) return undefined;
    const [row] = await this.#transactions.read([{ merchantId, txId }]);
    if (row instanceof StoreFault) throw row;
    return row;
  }
}
