import { CURRENCY_GROUPINGS, MERCHANT_GROUPINGS } from "../../../contract/values/groupings.ts";
import { mayAct } from "../../domain/access/role.ts";
import { ok, type Result, refuse } from "../../domain/errors.ts";
import { readLaunch } from "../../domain/merchant/launch-policy.ts";
import { type Ggr, type GgrFields, readGgrRequest } from "../../domain/transaction/report.ts";
import type { TransactionFields } from "../../domain/transaction/transaction-fields.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import { isProviderCode, isRoundId, type TxId } from "../../domain/values/identifiers.ts";
import type { AdminStore, NewAuditEntry } from "../../ports/admin-store.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { ListedTransaction, LoggedTransaction } from "../../ports/transactions/transaction-reader.ts";
import type { GgrReport, GgrSubject } from "../merchant/ggr-report.ts";
import type { Launched, LaunchGame } from "../merchant/launch.ts";
import type { Round, TransactionPage, Transactions } from "../merchant/transactions.ts";
import { type RoundFields, readRoundQuery } from "../merchant/transactions-query.ts";
import type { Settings } from "../runtime/settings.ts";
import type { ResendTransaction } from "../transaction/resend-transaction.ts";
import { type AdminRequest, auditEntry, notFound, reasonFaults, refuseFaults } from "./changes.ts";
import { findMerchant } from "./find-merchant.ts";

/** A report with more rows has no names. */
const NAMED_MAX = 3_000;

/**
 * The operations of the merchants' API for internal teams, with an admin key instead of the merchant's signature. Each
 * read of players' transactions, each launch and each resend is written to the audit log before it is carried out. Each
 * method may refuse with RECORD_NOT_FOUND (`merchant`) or SERVICE_UNAVAILABLE. It throws StoreUnavailable if the audit
 * log can't be written.
 */
export class OnBehalf {
  readonly #settings: Settings;
  readonly #audit: AdminStore;
  readonly #launchGame: LaunchGame;
  readonly #transactions: Transactions;
  readonly #resend: ResendTransaction;
  readonly #reports: GgrReport;

  constructor(
    settings: Settings,
    audit: AdminStore,
    launchGame: LaunchGame,
    transactions: Transactions,
    resend: ResendTransaction,
    reports: GgrReport,
  ) {
    this.#settings = settings;
    this.#audit = audit;
    this.#launchGame = launchGame;
    this.#transactions = transactions;
    this.#resend = resend;
    this.#reports = reports;
  }

  /** The merchant with this code, even if it is disabled. */
  merchant(code: string): Promise<Result<Merchant>> {
    return findMerchant(this.#settings, code);
  }

  /** @param fields - the request's fields by their names in the API, not yet validated. */
  async launch(
    request: AdminRequest,
    code: string,
    fields: Readonly<Record<string, unknown>>,
  ): Promise<Result<Launched>> {
    const merchant = await this.merchant(code);
    if (!merchant.ok) return merchant;
    const launch = readLaunch(fields);
    if (!launch.ok) return launch;
    if (!merchant.value.enabled) return refuse("MERCHANT_DISABLED", { field: "merchant" });
    const { playerId, game, demo } = launch.value;
    await this.#record(request, "game launch", `player ${code} ${playerId}`, [
      { field: "game", to: game },
      { field: "demo", to: demo },
    ]);
    return this.#launchGame.launch(merchant.value, launch.value);
  }

  async list(request: AdminRequest, code: string, fields: TransactionFields): Promise<Result<TransactionPage>> {
    const merchant = await this.merchant(code);
    if (!merchant.ok) return merchant;
    const query = this.#transactions.read(merchant.value, fields);
    if (!query.ok) return query;
    const filters = Object.entries(fields).filter(([, value]) => value !== undefined);
    await this.#record(
      request,
      "transaction list",
      `merchant ${code}`,
      filters.map(([field, to]) => ({ field, to })),
    );
    return this.#transactions.list(merchant.value, query.value);
  }

  async show(request: AdminRequest, code: string, txId: string): Promise<Result<LoggedTransaction>> {
    const merchant = await this.merchant(code);
    if (!merchant.ok) return merchant;
    // A text that can't be an id is refused here, so that it does not fill the audit log.
    if (!isRoundId(txId)) return refuse("TRANSACTION_NOT_FOUND", { field: "tx_id" });
    await this.#record(request, "transaction show", `transaction ${code} ${txId}`);
    return this.#transactions.show(merchant.value, txId);
  }

  async resend(request: AdminRequest, code: string, txId: string): Promise<Result<ListedTransaction>> {
    const faults = reasonFaults(request, true);
    if (faults.length > 0) return refuseFaults(faults);
    const merchant = await this.merchant(code);
    if (!merchant.ok) return merchant;
    if (!isRoundId(txId)) return refuse("TRANSACTION_NOT_FOUND", { field: "tx_id" });
    return this.#resend.resend({ merchantId: merchant.value.id, txId: txId as TxId }, ({ status }) =>
      this.#record(
        request,
        "transaction resend",
        `transaction ${code} ${txId}`,
        status === "failed" ? [{ field: "status", from: status, to: "pending" }] : [],
      ),
    );
  }

  async round(request: AdminRequest, code: string, round: RoundFields): Promise<Result<Round>> {
    const merchant = await this.merchant(code);
    if (!merchant.ok) return merchant;
    const { provider, roundId } = round;
    if (!isProviderCode(provider) || !isRoundId(roundId)) return refuse("ROUND_NOT_FOUND");
    await this.#record(request, "round show", `round ${code} ${provider} ${roundId}`);
    const query = readRoundQuery(merchant.value.code, round);
    return query.ok ? this.#transactions.round(merchant.value, query.value) : query;
  }

  /**
   * The report of a merchant, or of all merchants of a currency. A report by player needs the role that may read
   * transactions, and it is written to the audit log. Also refuses with VALIDATION_ERROR if both or neither are given, and
   * with RECORD_NOT_FOUND (`currency`) if no merchant has this currency.
   *
   * @param about - the merchant's code, or "" and the currency.
   */
  async ggr(
    request: AdminRequest,
    { merchant: code, currency }: { readonly merchant: string; readonly currency: string },
    fields: GgrFields,
  ): Promise<Result<Ggr>> {
    if (code === "" && currency === "") return refuseFaults([fieldFault("merchant", "required without currency")]);
    if (code !== "" && currency !== "") return refuseFaults([fieldFault("currency", "only without merchant")]);
    const subject = currency === "" ? await this.#merchantSubject(code) : await this.#currencySubject(currency);
    if (!subject.ok) return subject;
    const report = readGgrRequest(fields, currency === "" ? MERCHANT_GROUPINGS : CURRENCY_GROUPINGS);
    if (!report.ok) return report;
    if (report.value.groupBy === "player") {
      if (!mayAct(request.role, "support")) return refuse("ROLE_NOT_ALLOWED", { field: "group_by" });
      const { from, to } = report.value;
      await this.#record(request, "report ggr", `merchant ${code}`, [
        { field: "group_by", to: "player" },
        { field: "from", to: from },
        { field: "to", to },
      ]);
    }
    return this.#reports.makeWhole(subject.value, report.value);
  }

  /**
   * The name of a row's game or provider. Empty: the row has another group, or the report has so many rows that the
   * longest names might exceed the size of a message.
   */
  groupName({ groupBy, rows }: Pick<Ggr, "groupBy" | "rows">, key: string): string {
    if (rows.length > NAMED_MAX) return "";
    if (groupBy === "provider") return this.#settings.provider(key)?.name ?? "";
    const [provider = "", game = ""] = groupBy === "game" ? key.split(/\/(.*)/s) : [];
    return this.#settings.game(provider, game)?.name ?? "";
  }

  async #merchantSubject(code: string): Promise<Result<GgrSubject>> {
    const merchant = await this.merchant(code);
    return merchant.ok ? ok({ merchantIds: [merchant.value.id], currency: merchant.value.currency }) : merchant;
  }

  /** All merchants of the currency, also those that are disabled or were created a moment ago. */
  async #currencySubject(currency: string): Promise<Result<GgrSubject>> {
    if (!(await this.#settings.refresh())) return refuse("SERVICE_UNAVAILABLE");
    const merchants = this.#settings.merchants().filter((merchant) => merchant.currency === currency);
    const [first] = merchants;
    if (first === undefined) return notFound("currency");
    return ok({ merchantIds: merchants.map(({ id }) => id), currency: first.currency });
  }

  #record(
    request: AdminRequest,
    action: string,
    target: string,
    changes: NewAuditEntry["changes"] = [],
  ): Promise<void> {
    return this.#audit.record(auditEntry(request, action, target, changes));
  }
}
