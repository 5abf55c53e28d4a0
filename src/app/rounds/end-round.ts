import { ok, type Result, refuse } from "../../domain/errors.ts";
import type { DbTime } from "../../domain/transaction/transaction.ts";
import { idFault, isRoundId } from "../../domain/values/identifiers.ts";
import type { Provider } from "../../ports/settings-store.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { ProviderRecords } from "../../ports/transactions/provider-records.ts";
import type { LoadShedder } from "../capacity/load-shedder.ts";
import { refuseWhenUnavailable } from "../runtime/refuse-when-unavailable.ts";
import type { PlayerLookup } from "../transaction/player-lookup.ts";
import type { RoundEnds } from "./round-ends.ts";

export interface EndRoundRequest {
  /** The authenticated caller. */
  readonly provider: Provider;
  /** The session or the player names the merchant. Both empty: every merchant that has the round. */
  readonly sessionId: string;
  readonly playerRef: string;
  readonly roundId: string;
}

/** Ends a round at its provider's request. No wallet is called. */
export class EndRound {
  readonly #rounds: RoundEnds;
  readonly #records: ProviderRecords;
  readonly #players: PlayerLookup;
  readonly #loadShedder: LoadShedder;
  readonly #telemetry: Telemetry;

  constructor(
    rounds: RoundEnds,
    records: ProviderRecords,
    players: PlayerLookup,
    loadShedder: LoadShedder,
    telemetry: Telemetry,
  ) {
    this.#rounds = rounds;
    this.#records = records;
    this.#players = players;
    this.#loadShedder = loadShedder;
    this.#telemetry = telemetry;
  }

  /**
   * Returns when the round ended; null: no merchant is named, and no merchant has the round. Refusals:
   * VALIDATION_ERROR, SESSION_NOT_FOUND, DEMO_SESSION, OVERLOADED, SERVICE_UNAVAILABLE.
   */
  async end(request: EndRoundRequest): Promise<Result<DbTime | null>> {
    if (!isRoundId(request.roundId)) return refuse("VALIDATION_ERROR", { details: [idFault("round_id", 128)] });
    if (!this.#loadShedder.enter("credit")) return refuse("OVERLOADED");
    return refuseWhenUnavailable(this.#telemetry, "EndRound", () => this.#end(request)).finally(() =>
      this.#loadShedder.leave(),
    );
  }

  async #end(request: EndRoundRequest): Promise<Result<DbTime | null>> {
    const { provider, roundId } = request;
    const named = await this.#players.merchantsOf(request);
    if (!named.ok) return named;
    const { ids, isOne } = named.value;
    const found = await this.#records.merchantsOfRound(ids, { providerId: provider.id, roundId });
    const openedAt = new Map(found.map((one) => [one.merchantId, one.openedAt]));
    let endedAt: DbTime | null = null;
    for (const merchantId of isOne ? ids : openedAt.keys()) {
      const key = { merchantId, providerId: provider.id, roundId };
      await this.#rounds.end(provider, { ...key, openedAt: openedAt.get(merchantId) ?? null });
      endedAt = Math.max(endedAt ?? 0, (await this.#rounds.read(key))?.endedAt ?? 0);
    }
    return ok(endedAt);
  }
}
