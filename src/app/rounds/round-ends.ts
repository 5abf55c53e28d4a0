import type { Content } from "../../domain/transaction/transaction.ts";
import type { Clock } from "../../ports/clock.ts";
import { sleep } from "../../ports/clock.ts";
import type { Provider, SettingsStore } from "../../ports/settings-store.ts";
import type { EndLine, RoundKey, RoundStore, StoredRound } from "../../ports/transactions/round-store.ts";
import { Coalescer } from "../runtime/coalescer.ts";
import { FRESH_MS, type Settings } from "../runtime/settings.ts";

/** {@link Settings.databaseNow} may be ahead of the database's time. */
const AHEAD_MAX_MS = 500;

/** The ends of rounds. A provider that has ended a round once is known to end its rounds. */
export class RoundEnds {
  readonly #store: RoundStore;
  readonly #settings: Pick<Settings, "provider" | "refresh" | "databaseNow">;
  readonly #settingsStore: Pick<SettingsStore, "save">;
  readonly #clock: Clock;
  readonly #end: (line: EndLine) => Promise<void>;

  constructor(
    store: RoundStore,
    settings: Pick<Settings, "provider" | "refresh" | "databaseNow">,
    settingsStore: Pick<SettingsStore, "save">,
    clock: Clock,
  ) {
    this.#store = store;
    this.#settings = settings;
    this.#settingsStore = settingsStore;
    this.#clock = clock;
    this.#end = new Coalescer(clock).batched(
      async (lines: EndLine[]) => {
        await store.end(lines);
        return lines.map(() => undefined);
      },
      ({ merchantId, providerId, roundId }) => `${merchantId}/${providerId}/${roundId}`,
    );
  }

  /**
   * Ends a round. When this resolves, every replica refuses new bets in it. Repeats change nothing. Throws
   * StoreUnavailable.
   */
  async end(provider: Provider, line: EndLine): Promise<void> {
    await this.#announce(provider);
    await this.#end(line);
  }

  /** The round as it is now; undefined: it is not stored. */
  read(key: RoundKey): Promise<StoredRound | undefined> {
    return this.#store.read(key);
  }

  /**
   * Waits until every replica knows that this provider ends its rounds, and so looks at the round of each of its bets.
   * Only the first end of a provider waits, for about a second.
   */
  async #announce({ code }: Provider): Promise<void> {
    if (this.#since(code) === null) {
      await this.#settingsStore.save({ kind: "endsRounds", provider: code });
      await this.#settings.refresh();
    }
    const leftMs =
      (this.#since(code) ?? this.#settings.databaseNow()) + FRESH_MS + AHEAD_MAX_MS - this.#settings.databaseNow();
    if (leftMs > 0) await sleep(this.#clock, Math.min(leftMs, FRESH_MS + AHEAD_MAX_MS));
  }

  #since(code: Provider["code"]): number | null {
    return this.#settings.provider(code)?.endsRoundsSince ?? null;
  }
}

/** The round of a transaction. */
export const roundOf = ({ merchantId, game, roundId }: Content): RoundKey => ({
  merchantId,
  providerId: game.providerId,
  roundId,
});
