import type { WrongKeys } from "../../../app/capacity/wrong-keys.ts";
import type { Settings } from "../../../app/runtime/settings.ts";
import { SPORTSBOOK } from "../../../domain/catalog/provider.ts";
import { ok, type Result, refuse } from "../../../domain/errors.ts";
import type { Provider } from "../../../ports/settings-store.ts";
import { bearerKey, type CallIdentity, callerAddress } from "../server/caller.ts";

type Lookup = Pick<Settings, "isFresh" | "ensureFresh" | "providerByKey" | "readForUnknown">;

/**
 * Finds the provider by `authorization: Bearer <API key>`. No call needs a query of its own, not even a call with an
 * unknown key.
 */
export class ProviderKeys {
  readonly #settings: Lookup;
  readonly #wrongKeys: WrongKeys;

  constructor(settings: Lookup, wrongKeys: WrongKeys) {
    this.#settings = settings;
    this.#wrongKeys = wrongKeys;
  }

  /**
   * Whether this `authorization` header has the key of any provider, by the settings in memory. These settings may be
   * older than the key. The call is not counted.
   */
  isRight(authorization: string): boolean {
    const key = bearerKey(authorization);
    return key !== undefined && this.#settings.providerByKey(key) !== undefined;
  }

  /**
   * Returns the provider for a call of aggregator.provider.v1. Every provider except the sportsbook may make such a
   * call. Refusals: INVALID_API_KEY (RATE_LIMITED after too many wrong keys from one address); SERVICE_UNAVAILABLE if
   * the settings can't be confirmed.
   */
  gameProvider(call: CallIdentity): Promise<Result<Provider>> {
    return this.#holder("provider", call);
  }

  /**
   * Returns the sportsbook for a call of aggregator.sportsbook.v1. Only the sportsbook may make such a call. The
   * refusals are those of {@link gameProvider}.
   */
  sportsbook(call: CallIdentity): Promise<Result<Provider>> {
    return this.#holder("sportsbook", call);
  }

  async #holder(kind: "provider" | "sportsbook", call: CallIdentity): Promise<Result<Provider>> {
    const key = bearerKey(call.requestHeader.get("authorization"));
    if (key === undefined) return this.#wrongKeys.refuse(kind, callerAddress(call));
    if (!this.#settings.isFresh() && !(await this.#settings.ensureFresh())) return refuse("SERVICE_UNAVAILABLE");
    const provider = this.#settings.providerByKey(key) ?? (await this.#lookUpAgain(key));
    const mayCall = provider !== undefined && (provider.code === SPORTSBOOK) === (kind === "sportsbook");
    return mayCall ? ok(provider) : this.#wrongKeys.refuse(kind, callerAddress(call));
  }

  /** Reads the settings again, because the settings in memory may be older than the key. */
  async #lookUpAgain(key: string): Promise<Provider | undefined> {
    await this.#settings.readForUnknown();
    return this.#settings.providerByKey(key);
  }
}
