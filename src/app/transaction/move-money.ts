import { type FieldFault, ok, type Refusal, type Result, refuse } from "../../domain/errors.ts";
import { firstDifference } from "../../domain/transaction/idempotency.ts";
import { isRoundless, moveFaults } from "../../domain/transaction/request-faults.ts";
import {
  type Action,
  type Content,
  isCredit,
  isReversal,
  type TransactionRequest,
} from "../../domain/transaction/transaction.ts";
import { type Carried, carriedOf } from "../../domain/values/carried.ts";
import { wireTxId } from "../../domain/values/identifiers.ts";
import { type GivenLabels, readLabels } from "../../domain/values/labels.ts";
import { type Currency, isAmount } from "../../domain/values/money.ts";
import type { Provider } from "../../ports/settings-store.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { Span, Tracing } from "../../ports/tracing.ts";
import type { LoadShedder } from "../capacity/load-shedder.ts";
import { type RoundEnds, roundOf } from "../rounds/round-ends.ts";
import { refuseWhenUnavailable } from "../runtime/refuse-when-unavailable.ts";
import { type MoveReply, moveReplyOf } from "./move-reply.ts";
import type { PlayerContext, PlayerLookup } from "./player-lookup.ts";
import type { QueryBalance } from "./query-balance.ts";
import type { Transact } from "./transact.ts";

/**
 * A provider's request to move a player's money. Its ids are those that the provider uses. Nothing is validated yet.
 */
export interface MoveRequest extends Carried, GivenLabels {
  /** The authenticated caller. */
  readonly provider: Provider;
  readonly action: Action;
  /**
   * The session id. If it is empty, {@link playerRef} identifies the player and the merchant. A bet needs the session,
   * unless it is an adjustment.
   */
  readonly sessionId: string;
  readonly playerRef: string;
  readonly txId: string;
  /** The bet that a win names; empty or absent: none. */
  readonly betTxId?: string;
  /** Whether a win is the only settlement of the bet that it names. */
  readonly settles?: boolean;
  /** Whether a refund is refused if its bet is settled. */
  readonly unlessSettled?: boolean;
  /** Whether the round ends when this bet or win is a success. */
  readonly roundEnded?: boolean;
  readonly amountMinor: bigint;
  readonly currency: string;
  /** The code of the game. Empty: the session's game. */
  readonly game: string;
  /** When the caller stops waiting, by Clock.monotonic(). */
  readonly deadline: number;
  /** The caller's header `traceparent`, which may be any text; null or absent: the caller sent none. */
  readonly traceparent?: string | null;
  /**
   * Faults that the caller of the use case has found. The refusal lists them after the faults that this use case finds.
   */
  readonly faults?: readonly FieldFault[];
}

/** Checks a provider's bet, win, refund or rollback, and hands it to {@link Transact}. */
export abstract class MoveMoney {
  /**
   * Returns the transaction's status and the balance. Refusals: VALIDATION_ERROR, INVALID_AMOUNT, SESSION_NOT_FOUND,
   * SESSION_EXPIRED, DEMO_SESSION, GAME_NOT_FOUND, CURRENCY_NOT_ENABLED, PRODUCT_NOT_ENABLED, MERCHANT_DISABLED,
   * TRANSACTION_MISMATCH, TRANSACTION_REVERSED, BET_NOT_FOUND, BET_PENDING, BET_SETTLED, ROUND_ENDED, OVERLOADED,
   * SERVICE_UNAVAILABLE.
   */
  abstract move(request: MoveRequest): Promise<Result<MoveReply>>;
}

export class MoveMoneyThroughWallet extends MoveMoney {
  readonly #players: PlayerLookup;
  readonly #transact: Transact;
  readonly #balance: QueryBalance;
  readonly #loadShedder: LoadShedder;
  readonly #telemetry: Telemetry;
  readonly #rounds: Pick<RoundEnds, "end" | "read">;
  readonly #tracing: Tracing | null;

  constructor(
    players: PlayerLookup,
    transact: Transact,
    balance: QueryBalance,
    loadShedder: LoadShedder,
    telemetry: Telemetry,
    rounds: Pick<RoundEnds, "end" | "read">,
    tracing: Tracing | null = null,
  ) {
    super();
    this.#players = players;
    this.#transact = transact;
    this.#balance = balance;
    this.#loadShedder = loadShedder;
    this.#telemetry = telemetry;
    this.#rounds = rounds;
    this.#tracing = tracing;
  }

  override async move(request: MoveRequest): Promise<Result<MoveReply>> {
    const span = this.#tracing?.request(request.action, request.traceparent ?? null);
    let outcome: string | undefined;
    try {
      const result = await this.#admit(request, span);
      const status = result.ok ? result.value.status : "refused";
      this.#telemetry.transaction(request.action, status);
      outcome = result.ok ? status : result.refusal.code;
      return result;
    } finally {
      span?.end(outcome === undefined, { action: request.action, outcome: outcome ?? "INTERNAL_ERROR" });
    }
  }

  async #admit(request: MoveRequest, span: Span | undefined): Promise<Result<MoveReply>> {
    const faults = [...moveFaults(request), ...(request.faults ?? [])];
    if (faults.length > 0) return refuse("VALIDATION_ERROR", { details: faults });
    if (!this.#loadShedder.enter(isCredit(request.action) ? "credit" : "debit")) return refuse("OVERLOADED");
    return refuseWhenUnavailable(
      this.#telemetry,
      `${request.action} ${request.txId}`,
      () => this.#move(request, span),
      { tx_id: wireTxId(request.provider.code, request.txId), trace_id: span?.traceId },
    ).finally(() => this.#loadShedder.leave());
  }

  async #move(request: MoveRequest, span: Span | undefined): Promise<Result<MoveReply>> {
    const found = await this.#players.find(request);
    if (!found.ok) return found;
    const playerContext = found.value;
    const { currency } = playerContext.merchant;
    if (!isAmount(request.amountMinor, currency)) return refuse("INVALID_AMOUNT", { field: "amount_minor" });
    const content = contentOf(request, playerContext);
    span?.set({ merchant: playerContext.merchant.code, txId: content.txId });
    this.#reportLeftOut(request, content);
    // An adjustment takes back what an earlier result gave, whatever has happened to session, game and merchant since.
    const bets =
      request.action === "bet" && request.kind !== "adjustment"
        ? [{ roundId: request.roundId, field: "round_id" }]
        : [];
    const gate = await this.#players.gate(playerContext, request.currency, bets);
    if (gate === undefined && request.amountMinor === 0n) {
      const refusal = (await this.#transact.refusalOfZero(content)) ?? (await this.#refusalOfEnd(content));
      if (refusal !== undefined) return { ok: false, refusal };
      await this.#endRound(request, content);
      return this.#zero(request, span);
    }
    if (gate !== undefined) {
      const row = await this.#transact.read(content);
      // The gate's checks apply only to new ids. A known id is answered from its row, whatever has expired since.
      if (row === undefined || row.status === "void") return { ok: false, refusal: gate };
      // The contents are compared here and not by the database. The request's currency may be any text, also one that
      // is too long for its column.
      const differs = firstDifference(row, content);
      if (differs !== undefined) return refuse("TRANSACTION_MISMATCH", { field: differs });
    }
    const result = await this.#transact.run(content, request.deadline, span);
    if (!result.ok) return result;
    if (result.value.status === "success") await this.#endRound(request, content);
    return ok(moveReplyOf(result.value));
  }

  /** Ends the round if the request says so. Its caller gets a success only after this. */
  async #endRound({ provider }: MoveRequest, content: Content): Promise<void> {
    if (content.roundEnded) await this.#rounds.end(provider, { ...roundOf(content), openedAt: null });
  }

  /** The refusal of a bet of 0 in an ended round. Other bets are checked when their rows are written. */
  async #refusalOfEnd(content: TransactionRequest): Promise<Refusal | undefined> {
    if (content.unlessEnded !== true) return undefined;
    const endedAt = (await this.#rounds.read(roundOf(content)))?.endedAt ?? null;
    return endedAt === null ? undefined : { code: "ROUND_ENDED", field: "round_id" };
  }

  /** Raises an alert for each label of a credit that breaks its rule. The credit is paid without this label. */
  #reportLeftOut(request: MoveRequest, { merchantId, txId, action }: TransactionRequest): void {
    if (action !== "win") return;
    for (const { field, given } of readLabels(action, request).faults)
      this.#telemetry.alert("label_differs", { merchant_id: merchantId, tx_id: txId, field, given, recorded: null });
  }

  /**
   * An amount of 0 moves no money: only the balance is queried, and no row is written. If the wallet is silent, the
   * balance is null.
   */
  async #zero(request: MoveRequest, span: Span | undefined): Promise<Result<MoveReply>> {
    const queried = await this.#balance.query({
      ...request,
      traceparent: span?.traceparent ?? request.traceparent ?? null,
    });
    const balanceMinor = queried.ok && queried.value.status === "success" ? queried.value.balanceMinor : null;
    return ok({ status: "success", balanceMinor, balanceBeforeMinor: balanceMinor, error: "", txId: "" });
  }
}

function contentOf(request: MoveRequest, playerContext: PlayerContext): TransactionRequest {
  const { betTxId = "", settles = false, unlessSettled = false, roundEnded = false } = request;
  const labels = isReversal(request.action) ? undefined : readLabels(request.action, request).labels;
  const roundless = isRoundless(request, labels);
  // An adjustment takes money back after its round.
  const unlessEnded =
    request.action === "bet" && request.kind !== "adjustment" && request.provider.endsRoundsSince !== null;
  return {
    merchantId: playerContext.merchant.id,
    txId: wireTxId(request.provider.code, request.txId),
    action: request.action,
    playerId: playerContext.playerId,
    amountMinor: request.amountMinor,
    // This may be any text. If it is not the merchant's currency, a new id is refused, and a known id differs from its
    // row.
    currency: request.currency as Currency,
    game: playerContext.game,
    ...carriedOf(request),
    ...(roundless && { roundId: labels?.promoId ?? "", roundless }),
    ...(labels !== undefined && { labels }),
    refTxId: isReversal(request.action) ? wireTxId(request.provider.code, request.refTxId ?? "") : null,
    ...(betTxId !== "" && { bet: { txId: wireTxId(request.provider.code, betTxId), settles } }),
    ...(roundEnded && !roundless && { roundEnded }),
    ...(unlessSettled && { unlessSettled }),
    ...(unlessEnded && { unlessEnded }),
  };
}
