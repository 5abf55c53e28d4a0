import { type FieldFault, ok, type Result, refuse } from "../../domain/errors.ts";
import { playerFaults } from "../../domain/transaction/request-faults.ts";
import { decideReverse, type ReverseFields } from "../../domain/transaction/reversal.ts";
import type { Answer, Content } from "../../domain/transaction/transaction.ts";
import { idFault, isOwnTxId, isRoundId, wireTxId } from "../../domain/values/identifiers.ts";
import { isAmount } from "../../domain/values/money.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Provider } from "../../ports/settings-store.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { Span, Tracing } from "../../ports/tracing.ts";
import type { LoadShedder } from "../capacity/load-shedder.ts";
import { refuseWhenUnavailable } from "../runtime/refuse-when-unavailable.ts";
import { type MoveReply, moveReplyOf } from "./move-reply.ts";
import type { PlayerContext, PlayerLookup } from "./player-lookup.ts";
import type { Transact } from "./transact.ts";

/** A provider's request to reverse an id. Its ids are those that the provider uses. Nothing is validated yet. */
export interface ReverseRequest {
  /** The authenticated caller. */
  readonly provider: Provider;
  readonly sessionId: string;
  readonly playerRef: string;
  readonly game: string;
  readonly txId: string;
  readonly refTxId: string;
  /** `other`: the caller gave a kind that cannot be reversed. */
  readonly kind: "bet" | "win" | "other" | null;
  readonly amountMinor: bigint | null;
  /** Empty: the caller does not say. So for `roundId`. */
  readonly currency: string;
  readonly roundId: string;
  readonly unlessSettled: boolean;
  readonly deliver: boolean;
  /** When the caller stops waiting, by Clock.monotonic(). */
  readonly deadline: number;
  readonly traceparent?: string | null;
}

/** What the request meant. `nothing`: the bet was rejected. `marked`: nothing is known under the id. */
export type ReverseOutcome = "refund" | "rollback" | "nothing" | "marked";

export interface ReverseReply extends MoveReply {
  readonly outcome: ReverseOutcome;
}

/** Finds out what a provider's request to reverse an id means, and does it. */
export class ReverseTransaction {
  readonly #players: PlayerLookup;
  readonly #transact: Transact;
  readonly #loadShedder: LoadShedder;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #tracing: Tracing | null;

  constructor(
    players: PlayerLookup,
    transact: Transact,
    loadShedder: LoadShedder,
    clock: Clock,
    telemetry: Telemetry,
    tracing: Tracing | null = null,
  ) {
    this.#players = players;
    this.#transact = transact;
    this.#loadShedder = loadShedder;
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#tracing = tracing;
  }

  /**
   * Returns the reversal's status and what was reversed. Refusals: VALIDATION_ERROR, INVALID_AMOUNT, SESSION_NOT_FOUND,
   * DEMO_SESSION, GAME_NOT_FOUND, CURRENCY_NOT_ENABLED, TRANSACTION_MISMATCH, BET_SETTLED, OVERLOADED,
   * SERVICE_UNAVAILABLE.
   */
  async reverse(request: ReverseRequest): Promise<Result<ReverseReply>> {
    const span = this.#tracing?.request("reverse", request.traceparent ?? null);
    let result: Result<ReverseReply> | undefined;
    try {
      result = await this.#admit(request, span);
      return result;
    } finally {
      const action = result?.ok === true && result.value.outcome === "rollback" ? "rollback" : "refund";
      if (result !== undefined) this.#telemetry.transaction(action, result.ok ? result.value.status : "refused");
      const outcome = result === undefined ? "INTERNAL_ERROR" : result.ok ? result.value.outcome : result.refusal.code;
      span?.end(result === undefined, { action, outcome });
    }
  }

  async #admit(request: ReverseRequest, span: Span | undefined): Promise<Result<ReverseReply>> {
    const faults = faultsOf(request);
    if (faults.length > 0) return refuse("VALIDATION_ERROR", { details: faults });
    if (!this.#loadShedder.enter("credit")) return refuse("OVERLOADED");
    const ids = { tx_id: wireTxId(request.provider.code, request.txId), trace_id: span?.traceId };
    return refuseWhenUnavailable(
      this.#telemetry,
      `reverse ${request.txId}`,
      () => this.#reverse(request, span),
      ids,
    ).finally(() => this.#loadShedder.leave());
  }

  async #reverse(request: ReverseRequest, span: Span | undefined): Promise<Result<ReverseReply>> {
    const found = await this.#players.find(request);
    if (!found.ok) return found;
    const context = found.value;
    const { id: merchantId, code, currency } = context.merchant;
    if (request.amountMinor !== null && !isAmount(request.amountMinor, currency))
      return refuse("INVALID_AMOUNT", { field: "amount_minor" });
    const fields = fieldsOf(request, context);
    span?.set({ merchant: code, txId: fields.txId });
    while (this.#clock.monotonic() < request.deadline) {
      const [own, original] = await Promise.all([
        this.#transact.read({ merchantId, txId: fields.txId }),
        this.#transact.read({ merchantId, txId: fields.refTxId }),
      ]);
      const next = decideReverse(fields, own, original);
      switch (next.do) {
        case "refuse":
          return { ok: false, refusal: next.refusal };
        case "nothing":
          return ok(withoutCall("nothing"));
        case "sealed":
          return ok(withoutCall("marked"));
        case "seal": {
          const gate = await this.#players.gate(context, request.currency || currency, []);
          if (gate !== undefined) return { ok: false, refusal: gate };
          if (await this.#transact.seal(unknownOriginal(fields, context), fields.txId, span))
            return ok(withoutCall("marked"));
          // Something has come under this id since it was read.
          break;
        }
        case "run":
          return this.#run(request, context, next.content, own === undefined || own.status === "void", span);
      }
    }
    return refuse("SERVICE_UNAVAILABLE");
  }

  async #run(
    { deadline, unlessSettled, deliver }: ReverseRequest,
    context: PlayerContext,
    content: Content,
    isNew: boolean,
    span: Span | undefined,
  ): Promise<Result<ReverseReply>> {
    const gate = isNew ? await this.#players.gate(context, content.currency, []) : undefined;
    if (gate !== undefined) return { ok: false, refusal: gate };
    const conditions = { ...(unlessSettled && { unlessSettled }), ...(deliver && { deliver }) };
    const result: Result<Answer> = await this.#transact.run({ ...content, ...conditions }, deadline, span);
    const outcome = content.action === "refund" ? "refund" : "rollback";
    return result.ok ? ok({ ...moveReplyOf(result.value), outcome }) : result;
  }
}

const withoutCall = (outcome: ReverseOutcome): ReverseReply => ({
  status: "success",
  balanceMinor: null,
  error: "",
  txId: "",
  outcome,
});

function faultsOf(request: ReverseRequest): FieldFault[] {
  const { txId, refTxId, roundId, kind } = request;
  const faults = playerFaults(request);
  if (!isOwnTxId(txId)) faults.push(idFault("tx_id", 95));
  if (roundId !== "" && !isRoundId(roundId)) faults.push(idFault("round_id", 128));
  if (!isOwnTxId(refTxId)) faults.push(idFault("ref_tx_id", 95));
  if (refTxId === txId) faults.push({ field: "ref_tx_id", rule: "differs from tx_id" });
  if (kind === "other") faults.push({ field: "kind", rule: "a bet or a win" });
  return faults;
}

const fieldsOf = (request: ReverseRequest, { playerId }: PlayerContext): ReverseFields => ({
  txId: wireTxId(request.provider.code, request.txId),
  refTxId: wireTxId(request.provider.code, request.refTxId),
  playerId,
  kind: request.kind === "other" ? null : request.kind,
  amountMinor: request.amountMinor,
  currency: request.currency === "" ? null : request.currency,
  roundId: request.roundId === "" ? null : request.roundId,
});

/** The content of the void row for an unknown id. Nothing reads it, because the row is void for ever. */
const unknownOriginal = (fields: ReverseFields, { merchant, game }: PlayerContext): Content => ({
  merchantId: merchant.id,
  txId: fields.refTxId,
  action: "bet",
  playerId: fields.playerId,
  roundId: fields.roundId ?? "",
  amountMinor: 0n,
  currency: merchant.currency,
  game,
  refTxId: null,
});
