import { type FieldFault, ok, type Result, refuse } from "../../domain/errors.ts";
import { sessionFaults } from "../../domain/transaction/request-faults.ts";
import { type RoundEnd, roundEnd } from "../../domain/transaction/round.ts";
import { isReversal, type Transaction } from "../../domain/transaction/transaction.ts";
import { PAGE_MAX, PAGE_STANDARD } from "../../domain/transaction/transaction-fields.ts";
import { idFault, isOwnTxId, isRoundId, type TxId, wireTxId } from "../../domain/values/identifiers.ts";
import type { Merchant, Provider } from "../../ports/settings-store.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { ProviderRecords, RecordedTransaction } from "../../ports/transactions/provider-records.ts";
import type { RoundStore } from "../../ports/transactions/round-store.ts";
import type { ListPosition } from "../../ports/transactions/transaction-reader.ts";
import type { LoadShedder } from "../capacity/load-shedder.ts";
import { readCursor, writeCursor } from "../merchant/cursor.ts";
import { refuseWhenUnavailable } from "../runtime/refuse-when-unavailable.ts";
import type { Settings } from "../runtime/settings.ts";
import type { PlayerLookup, SessionStanding } from "./player-lookup.ts";

/** Names the merchant of a question by a session or a player. Both empty: the records of all merchants are searched. */
interface MerchantName {
  /** The authenticated caller. */
  readonly provider: Provider;
  readonly sessionId: string;
  readonly playerRef: string;
}

export interface TransactionQuestion extends MerchantName {
  /** The provider's own id. */
  readonly txId: string;
}

export interface RoundQuestion extends MerchantName {
  readonly roundId: string;
  /** The maximum of transactions of the page; 0: the standard. */
  readonly limit: number;
  /** The cursor that the page before had; empty: the first page. */
  readonly cursor: string;
}

export interface SessionQuestion {
  readonly provider: Provider;
  readonly sessionId: string;
  /** Whether the question is a use of the session. */
  readonly touch: boolean;
}

/** A transaction and its merchant's code. */
export interface Found extends RecordedTransaction {
  readonly merchant: string;
}

/** What is stored of a transaction. `marked`: only its reversal has come. */
export type TransactionKnowledge =
  | { readonly state: "unknown" }
  | { readonly state: "marked"; readonly reversedBy: TxId }
  | { readonly state: "found"; readonly found: Found };

export interface RoundKnowledge {
  readonly state: TransactionKnowledge["state"];
  readonly round: RoundEnd;
  /** The transactions of the page, oldest first. */
  readonly items: readonly Found[];
  /** The cursor of the next page; empty: this was the last page. */
  readonly nextCursor: string;
}

/**
 * Answers a provider's questions about its own transactions, rounds and sessions. It reads the database each time, so
 * every replica gives the same answer. It calls no wallet and writes nothing, except a session's use.
 *
 * Every method may refuse with VALIDATION_ERROR, SESSION_NOT_FOUND, DEMO_SESSION, OVERLOADED and SERVICE_UNAVAILABLE.
 */
export class ProviderQuestions {
  readonly #records: ProviderRecords;
  readonly #players: PlayerLookup;
  readonly #settings: Pick<Settings, "merchantById">;
  readonly #rounds: RoundStore;
  readonly #loadShedder: LoadShedder;
  readonly #telemetry: Telemetry;

  constructor(
    records: ProviderRecords,
    players: PlayerLookup,
    settings: Pick<Settings, "merchantById">,
    rounds: RoundStore,
    loadShedder: LoadShedder,
    telemetry: Telemetry,
  ) {
    this.#records = records;
    this.#players = players;
    this.#settings = settings;
    this.#rounds = rounds;
    this.#loadShedder = loadShedder;
    this.#telemetry = telemetry;
  }

  transaction(question: TransactionQuestion): Promise<Result<TransactionKnowledge>> {
    const faults = isOwnTxId(question.txId) ? [] : [idFault("tx_id", 95)];
    return this.#admit("GetTransaction", faults, () => this.#transaction(question));
  }

  round(question: RoundQuestion): Promise<Result<RoundKnowledge>> {
    const { roundId, limit } = question;
    const faults = isRoundId(roundId) ? [] : [idFault("round_id", 128)];
    if (limit > PAGE_MAX) faults.push({ field: "limit", rule: `0..${PAGE_MAX}` });
    return this.#admit("GetRound", faults, () => this.#round(question));
  }

  session({ provider, sessionId, touch }: SessionQuestion): Promise<Result<SessionStanding>> {
    return this.#admit("GetSession", sessionFaults(sessionId), () => this.#players.session(provider, sessionId, touch));
  }

  async #admit<T>(name: string, faults: readonly FieldFault[], answer: () => Promise<Result<T>>): Promise<Result<T>> {
    if (faults.length > 0) return refuse("VALIDATION_ERROR", { details: faults });
    if (!this.#loadShedder.enter("debit")) return refuse("OVERLOADED");
    return refuseWhenUnavailable(this.#telemetry, name, answer).finally(() => this.#loadShedder.leave());
  }

  async #transaction(question: TransactionQuestion): Promise<Result<TransactionKnowledge>> {
    const merchants = await this.#players.merchantsOf(question);
    if (!merchants.ok) return merchants;
    const rows = await this.#records.transactions(merchants.value.ids, wireTxId(question.provider.code, question.txId));
    const known = await Promise.all(rows.map((row) => this.#knowledgeOf(row)));
    const [one, ...more] = known.filter(({ state }) => state !== "unknown");
    return more.length > 0 ? severalMerchants("tx_id") : ok(one ?? { state: "unknown" });
  }

  async #knowledgeOf(row: RecordedTransaction): Promise<TransactionKnowledge> {
    const { transaction } = row;
    if (transaction.status !== "void") return this.#found(row);
    if (!isReversal(transaction.action)) return markOf(transaction);
    // This reversal has no effect of its own. If another one reversed the original, a repeat gets that one's result.
    const original = await this.#row(transaction.merchantId, transaction.refTxId);
    const first = await this.#row(transaction.merchantId, original?.transaction.reversedBy ?? null);
    return first === undefined ? { state: "unknown" } : this.#found(first);
  }

  async #row(merchantId: number, txId: TxId | null): Promise<RecordedTransaction | undefined> {
    return txId === null ? undefined : (await this.#records.transactions([merchantId], txId))[0];
  }

  #found(row: RecordedTransaction): TransactionKnowledge & { state: "found" } {
    return { state: "found", found: { ...row, merchant: this.#merchant(row.transaction.merchantId).code } };
  }

  async #round(question: RoundQuestion): Promise<Result<RoundKnowledge>> {
    const { provider, roundId, cursor } = question;
    const merchants = await this.#players.merchantsOf(question);
    if (!merchants.ok) return merchants;
    const { ids, isOne } = merchants.value;
    const round = { providerId: provider.id, roundId };
    const [one, ...more] = await this.#records.merchantsOfRound(ids, round);
    if (more.length > 0) return severalMerchants("round_id");
    const merchantId = one?.merchantId ?? (isOne ? ids[0] : undefined);
    const stored = merchantId === undefined ? undefined : await this.#rounds.read({ merchantId, ...round });
    const end = roundEnd(stored, one?.openedAt ?? null, provider.endsRoundsSince);
    if (one === undefined || !one.hasTransactions) {
      if (cursor !== "") return refuse("VALIDATION_ERROR", { details: [WRONG_CURSOR] });
      return ok({ state: one === undefined ? "unknown" : "marked", round: end, items: [], nextCursor: "" });
    }
    const { code } = this.#merchant(one.merchantId);
    const after = cursor === "" ? null : readPosition(code, provider, roundId, cursor);
    if (after === undefined) return refuse("VALIDATION_ERROR", { details: [WRONG_CURSOR] });
    const limit = question.limit === 0 ? PAGE_STANDARD : question.limit;
    const rows = await this.#records.round(one.merchantId, round, after ?? undefined, limit + 1);
    const items = rows.slice(0, limit).map((row) => this.#found(row).found);
    const last = rows.length > limit ? items.at(-1) : undefined;
    return ok({
      state: "found",
      round: end,
      items,
      nextCursor: last === undefined ? "" : writePosition(last, provider, roundId),
    });
  }

  #merchant(id: number): Merchant {
    const merchant = this.#settings.merchantById(id);
    if (merchant === undefined) throw new Error(`the settings have no merchant ${id}, but a transaction of it exists`);
    return merchant;
  }
}

/** A void bet or win. Without a mark, its reversal has not begun, so nothing is known of it. */
const markOf = ({ reversedBy }: Transaction): TransactionKnowledge =>
  reversedBy === null ? { state: "unknown" } : { state: "marked", reversedBy };

const severalMerchants = (id: string) =>
  refuse("VALIDATION_ERROR", {
    details: [{ field: "session_id", rule: `this or player_ref is required: several merchants have this ${id}` }],
  });

const LISTING = "a provider's round";
const WRONG_CURSOR: FieldFault = { field: "cursor", rule: "a next_cursor of this round" };

const writePosition = ({ merchant, id, transaction }: Found, provider: Provider, roundId: string): string =>
  writeCursor(LISTING, merchant, [provider.code, roundId, String(transaction.createdAt), String(id)]);

/** `undefined`: the cursor does not belong to this round. */
function readPosition(merchant: string, provider: Provider, roundId: string, cursor: string): ListPosition | undefined {
  const [ofProvider, ofRound, createdAt, id] = readCursor(LISTING, merchant, cursor) ?? [];
  const isOfRound = ofProvider === provider.code && ofRound === roundId;
  return isOfRound && isNumber(createdAt) && isNumber(id)
    ? { createdAt: Number(createdAt), id: BigInt(id) }
    : undefined;
}

const isNumber = (part: unknown): part is string => typeof part === "string" && /^\d{1,18}$/.test(part);
