import { SPORTSBOOK } from "../../domain/catalog/provider.ts";
import { ok, type Result, refuse } from "../../domain/errors.ts";
import type { RoundEnd } from "../../domain/transaction/round.ts";
import { mayResend, type ResolvePolicy, resolve } from "../../domain/transaction/support.ts";
import { type DbTime, isReversal, type Transaction } from "../../domain/transaction/transaction.ts";
import { ownTxId, type TxId, wireTxId } from "../../domain/values/identifiers.ts";
import type { AdminStore, AuditEntry } from "../../ports/admin-store.ts";
import type { Slip, SlipStore } from "../../ports/transactions/slip-store.ts";
import type { StuckMoney } from "../../ports/transactions/stuck-money.ts";
import type { LoggedTransaction, TransactionReader } from "../../ports/transactions/transaction-reader.ts";
import { StoreFault, type TransactionStore } from "../../ports/transactions/transaction-store.ts";
import { type AdminRequest, auditEntry } from "../admin/changes.ts";
import { findTxKey, type TransactionName, transactionTarget } from "../admin/find-merchant.ts";
import type { Rounds } from "../rounds/rounds.ts";
import type { Settings } from "../runtime/settings.ts";

/** The maximum of audit log entries that are shown for one transaction. */
const ENTRIES_MAX = 100;

export interface Timeline {
  readonly transaction: LoggedTransaction;
  /** The transaction that the requested transaction reverses, or its reversal. */
  readonly related: LoggedTransaction | undefined;
  readonly slip: TimelineSlip | undefined;
  /** The audit log entries, the oldest first. */
  readonly entries: readonly AuditEntry[];
  readonly now: DbTime;
  readonly resendable: boolean;
  /** The field because of which support may not close the transaction; null: support may close it. */
  readonly notResolvableBecause: string | null;
  /** Whether the transaction is in the list of contradictions. */
  readonly contradiction: boolean;
  /** Whether the transaction's round has ended. */
  readonly round: RoundEnd;
}

interface TimelineSlip {
  readonly slip: Slip;
  /** The rows of the slip's bets, in the slip's order. undefined: the bet was not sent. */
  readonly rows: readonly { readonly txId: TxId; readonly row: Transaction | undefined }[];
}

/**
 * Reads one transaction with its life: the transaction that it reverses or its own reversal, its slip, its entries of
 * the audit log, and the actions that support may take.
 */
export class ShowTimeline {
  readonly #reader: TransactionReader;
  readonly #transactions: TransactionStore;
  readonly #slips: SlipStore;
  readonly #stuck: Pick<StuckMoney, "isContradiction">;
  readonly #rounds: Rounds;
  readonly #audit: AdminStore;
  readonly #settings: Settings;
  readonly #policy: ResolvePolicy;

  constructor(
    reader: TransactionReader,
    transactions: TransactionStore,
    slips: SlipStore,
    stuck: Pick<StuckMoney, "isContradiction">,
    rounds: Rounds,
    audit: AdminStore,
    settings: Settings,
    policy: ResolvePolicy,
  ) {
    this.#reader = reader;
    this.#transactions = transactions;
    this.#slips = slips;
    this.#stuck = stuck;
    this.#rounds = rounds;
    this.#audit = audit;
    this.#settings = settings;
    this.#policy = policy;
  }

  /**
   * The timeline of one transaction. Refusals: RECORD_NOT_FOUND (`merchant`), TRANSACTION_NOT_FOUND. Throws
   * StoreUnavailable.
   */
  async show(request: AdminRequest, name: TransactionName): Promise<Result<Timeline>> {
    const key = await findTxKey(this.#settings, name);
    if (!key.ok) return key;
    await this.#audit.record(auditEntry(request, "transaction show", transactionTarget(name), []));
    const transaction = await this.#reader.find(key.value);
    if (transaction === undefined) return refuse("TRANSACTION_NOT_FOUND", { field: "tx_id" });
    const row = transaction.transaction;
    const other = isReversal(row.action) ? row.refTxId : row.reversedBy;
    const related = other === null ? undefined : await this.#reader.find({ ...key.value, txId: other });
    return ok({
      transaction,
      related,
      slip: await this.#slipOf(row),
      entries: await this.#entries([name.txId, ...(other === null ? [] : [other])], name.merchant),
      now: row.readAt,
      ...(await this.#actions(row, other)),
      contradiction: await this.#stuck.isContradiction(key.value),
      round: await this.#rounds.endOf(
        { merchantId: row.merchantId, provider: row.game.provider, roundId: row.roundId },
        row.action === "bet" && row.status !== "failed" ? row.createdAt : null,
      ),
    });
  }

  /** The actions that support may do now, by the same rules that these actions apply. */
  async #actions(
    row: Transaction,
    otherId: TxId | null,
  ): Promise<Pick<Timeline, "resendable" | "notResolvableBecause">> {
    // The reader does not return void rows, but a void reversal matters here too.
    const [other] = otherId === null ? [] : await this.#rows(row.merchantId, [otherId]);
    const resolution = resolve(row, other, "success", this.#policy);
    return {
      resendable: mayResend(row, other, this.#policy.quietPeriodMs),
      notResolvableBecause: resolution.ok ? null : (resolution.refusal.field ?? "status"),
    };
  }

  async #slipOf(row: Transaction): Promise<TimelineSlip | undefined> {
    const bet = row.action === "refund" ? row.refTxId : row.txId;
    if (row.game.provider !== SPORTSBOOK || bet === null) return undefined;
    const slip = await this.#slips.ofBet(row.merchantId, ownTxId(bet));
    if (slip === undefined) return undefined;
    const ids = slip.bets.map(({ txId }) => wireTxId(row.game.provider, txId));
    const rows = await this.#rows(row.merchantId, ids);
    return { slip, rows: ids.map((txId, i) => ({ txId, row: rows[i] })) };
  }

  async #rows(merchantId: number, txIds: readonly TxId[]): Promise<(Transaction | undefined)[]> {
    const rows = await this.#transactions.read(txIds.map((txId) => ({ merchantId, txId })));
    return rows.map((row) => {
      if (row instanceof StoreFault) throw row;
      return row;
    });
  }

  async #entries(txIds: readonly string[], merchant: string): Promise<AuditEntry[]> {
    const lists = await Promise.all(
      txIds.map((txId) => this.#audit.entries({ target: transactionTarget({ merchant, txId }) }, ENTRIES_MAX)),
    );
    return lists.flat().sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}
