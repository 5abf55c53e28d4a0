import { ok, type Result, refuse } from "../../domain/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { Span, Tracing } from "../../ports/tracing.ts";
import type { Wallet } from "../../ports/wallet.ts";
import type { LoadShedder } from "../capacity/load-shedder.ts";
import type { WalletPermits } from "../capacity/wallet-permits.ts";
import { refuseWhenUnavailable } from "../runtime/refuse-when-unavailable.ts";
import type { Settings } from "../runtime/settings.ts";
import { REPLY_RESERVE_MS } from "./drive.ts";
import type { MoveReply } from "./move-reply.ts";
import type { PlayerLookup, PlayerRequest } from "./player-lookup.ts";

export interface BalanceRequest extends PlayerRequest {
  /** When the caller stops waiting, by Clock.monotonic(). */
  readonly deadline: number;
  /** The caller's header `traceparent`, which may be any text; null or absent: the caller sent none. */
  readonly traceparent?: string | null;
}

/** Queries a player's balance. Each query calls the wallet. */
export abstract class QueryBalance {
  /**
   * Returns the balance. Refusals: those of {@link PlayerLookup.find}, OVERLOADED, SERVICE_UNAVAILABLE,
   * WALLET_UNAVAILABLE (the wallet gave no answer before the deadline).
   */
  abstract query(request: BalanceRequest): Promise<Result<MoveReply>>;
}

export class QueryBalanceOfWallet extends QueryBalance {
  readonly #players: PlayerLookup;
  readonly #wallet: Wallet;
  readonly #permits: WalletPermits;
  readonly #loadShedder: LoadShedder;
  readonly #telemetry: Telemetry;
  readonly #settings: Pick<Settings, "walletTarget">;
  readonly #clock: Clock;
  readonly #tracing: Tracing | null;

  constructor(
    players: PlayerLookup,
    wallet: Wallet,
    permits: WalletPermits,
    loadShedder: LoadShedder,
    telemetry: Telemetry,
    settings: Pick<Settings, "walletTarget">,
    clock: Clock,
    tracing: Tracing | null = null,
  ) {
    super();
    this.#players = players;
    this.#wallet = wallet;
    this.#permits = permits;
    this.#loadShedder = loadShedder;
    this.#telemetry = telemetry;
    this.#settings = settings;
    this.#clock = clock;
    this.#tracing = tracing;
  }

  /** Waits until shortly before the caller's deadline. The call to the wallet may go on after that. */
  override async query(request: BalanceRequest): Promise<Result<MoveReply>> {
    const late = Promise.withResolvers<Result<MoveReply>>();
    const leftMs = Math.max(0, request.deadline - this.#clock.monotonic() - REPLY_RESERVE_MS);
    const cancel = this.#clock.after(leftMs, () => late.resolve(refuse("WALLET_UNAVAILABLE", { cause: "wallet" })));
    const span = this.#tracing?.request("balance", request.traceparent ?? null);
    let outcome: string | undefined;
    try {
      const result = await Promise.race([this.#admit(request, span), late.promise]);
      outcome = result.ok ? result.value.status : result.refusal.code;
      return result;
    } finally {
      cancel();
      span?.end(outcome === undefined, { outcome: outcome ?? "INTERNAL_ERROR" });
    }
  }

  async #admit(request: BalanceRequest, span: Span | undefined): Promise<Result<MoveReply>> {
    if (!this.#loadShedder.enter("debit")) return refuse("OVERLOADED");
    return refuseWhenUnavailable(this.#telemetry, "balance query", () => this.#query(request, span), {
      trace_id: span?.traceId,
    }).finally(() => this.#loadShedder.leave());
  }

  async #query(request: BalanceRequest, span: Span | undefined): Promise<Result<MoveReply>> {
    const found = await this.#players.find(request);
    if (!found.ok) return found;
    const { merchant, playerId, game } = found.value;
    const permit = await this.#permits.take(merchant.id, "balance", request.deadline);
    if (permit === undefined) return refuse("OVERLOADED", { cause: "wallet" });
    const query = { playerId, currency: merchant.currency, provider: game.provider, game: game.code };
    const step = span?.begin("wallet call", { merchant: merchant.code });
    const reply = await this.#wallet
      .balance(this.#settings.walletTarget(merchant.id), query, step)
      .finally(() => permit.release());
    const { result, httpStatus, requestId, durationMs } = reply;
    step?.end(reply.answer.kind === "silent", { outcome: result, httpStatus, requestId });
    const ids = step && { request_id: requestId, trace_id: step.traceId };
    const { id: merchantId, code: merchantCode } = merchant;
    this.#telemetry.walletCall({ merchantId, merchantCode, kind: "balance", result, durationMs }, ids);
    if (reply.answer.kind === "silent") {
      this.#permits.silent(merchant.id);
      return refuse("WALLET_UNAVAILABLE", { cause: "wallet" });
    }
    this.#permits.answered(merchant.id);
    if (reply.answer.kind === "rejected")
      return ok({
        status: "failed",
        balanceMinor: reply.answer.balanceMinor ?? null,
        error: reply.answer.error,
        txId: "",
      });
    return ok({ status: "success", balanceMinor: reply.answer.balanceMinor, error: "", txId: "" });
  }
}
