/** One callback, signed and sent like those of the service. */
import { createHmac, randomBytes } from "node:crypto";

/** The secret that makes each header. */
export type Signatures = Readonly<Record<string, string>>;

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Sends a callback.
 *
 * @param content - fields of a callback about the player ana, or the bytes of a whole body.
 */
export async function callback(
  url: URL,
  content: object | Uint8Array,
  signatures: Signatures = { "X-Signature": "sk_shop" },
  { merchant = "shop", method = "POST" } = {},
): Promise<Reply> {
  const about = { player_id: "ana", currency: "BRL", provider: "ACME", game: "fruits" };
  const body =
    content instanceof Uint8Array ? Buffer.from(content) : Buffer.from(JSON.stringify({ ...about, ...content }));
  const [timestamp, nonce] = [String(Date.now()), randomBytes(16).toString("hex")];
  const signed = Object.entries(signatures).map(([name, secret]) => [
    name,
    createHmac("sha256", secret).update(`${timestamp}.${nonce}.${method}.${url.pathname}.`).update(body).digest("hex"),
  ]);
  const headers = {
    "Content-Type": "application/json",
    "X-Merchant-Id": merchant,
    "X-Timestamp": timestamp,
    "X-Nonce": nonce,
    ...Object.fromEntries(signed),
  };
  const response = await fetch(url, { method, headers, body });
  return { status: response.status, body: await response.json() };
}
