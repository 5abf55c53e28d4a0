import { randomBytes } from "node:crypto";
import { type Dispatcher, Pool } from "undici";
import { sign } from "../../src/domain/signing/signing.ts";
import type { BenchMerchant } from "../../testbed/directory/directory.ts";

/** A merchant's server: sends signed GETs over open connections. */
export class RestCaller {
  readonly #pool: Pool;
  readonly #merchant: Pick<BenchMerchant, "code" | "secret">;
  #calls = 0;

  /** @param origin - `http://host:port`. */
  constructor(origin: string, merchant: Pick<BenchMerchant, "code" | "secret">, connections = 1) {
    this.#pool = new Pool(origin, { connections, pipelining: 1, bodyTimeout: 600_000, headersTimeout: 120_000 });
    this.#merchant = merchant;
  }

  /** The reply's data, and the time to the reply's last byte. Throws when the call failed. */
  async get<T>(target: string): Promise<{ readonly data: T; readonly ms: number }> {
    const beganAt = performance.now();
    const { statusCode, body } = await this.#send(target);
    const text = await body.text();
    const ms = performance.now() - beganAt;
    if (statusCode !== 200) throw new Error(`${target}: ${statusCode} ${text.slice(0, 500)}`);
    return { data: (JSON.parse(text) as { data: T }).data, ms };
  }

  /** Reads a reply to its end without storing it. */
  async drain(target: string): Promise<{ readonly status: number; readonly bytes: number; readonly ms: number }> {
    const beganAt = performance.now();
    const { statusCode, body } = await this.#send(target);
    let bytes = 0;
    for await (const chunk of body) bytes += (chunk as Buffer).length;
    return { status: statusCode, bytes, ms: performance.now() - beganAt };
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Each call claims another address. Otherwise the limit of one address would be measured. */
  #send(target: string): Promise<Dispatcher.ResponseData> {
    const timestamp = String(Date.now());
    const nonce = randomBytes(16).toString("hex");
    const { code, secret } = this.#merchant;
    const n = ++this.#calls;
    return this.#pool.request({
      method: "GET",
      path: target,
      headers: {
        "x-merchant-id": code,
        "x-timestamp": timestamp,
        "x-nonce": nonce,
        "x-signature": sign(secret, { timestamp, nonce, method: "GET", target, body: "" }),
        "x-forwarded-for": `10.${n & 0xff}.${(n >> 8) & 0xff}.1`,
      },
    });
  }
}

/** Settings of a service that {@link RestCaller} calls. */
export const TRUSTS_CALLERS = { TRUSTED_PROXIES: "127.0.0.1" };
