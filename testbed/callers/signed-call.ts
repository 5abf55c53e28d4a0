import { randomBytes } from "node:crypto";
import type { Credentials, ServiceReply } from "../../sandbox/merchant/service-client.ts";
import { sign } from "../../src/domain/signing/signing.ts";
import { repeated } from "./busy.ts";
import { assertContract } from "./contract.ts";

/**
 * Makes a signed call of the API and compares it with the description. Rejects when the request or the reply differs. A
 * call that a busy service did not serve is made again.
 */
export const signedCall = (...call: Parameters<typeof signedCallOnce>): Promise<ServiceReply> =>
  repeated(
    () => signedCallOnce(...call),
    (reply) => (reply.ok ? undefined : reply.code),
  );

/** Like {@link signedCall}, but never makes the call again. */
export async function signedCallOnce(
  base: string,
  { code, secret }: Credentials,
  method: "GET" | "POST",
  target: string,
  payload?: unknown,
): Promise<ServiceReply> {
  const body = payload === undefined ? "" : JSON.stringify(payload);
  const [timestamp, nonce] = [String(Date.now()), randomBytes(16).toString("hex")];
  const signature = sign(secret, { timestamp, nonce, method, target, body });
  const headers = {
    "x-merchant-id": code,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": signature,
    "content-type": "application/json",
  };
  const response = await fetch(base + target, { method, headers, ...(body !== "" && { body }) });
  const text = await response.text();
  assertContract({
    method,
    target,
    body,
    reply: { status: response.status, headers: Object.fromEntries(response.headers), body: text },
  });
  const envelope = JSON.parse(text) as { data?: unknown; message: string; error: { code: string } };
  return response.ok
    ? { ok: true, data: envelope.data }
    : { ok: false, status: response.status, code: envelope.error.code, message: envelope.message };
}

const ASK_MS = 10_000;

/**
 * One signed request that can be sent several times, with the same nonce. The function takes the origin of a replica's
 * REST API, and returns the reply's status or `no reply`.
 */
export function signedRequest({ code, secret }: Credentials): (origin: string) => Promise<string> {
  const [method, target] = ["GET", "/v1/merchant"];
  const [timestamp, nonce] = [String(Date.now()), randomBytes(16).toString("hex")];
  const signature = sign(secret, { timestamp, nonce, method, target, body: "" });
  const headers = { "x-merchant-id": code, "x-timestamp": timestamp, "x-nonce": nonce, "x-signature": signature };
  return (origin) =>
    fetch(origin + target, { headers, signal: AbortSignal.timeout(ASK_MS) }).then(
      (response) => String(response.status),
      () => "no reply",
    );
}
