import { createHmac, randomBytes } from "node:crypto";

export async function call(merchant, secret, method, url, target, body = "") {
  const timestamp = String(Date.now());
  const nonce = randomBytes(16).toString("hex");
  const signed = `${timestamp}.${nonce}.${method}.${target}.${body}`;
  const signature = createHmac("sha256", secret).update(signed).digest("hex");
  const headers = { "X-Merchant-Id": merchant, "X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature": signature };
  if (body !== "") headers["Content-Type"] = "application/json";
  return fetch(url + target, { method, headers, ...(body !== "" && { body }) });
}
