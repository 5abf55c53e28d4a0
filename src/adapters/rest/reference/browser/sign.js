// @ts-check
/** Signs calls in the browser for the sandbox's merchants. A real merchant's secret never leaves its servers. */

const hex = (/** @type {ArrayBuffer} */ bytes) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * @param {string} secret
 * @param {{ timestamp: string, nonce: string, method: string, target: string, body: string }} parts - `target` begins
 *   at `/v1`; `body` is "" when there is none.
 * @returns {Promise<string>} 64 lowercase hex digits.
 */
export async function sign(secret, { timestamp, nonce, method, target, body }) {
  const text = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", text.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return hex(await crypto.subtle.sign("HMAC", key, text.encode(`${timestamp}.${nonce}.${method}.${target}.${body}`)));
}

/**
 * The four headers of a new call.
 *
 * @param {string} merchant
 * @param {string} secret
 * @param {string} method
 * @param {string} target
 * @param {string} body
 */
export async function signedHeaders(merchant, secret, method, target, body) {
  const timestamp = String(Date.now());
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)).buffer);
  const signature = await sign(secret, { timestamp, nonce, method, target, body });
  return { "X-Merchant-Id": merchant, "X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature": signature };
}
