import { ok, type Result, refuse } from "../../domain/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { Wallet, WalletTarget } from "../../ports/wallet.ts";
import type { Load } from "../capacity/load-shedder.ts";
import type { Places } from "../capacity/wallet-permits.ts";
import { answering } from "../runtime/answering.ts";
import type { Settings } from "../runtime/settings.ts";
import { REPLY_RESERVE_MS } from "./drive.ts";
import type { Moved } from "./move-money.ts";
import type { SeatRequest, Seats } from "./player-lookup.ts";

export interface BalanceRequest extends SeatRequest {
  /** When the caller stops waiting, by Clock.monotonic(). */
  readonly deadline: number;
}

/** A player's balance, asked of the wallet each time. */
export abstract class QueryBalance {
  /** Refusals: those of {@link Seats.find}, OVERLOADED, SERVICE_UNAVAILABLE, WALLET_UNAVAILABLE (no answer, or none before the deadline). */
  abstract query(request: BalanceRequest): Promise<Result<Moved>>;
}

export class QueryBalanceOfWallet extends QueryBalance {
  readonly #settings: Settings;
  readonly #seats: Seats;
  readonly #wallet: Wallet;
  readonly #places: Places;
  readonly #load: Load;
  readonly #telemetry: Telemetry;
  readonly #targetOf: (merchantId: number) => WalletTarget;
  readonly #clock: Clock;

  constructor(
    settings: Settings,
    seats: Seats,
    wallet: Wallet,
    places: Places,
    load: Load,
    telemetry: Telemetry,
    targetOf: (merchantId: number) => WalletTarget,
    clock: Clock,
  ) {
    super();
    this.#settings = settings;
    this.#seats = seats;
    this.#wallet = wallet;
    this.#places = places;
    this.#load = load;
    this.#telemetry = telemetry;
    this.#targetOf = targetOf;
    this.#clock = clock;
  }

  /** A caller whose time is up ends its wait, not the call. */
  override async query(request: BalanceRequest): Promise<Result<Moved>> {
    const late = Promise.withResolvers<Result<Moved>>();
    const leftMs = Math.max(0, request.deadline - this.#clock.monotonic() - REPLY_RESERVE_MS);
    const cancel = this.#clock.after(leftMs, () => late.resolve(refuse("WALLET_UNAVAILABLE")));
    return Promise.race([this.#admit(request), late.promise]).finally(cancel);
  }

  async #admit(request: BalanceRequest): Promise<Result<Moved>> {
    if (!this.#load.enter("debit")) return refuse("OVERLOADED");
    return answering(this.#telemetry, "balance query", () => this.#query(request)).finally(() => this.#load.leave());
  }

  async #query(request: BalanceRequest): Promise<Result<Moved>> {
    if (!this.#settings.isFresh() && !(await this.#settings.ensureFresh())) return refuse("SERVICE_UNAVAILABLE");
    const found = await this.#seats.find(request);
    if (!found.ok) return found;
    const { merchant, playerId, game } = found.value;
    const place = await this.#places.take(merchant.id, "balance", request.deadline);
    if (place === undefined) return refuse("OVERLOADED");
    const query = { playerId, currency: merchant.currency, provider: game.provider, game: game.code };
    const reply = await this.#wallet.balance(this.#targetOf(merchant.id), query).finally(() => place.release());
    this.#telemetry.walletCall(merchant.code, reply.result, reply.durationMs);
    if (reply.answer.kind === "silent") {
      this.#places.silent(merchant.id);
      return refuse("WALLET_UNAVAILABLE");
    }
    this.#places.answered(merchant.id);
    if (reply.answer.kind === "rejected") return ok({ status: "failed", balanceMinor: null, error: reply.answer.error, txId: "" });
    return ok({ status: "success", balanceMinor: reply.answer.balanceMinor, error: "", txId: "" });
  }
}
