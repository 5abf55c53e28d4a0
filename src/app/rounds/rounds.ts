import { type RoundEnd, roundEnd } from "../../domain/transaction/round.ts";
import type { DbTime } from "../../domain/transaction/transaction.ts";
import type { ProviderCode } from "../../domain/values/identifiers.ts";
import type { RoundListQuery, RoundPosition, RoundStore } from "../../ports/transactions/round-store.ts";
import type { Settings } from "../runtime/settings.ts";

/** A round of a provider that ends its rounds. */
export interface ListedRound {
  readonly provider: ProviderCode;
  readonly roundId: string;
  readonly openedAt: DbTime;
  /** null: it is open. */
  readonly endedAt: DbTime | null;
}

export interface RoundsPage {
  readonly items: readonly ListedRound[];
  /** Where the next page begins; null: there is none. */
  readonly next: RoundPosition | null;
}

/** Reads the states of rounds, for merchants and for internal teams. Every method may throw StoreUnavailable. */
export class Rounds {
  readonly #store: RoundStore;
  readonly #settings: Pick<Settings, "provider" | "providers" | "refresh">;

  constructor(store: RoundStore, settings: Pick<Settings, "provider" | "providers" | "refresh">) {
    this.#store = store;
    this.#settings = settings;
  }

  async list(query: RoundListQuery, limit: number): Promise<RoundsPage> {
    const found = await this.#store.list(query, limit + 1);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const codeById = () => new Map(this.#settings.providers().map(({ id, code }) => [id, code]));
    let codes = codeById();
    // Another replica may have created the provider a moment ago.
    if (page.some(({ providerId }) => !codes.has(providerId))) {
      await this.#settings.refresh();
      codes = codeById();
    }
    return {
      items: page.map(({ providerId, roundId, openedAt, endedAt }) => {
        const provider = codes.get(providerId);
        if (provider === undefined)
          throw new Error(`the settings have no provider ${providerId}, but a round of it exists`);
        return { provider, roundId, openedAt, endedAt };
      }),
      next: last === undefined ? null : { ...last, at: last.endedAt ?? last.openedAt },
    };
  }

  /**
   * Whether a round has ended.
   *
   * @param code - the provider's code.
   * @param openedAt - when the round's first bet that was not rejected was created; null: there is none.
   */
  async endOf(
    {
      merchantId,
      provider: code,
      roundId,
    }: { readonly merchantId: number; readonly provider: string; readonly roundId: string },
    openedAt: DbTime | null,
  ): Promise<RoundEnd> {
    const provider = this.#settings.provider(code);
    if (provider === undefined) return { state: "unknown" };
    const stored = await this.#store.read({ merchantId, providerId: provider.id, roundId });
    return roundEnd(stored, openedAt, provider.endsRoundsSince);
  }
}
