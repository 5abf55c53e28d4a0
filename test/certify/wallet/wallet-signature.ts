/** How the wallet under test checks a callback's signature. */
import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Character } from "./wallet-habits.ts";

export const SECRETS: Readonly<Record<string, string>> = { shop: "sk_shop", other: "sk_other" };

export class SignatureCheck {
  readonly #character: Character;
  readonly #nonces = new Set<string>();

  constructor(character: Character) {
    this.#character = character;
  }

  isGenuine(merchant: string, headers: IncomingHttpHeaders, request: IncomingMessage, body: string): boolean {
    if (this.#character.has("no signature")) return true;
    if (this.#character.has("unsigned balance") && body.includes('"action":"balance"')) return true;
    const [timestamp, nonce, signature, next] = ["x-timestamp", "x-nonce", "x-signature", "x-signature-next"].map(
      (name) => String(headers[name] ?? ""),
    );
    if (this.#character.has("next unchecked") && next !== "") return true;
    if (this.#character.has("absent signature") && signature === "") return true;
    const isSeconds = this.#character.has("seconds pass") && /^\d{10}$/.test(timestamp ?? "");
    if ((!/^\d{13}$/.test(timestamp ?? "") && !isSeconds) || !/^[\w-]{16,64}$/.test(nonce ?? "")) return false;
    const off = Number(timestamp) * (isSeconds ? 1_000 : 1) - Date.now();
    const most = this.#character.has("narrow window") ? 60_000 : 300_000;
    if (
      !this.#character.has("no time window") &&
      (off < -most || (off > most && !this.#character.has("no future window")))
    )
      return false;
    const isWhole = (text = ""): boolean => /^[0-9a-f]{64}$/.test(text);
    const isHalf = this.#character.has("half signature") && /^[0-9a-f]{32}$/.test(signature ?? "");
    const isNextAlone = signature === "" && isWhole(next) && !this.#character.has("next beside only");
    if (!isWhole(signature) && !isHalf && !isNextAlone) return false;
    const secrets = this.#character.has("any secret")
      ? Object.values(SECRETS)
      : [SECRETS[merchant] ?? (this.#character.has("fallback secret") ? SECRETS.shop : undefined)];
    const text = this.#character.has("parsed body") ? JSON.stringify(JSON.parse(body)) : body;
    const isRight = secrets.some((secret) => {
      if (secret === undefined) return false;
      const right = createHmac("sha256", secret)
        .update(`${timestamp}.${nonce}.${request.method}.${request.url}.${text}`)
        .digest("hex");
      if (this.#character.has("half signature") && right.slice(0, 32) === signature?.slice(0, 32)) return true;
      return right === signature || (right === next && this.#character.habits.readsOneSignature !== true);
    });
    if (!isRight) return false;
    if (this.#character.habits.remembersNonces && this.#nonces.has(`${merchant} ${nonce}`)) return false;
    this.#nonces.add(`${merchant} ${nonce}`);
    return true;
  }
}
