import type { WrongKeys } from "../../../app/capacity/wrong-keys.ts";
import type { Settings } from "../../../app/runtime/settings.ts";
import { SPORTSBOOK } from "../../../domain/catalog/provider.ts";
import { ok, type Result, refuse } from "../../../domain/errors.ts";
import type { Provider } from "../../../ports/settings-store.ts";
import { bearerKey } from "../server/bearer-key.ts";
import { type Called, callerAddress } from "../server/caller-address.ts";

type Lookup = Pick<Settings, "isFresh" | "ensureFresh" | "providerByKey" | "lookAgain">;

/** Tells whose call it is by its `authorization: Bearer <API key>`. Needs no query, not for an unknown key either. */
export class ProviderKeys {
  readonly #settings: Lookup;
  readonly #wrongKeys: WrongKeys;

  constructor(settings: Lookup, wrongKeys: WrongKeys) {
    this.#settings = settings;
    this.#wrongKeys = wrongKeys;
  }

  /**
   * The provider that may call aggregator.provider.v1: any but the sportsbook, whose key opens its own package alone.
   * Refusals: INVALID_API_KEY (RATE_LIMITED past so many of one address); SERVICE_UNAVAILABLE when the settings can't be confirmed.
   */
  gameProvider(called: Called): Promise<Result<Provider>> {
    return this.#holder("provider", called);
  }

  /** The sportsbook, which alone may call aggregator.sportsbook.v1. Refusals as {@link gameProvider}. */
  sportsbook(called: Called): Promise<Result<Provider>> {
    return this.#holder("sportsbook", called);
  }

  async #holder(door: "provider" | "sportsbook", called: Called): Promise<Result<Provider>> {
    const key = bearerKey(called.requestHeader);
    if (key === undefined) return this.#wrongKeys.refuse(door, callerAddress(called));
    if (!this.#settings.isFresh() && !(await this.#settings.ensureFresh())) return refuse("SERVICE_UNAVAILABLE");
    const provider = this.#settings.providerByKey(key) ?? (await this.#newcomer(key));
    const opens = provider !== undefined && (provider.code === SPORTSBOOK) === (door === "sportsbook");
    return opens ? ok(provider) : this.#wrongKeys.refuse(door, callerAddress(called));
  }

  /** A key made a moment ago may not be known here yet. */
  async #newcomer(key: string): Promise<Provider | undefined> {
    await this.#settings.lookAgain();
    return this.#settings.providerByKey(key);
  }
}
