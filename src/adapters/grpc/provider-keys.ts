import type { Settings } from "../../app/settings.ts";
import { ok, type Result, refuse } from "../../domain/errors.ts";
import { SPORTSBOOK } from "../../domain/provider.ts";
import type { Provider } from "../../ports/settings-store.ts";
import { bearerKey } from "./bearer-key.ts";

/** Tells whose call it is by its `authorization: Bearer <API key>`. Needs no query, not for an unknown key either. */
export class ProviderKeys {
  readonly #settings: Pick<Settings, "isFresh" | "ensureFresh" | "providerByKey" | "lookAgain">;

  constructor(settings: Pick<Settings, "isFresh" | "ensureFresh" | "providerByKey" | "lookAgain">) {
    this.#settings = settings;
  }

  /**
   * The provider that may call aggregator.provider.v1: any but the sportsbook, whose key opens its own package alone.
   * Refusals: INVALID_API_KEY; SERVICE_UNAVAILABLE when the settings can't be confirmed.
   */
  async gameProvider(header: Headers): Promise<Result<Provider>> {
    const found = await this.#holder(header);
    return found.ok && found.value.code === SPORTSBOOK ? refuse("INVALID_API_KEY") : found;
  }

  /** The sportsbook, which alone may call aggregator.sportsbook.v1. Refusals as {@link gameProvider}. */
  async sportsbook(header: Headers): Promise<Result<Provider>> {
    const found = await this.#holder(header);
    return found.ok && found.value.code !== SPORTSBOOK ? refuse("INVALID_API_KEY") : found;
  }

  async #holder(header: Headers): Promise<Result<Provider>> {
    const key = bearerKey(header);
    if (key === undefined) return refuse("INVALID_API_KEY");
    if (!this.#settings.isFresh() && !(await this.#settings.ensureFresh())) return refuse("SERVICE_UNAVAILABLE");
    const provider = this.#settings.providerByKey(key) ?? (await this.#newcomer(key));
    return provider === undefined ? refuse("INVALID_API_KEY") : ok(provider);
  }

  /** A key made a moment ago may not be known here yet. */
  async #newcomer(key: string): Promise<Provider | undefined> {
    await this.#settings.lookAgain();
    return this.#settings.providerByKey(key);
  }
}
