import { type FieldFault, ok, type Refusal, type Result, refuse } from "../../domain/errors.ts";
import { firstDifference } from "../../domain/transaction/idempotency.ts";
import { sessionFaults } from "../../domain/transaction/request-faults.ts";
import { ofWin } from "../../domain/transaction/settlement.ts";
import type { TransactionRequest, WinOfPlay } from "../../domain/transaction/transaction.ts";
import { idFault, isOwnTxId, isRoundId, wireTxId } from "../../domain/values/identifiers.ts";
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

/** A bet or a win of a Play. The id is the provider's own. */
interface PlayPart extends GivenLabels {
  readonly txId: string;
  readonly amountMinor: bigint;
}

/** A provider's request to take a bet and pay its win. Nothing is validated yet. */
export interface PlayRequest {
  /** The authenticated caller. */
  readonly provider: Provider;
  readonly sessionId: string;
  readonly roundId: string;
  readonly currency: string;
  /** The code of the game. Empty: the session's game. */
  readonly game: string;
  /** undefined: the caller sent none. */
  readonly bet: PlayPart | undefined;
  /** `settles`: whether the win is the only settlement of the bet. undefined: the caller sent none. */
  readonly win: (PlayPart & { readonly settles: boolean }) | undefined;
  /** Whether the round ends when the bet, or the win if there is one, is a success. */
  readonly roundEnded?: boolean;
  /** When the caller stops waiting, by Clock.monotonic(). */
  readonly deadline: number;
  /** The caller's header `traceparent`; null or absent: the caller sent none. */
  readonly traceparent?: string | null;
}

/** `bet` decides about the whole. `win` is null if no win was sent: its amount is 0, or the bet is no success. */
export interface PlayReply {
  readonly bet: MoveReply;
  readonly win: MoveReply | null;
}

/** A request whose fields are complete. */
type Complete = PlayRequest & { readonly [Part in "bet" | "win"]: NonNullable<PlayRequest[Part]> };

/** Refusals of a win that are final: its bet was taken, and the win will not be paid. */
const FINAL = new Set<Refusal["code"]>([
  "TRANSACTION_MISMATCH",
  "TRANSACTION_REVERSED",
  "BET_NOT_FOUND",
  "BET_SETTLED",
]);

/** Takes a bet and pays its win: both are stored before the wallet is called (docs/specification/play.md). */
export class Play {
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
    this.#players = players;
    this.#transact = transact;
    this.#balance = balance;
    this.#loadShedder = loadShedder;
    this.#telemetry = telemetry;
    this.#rounds = rounds;
    this.#tracing = tracing;
  }

  /**
   * Returns the results of the bet and of the win. Refusals: VALIDATION_ERROR, INVALID_AMOUNT, SESSION_NOT_FOUND,
   * SESSION_EXPIRED, DEMO_SESSION, GAME_NOT_FOUND, CURRENCY_NOT_ENABLED, PRODUCT_NOT_ENABLED, MERCHANT_DISABLED,
   * TRANSACTION_MISMATCH, TRANSACTION_REVERSED, OVERLOADED, SERVICE_UNAVAILABLE.
   */
  async play(request: PlayRequest): Promise<Result<PlayReply>> {
    const span = this.#tracing?.request("play", request.traceparent ?? null);
    let outcome: string | undefined;
    try {
      const result = await this.#admit(request, span);
      this.#telemetry.transaction("bet", result.ok ? result.value.bet.status : "refused");
      if (result.ok && result.value.win !== null) this.#telemetry.transaction("win", result.value.win.status);
      outcome = result.ok ? result.value.bet.status : result.refusal.code;
      return result;
    } finally {
      span?.end(outcome === undefined, { action: "bet", outcome: outcome ?? "INTERNAL_ERROR" });
    }
  }

  async #admit(request: PlayRequest, span: Span | undefined): Promise<Result<PlayReply>> {
    const faults = faultsOf(request);
    const { bet, win } = request;
    if (faults.length > 0 || bet === undefined || win === undefined)
      return refuse("VALIDATION_ERROR", { details: faults });
    if (!this.#loadShedder.enter("debit")) return refuse("OVERLOADED");
    return refuseWhenUnavailable(
      this.#telemetry,
      `play ${bet.txId}`,
      () => this.#play({ ...request, bet, win }, span),
      { tx_id: wireTxId(request.provider.code, bet.txId), trace_id: span?.traceId },
    ).finally(() => this.#loadShedder.leave());
  }

  async #play(request: Complete, span: Span | undefined): Promise<Result<PlayReply>> {
    const found = await this.#players.find({ ...request, playerRef: "" });
    if (!found.ok) return found;
    const context = found.value;
    for (const part of ["bet", "win"] as const)
      if (!isAmount(request[part].amountMinor, context.merchant.currency))
        return refuse("INVALID_AMOUNT", { field: `${part}.amount_minor` });
    const { bet, win } = contentsOf(request, context);
    // A label that breaks its rule does not refuse a win.
    for (const { field, given } of readLabels("win", request.win).faults) {
      const { merchantId, txId } = win;
      this.#telemetry.alert("label_differs", { merchant_id: merchantId, tx_id: txId, field, given, recorded: null });
    }
    span?.set({ merchant: context.merchant.code, txId: bet.txId });
    const paysAlone = bet.amountMinor === 0n && win.amountMinor > 0n;
    const bets = paysAlone ? [] : [{ roundId: request.roundId, field: "round_id" }];
    const gate = await this.#players.gate(context, request.currency, bets);
    if (gate !== undefined) {
      // The gate's checks apply only to new ids. A known id is answered from its row, whatever has expired since.
      const first = paysAlone ? { ...win, bet: undefined } : bet;
      const row = await this.#transact.read(first);
      if (row === undefined || row.status === "void") return { ok: false, refusal: gate };
      const differs = firstDifference(row, first as TransactionRequest);
      if (differs !== undefined) return refuse("TRANSACTION_MISMATCH", { field: paysAlone ? ofWin(differs) : differs });
    }
    const played = await (bet.amountMinor === 0n
      ? this.#free(request, bet, win, span)
      : this.#both(request, bet, win, span));
    if (played.ok && request.roundEnded === true && hasEnded(played.value))
      await this.#rounds.end(request.provider, { ...roundOf(bet), openedAt: null });
    return played;
  }

  /** The bet and then its win. The win waits in the database until the bet is a success. */
  async #both(
    { deadline }: Complete,
    bet: TransactionRequest,
    win: WinOfPlay,
    span: Span | undefined,
  ): Promise<Result<PlayReply>> {
    const isWon = win.amountMinor > 0n;
    const taken = await this.#transact.run(isWon ? { ...bet, win } : bet, deadline, span);
    if (!taken.ok) return taken;
    const betReply = moveReplyOf(taken.value);
    if (betReply.status !== "success") return ok({ bet: betReply, win: null });
    if (isWon) return this.#paid(betReply, await this.#transact.run(win, deadline, span));
    // A win of 0 has no row. If its bet is new and is not settled by it, nothing can contradict it.
    const refusal = win.bet.settles || betReply.replayed === true ? await this.#transact.refusalOfZero(win) : undefined;
    if (refusal?.code === "TRANSACTION_MISMATCH") return { ok: false, refusal: refusalOfWin(refusal) };
    return refusal === undefined ? ok({ bet: betReply, win: null }) : this.#paid(betReply, { ok: false, refusal });
  }

  /** A bet of 0 takes nothing and has no row. Its win is a win without a bet. */
  async #free(
    request: Complete,
    bet: TransactionRequest,
    { bet: _named, ...win }: WinOfPlay,
    span: Span | undefined,
  ): Promise<Result<PlayReply>> {
    const refused =
      (await this.#transact.refusalOfZero(bet)) ?? (win.amountMinor === 0n ? await this.#refusalOfEnd(bet) : undefined);
    if (refused !== undefined) return { ok: false, refusal: refused };
    const free: MoveReply = { status: "success", balanceMinor: null, error: "", txId: "" };
    if (win.amountMinor > 0n) {
      const paid = await this.#transact.run(win, request.deadline, span);
      // Nothing was taken, so the refusal of the win is the answer.
      return paid.ok ? this.#paid(free, paid) : { ok: false, refusal: refusalOfWin(paid.refusal) };
    }
    const refusal = await this.#transact.refusalOfZero(win);
    if (refusal !== undefined) return { ok: false, refusal: refusalOfWin(refusal) };
    const queried = await this.#balance.query({
      ...request,
      playerRef: "",
      traceparent: span?.traceparent ?? request.traceparent ?? null,
    });
    const balanceMinor = queried.ok && queried.value.status === "success" ? queried.value.balanceMinor : null;
    return ok({ bet: { ...free, balanceMinor, balanceBeforeMinor: balanceMinor }, win: null });
  }

  /** The refusal of a Play of 0 in an ended round. Other bets are checked when their rows are written. */
  async #refusalOfEnd(bet: TransactionRequest): Promise<Refusal | undefined> {
    if (bet.unlessEnded !== true) return undefined;
    const endedAt = (await this.#rounds.read(roundOf(bet)))?.endedAt ?? null;
    return endedAt === null ? undefined : { code: "ROUND_ENDED", field: "round_id" };
  }

  /** The reply after the bet's success. */
  #paid(bet: MoveReply, paid: Awaited<ReturnType<Transact["run"]>>): Result<PlayReply> {
    if (paid.ok) return ok({ bet, win: moveReplyOf(paid.value) });
    if (!FINAL.has(paid.refusal.code)) return paid;
    return ok({ bet, win: { status: "failed", balanceMinor: null, error: paid.refusal.code, txId: "" } });
  }
}

/** Whether everything that was sent is a success. Only then does the round end. */
const hasEnded = ({ bet, win }: PlayReply): boolean =>
  bet.status === "success" && (win === null || win.status === "success");

const refusalOfWin = (refusal: Refusal): Refusal =>
  refusal.field === undefined ? refusal : { ...refusal, field: ofWin(refusal.field) };

function faultsOf({ sessionId, roundId, bet, win }: PlayRequest): FieldFault[] {
  const faults = sessionFaults(sessionId);
  if (!isRoundId(roundId)) faults.push(idFault("round_id", 128));
  if (bet === undefined) faults.push({ field: "bet", rule: "required" });
  else {
    if (!isOwnTxId(bet.txId)) faults.push(idFault("bet.tx_id", 95));
    for (const { field, rule } of readLabels("bet", bet).faults) faults.push({ field: `bet.${field}`, rule });
    if (bet.kind === "adjustment") faults.push({ field: "bet.kind", rule: "no adjustment" });
  }
  if (win === undefined) faults.push({ field: "win", rule: "required" });
  else if (!isOwnTxId(win.txId)) faults.push(idFault("win.tx_id", 95));
  else if (win.txId === bet?.txId) faults.push({ field: "win.tx_id", rule: "differs from bet.tx_id" });
  return faults;
}

function contentsOf(
  { provider, roundId, currency, bet, win, roundEnded }: Complete,
  { merchant, playerId, game }: PlayerContext,
): { readonly bet: TransactionRequest; readonly win: WinOfPlay } {
  const common = { merchantId: merchant.id, playerId, roundId, currency: currency as Currency, game, refTxId: null };
  const ends = roundEnded === true;
  const betId = wireTxId(provider.code, bet.txId);
  const labels = (action: "bet" | "win", part: GivenLabels) => {
    const read = readLabels(action, part);
    return read.labels === undefined ? {} : { labels: read.labels };
  };
  return {
    bet: {
      ...common,
      action: "bet",
      txId: betId,
      amountMinor: bet.amountMinor,
      ...labels("bet", bet),
      ...(ends && win.amountMinor === 0n && { roundEnded: ends }),
      ...(provider.endsRoundsSince !== null && { unlessEnded: true }),
    },
    win: {
      ...common,
      action: "win",
      txId: wireTxId(provider.code, win.txId),
      amountMinor: win.amountMinor,
      bet: { txId: betId, settles: win.settles },
      ...labels("win", win),
      ...(ends && win.amountMinor > 0n && { roundEnded: ends }),
    },
  };
}
