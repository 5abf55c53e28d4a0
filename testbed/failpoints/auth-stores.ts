import { NonceStore } from "../../src/ports/nonce-store.ts";
import { UsedTokens } from "../../src/ports/used-tokens.ts";
import type { Failpoints } from "./failpoints.ts";

/** Adds the crash point CP16 to a store. */
export class FailpointNonceStore extends NonceStore {
  readonly #real: NonceStore;
  readonly #failpoints: Failpoints;

  constructor(real: NonceStore, failpoints: Failpoints) {
    super();
    this.#real = real;
    this.#failpoints = failpoints;
  }

  override async use(lines: readonly { readonly merchantId: number; readonly nonce: string }[]): Promise<boolean[]> {
    const used = await this.#real.use(lines);
    await this.#failpoints.reach(
      "CP16",
      lines.map(({ nonce }) => nonce),
    );
    return used;
  }

  override forget(limit: number): Promise<number> {
    return this.#real.forget(limit);
  }
}

/** Adds the crash point CP17 to a store. */
export class FailpointUsedTokens extends UsedTokens {
  readonly #real: UsedTokens;
  readonly #failpoints: Failpoints;

  constructor(real: UsedTokens, failpoints: Failpoints) {
    super();
    this.#real = real;
    this.#failpoints = failpoints;
  }

  override async use(jti: string): Promise<boolean> {
    const used = await this.#real.use(jti);
    await this.#failpoints.reach("CP17", [jti]);
    return used;
  }

  override forget(limit: number): Promise<number> {
    return this.#real.forget(limit);
  }
}
