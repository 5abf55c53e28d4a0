import { ok, type Result, refuse } from "../../domain/errors.ts";
import {
  type BetRows,
  isSent,
  reportOf,
  running,
  type SlipBet,
  type SlipReport,
  slipDifference,
  slipFaults,
} from "../../domain/transaction/betslip.ts";
import { sessionFaults } from "../../domain/transaction/request-faults.ts";
import { ownTxId, wireTxId } from "../../domain/values/identifiers.ts";
import { isAmount } from "../../domain/values/money.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Provider } from "../../ports/settings-store.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { Span, Tracing } from "../../ports/tracing.ts";
import type { Slip } from "../../ports/transactions/slip-store.ts";
import type { LoadShedder } from "../capacity/load-shedder.ts";
import { refuseWhenUnavailable } from "../runtime/refuse-when-unavailable.ts";
import { REPLY_RESERVE_MS } from "../transaction/drive.ts";
import type { PlayerContext, PlayerLookup } from "../transaction/player-lookup.ts";
import type { QueryBalance } from "../transaction/query-balance.ts";
import type { Transact } from "../transaction/transact.ts";
import type { Slips } from "./slips.ts";

/** A slip as the sportsbook sends it, not yet validated. */
export interface SlipRequest {
  /** The authenticated caller: the sportsbook. */
  readonly provider: Provider;
  readonly sessionId: string;
  readonly slipId: string;
  readonly bets: readonly SlipBet[];
  /** The currency of all bets. Empty: the merchant's currency. */
  readonly currency: string;
  /** When the caller stops waiting, by Clock.monotonic(). */
  readonly deadline: number;
  /** The caller's header of this name. null: none. */
  readonly traceparent?: string | null;
}

/** Decides the answer when the deadline is reached: pending for a slip that is stored, else SERVICE_UNAVAILABLE. */
interface WriteProgress {
  /** Whether the slip is stored. A stored slip goes on even if no caller waits. */
  written: boolean;
}

/**
 * Handles a slip from the request to the answer. The whole slip is validated and stored. Then {@link Slips} drives it
 * (docs/specification/sportsbook.md#sb-slip).
 */
export abstract class PlaceBetslip {
  /**
   * Returns the final status of the slip and the result of each bet, after the first attempt of each refund. Shortly
   * before the deadline it returns pending, and the slip goes on. Refusals: VALIDATION_ERROR, INVALID_AMOUNT,
   * SESSION_NOT_FOUND, TRANSACTION_MISMATCH, OVERLOADED, SERVICE_UNAVAILABLE. For a new slip also CURRENCY_NOT_ENABLED,
   * SESSION_EXPIRED, GAME_NOT_FOUND, PRODUCT_NOT_ENABLED, MERCHANT_DISABLED.
   */
  abstract place(request: SlipRequest): Promise<Result<SlipReport>>;
}

export class PlaceBetslipThroughWallet extends PlaceBetslip {
  readonly #players: PlayerLookup;
  readonly #slips: Slips;
  readonly #transact: Transact;
  readonly #balance: QueryBalance;
  readonly #loadShedder: LoadShedder;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #tracing: Tracing | null;

  constructor(
    players: PlayerLookup,
    slips: Slips,
    transact: Transact,
    balance: QueryBalance,
    loadShedder: LoadShedder,
    clock: Clock,
    telemetry: Telemetry,
    tracing: Tracing | null = null,
  ) {
    super();
    this.#players = players;
    this.#slips = slips;
    this.#transact = transact;
    this.#balance = balance;
    this.#loadShedder = loadShedder;
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#tracing = tracing;
  }

  override async place(request: SlipRequest): Promise<Result<SlipReport>> {
    const span = this.#tracing?.request("slip", request.traceparent ?? null);
    let outcome: string | undefined;
    try {
      const result = await this.#admit(request, span);
      outcome = result.ok ? result.value.status : result.refusal.code;
      return result;
    } finally {
      span?.end(outcome === undefined, { outcome: outcome ?? "INTERNAL_ERROR" });
    }
  }

  async #admit(request: SlipRequest, span: Span | undefined): Promise<Result<SlipReport>> {
    const faults = [...sessionFaults(request.sessionId), ...slipFaults(request.slipId, request.bets)];
    if (faults.length > 0) return refuse("VALIDATION_ERROR", { details: faults });
    if (!this.#loadShedder.enter("debit")) return refuse("OVERLOADED");
    const progress: WriteProgress = { written: false };
    const late = Promise.withResolvers<Result<SlipReport>>();
    const cancel = this.#clock.after(Math.max(0, request.deadline - this.#clock.monotonic() - REPLY_RESERVE_MS), () =>
      late.resolve(progress.written ? ok(running(request.bets)) : refuse("SERVICE_UNAVAILABLE")),
    );
    const answered = refuseWhenUnavailable(
      this.#telemetry,
      `slip ${request.slipId}`,
      () => this.#place(request, progress, span),
      { trace_id: span?.traceId },
    ).finally(() => this.#loadShedder.leave());
    return Promise.race([answered, late.promise]).finally(cancel);
  }

  async #place(request: SlipRequest, progress: WriteProgress, span: Span | undefined): Promise<Result<SlipReport>> {
    const found = await this.#players.find({ ...request, playerRef: "", game: "" });
    if (!found.ok) return found;
    const playerContext = found.value;
    span?.set({ merchant: playerContext.merchant.code });
    const wrong = request.bets.findIndex(({ amountMinor }) => !isAmount(amountMinor, playerContext.merchant.currency));
    if (wrong !== -1) return refuse("INVALID_AMOUNT", { field: `bets[${wrong}].amount_minor` });

    const slip = await this.#openOrRead(request, playerContext, span);
    if (!slip.ok) return slip;
    progress.written = true;
    const differs = difference(slip.value, request, playerContext);
    if (differs !== undefined) return refuse("TRANSACTION_MISMATCH", { field: differs });
    const over = slip.value.dueAt === null ? slip.value : await this.#slips.follow(slip.value, request.deadline);
    return ok(over === undefined ? running(request.bets) : await this.#report(over, request));
  }

  /**
   * The stored slip: the new slip, or the slip that an earlier request stored. Only a new slip is checked. A repeat is
   * answered even if the session has expired since.
   */
  async #openOrRead(request: SlipRequest, playerContext: PlayerContext, span: Span | undefined): Promise<Result<Slip>> {
    const { slipId, bets } = request;
    const { playerId, merchant } = playerContext;
    const key = { merchantId: merchant.id, slipId };
    const rounds = bets.map(({ roundId }, i) => ({ roundId, field: `bets[${i}].round_id` }));
    const gate = await this.#players.gate(playerContext, request.currency || merchant.currency, rounds);
    if (gate !== undefined) {
      const slip = await this.#slips.read(key);
      return slip === undefined ? { ok: false, refusal: gate } : ok(slip);
    }
    const opened = await this.#slips.open({ ...key, playerId, currency: merchant.currency, bets }, span);
    return opened.is === "taken"
      ? refuse("TRANSACTION_MISMATCH", { field: `bets[${opened.position}].tx_id` })
      : ok(opened.slip);
  }

  async #report(slip: Slip, request: SlipRequest): Promise<SlipReport> {
    const rows = await Promise.all(slip.bets.map((bet) => this.#rows(slip, bet, request.provider)));
    const report = reportOf(slip.bets, slip.state, rows);
    if (slip.bets.some(isSent) || report.status !== "success") return report;
    // All bets are free, so the wallet was not called and the balance is not known yet.
    const queried = await this.#balance.query({ ...request, playerRef: "", game: "" });
    return queried.ok && queried.value.status === "success"
      ? { ...report, balanceMinor: queried.value.balanceMinor }
      : report;
  }

  async #rows({ merchantId }: Slip, bet: SlipBet, { code }: Provider): Promise<BetRows> {
    const row = isSent(bet) ? await this.#transact.read({ merchantId, txId: wireTxId(code, bet.txId) }) : undefined;
    // If the sportsbook made a mistake, another transaction may have this id.
    if (row?.action !== "bet") return { bet: undefined, refund: undefined };
    const refund =
      row.reversedBy === null ? undefined : await this.#transact.read({ merchantId, txId: row.reversedBy });
    return { bet: row, refund: refund && { ...refund, own: ownTxId(refund.txId) } };
  }
}

/** The field in which a request differs from the stored slip with the same id. Undefined: no field differs. */
function difference(slip: Slip, request: SlipRequest, playerContext: PlayerContext): string | undefined {
  if (slip.playerId !== playerContext.playerId) return "session_id";
  if (request.currency !== "" && request.currency !== slip.currency) return "currency";
  return slipDifference(slip.bets, request.bets);
}
