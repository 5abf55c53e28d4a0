/**
 * Shows how a merchant's server calls the operator API: four headers over the exact bytes sent, with only node:crypto
 * and fetch. You may copy this code.
 */
import { createHmac, randomBytes } from "node:crypto";

export interface Credentials {
  readonly code: string;
  readonly secret: string;
}

/** The part of the service's envelope that a merchant needs. */
export type ServiceReply =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly status: number; readonly code: string; readonly message: string };

const TIMEOUT_MS = 15_000;

/**
 * Makes one signed call. `serviceUrl` has no trailing slash and no `/v1`. `target` is the path and query from `/v1` on,
 * exactly as it is sent. Never throws: a service that can't be reached is `SERVICE_UNREACHABLE`.
 */
export async function callService(
  serviceUrl: string,
  merchant: Credentials,
  method: "GET" | "POST",
  target: string,
  payload?: unknown,
): Promise<ServiceReply> {
  const body = payload === undefined ? "" : JSON.stringify(payload);
  const timestamp = String(Date.now());
  const nonce = randomBytes(16).toString("hex");
  const signature = createHmac("sha256", merchant.secret)
    .update(`${timestamp}.${nonce}.${method}.${target}.${body}`)
    .digest("hex");
  const headers = {
    "x-merchant-id": merchant.code,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": signature,
  };
  const request: RequestInit = { method, signal: AbortSignal.timeout(TIMEOUT_MS), headers };
  if (payload !== undefined)
    Object.assign(request, { body, headers: { ...headers, "content-type": "application/json" } });
  try {
    const response = await fetch(serviceUrl + target, request);
    const envelope = (await response.json()) as {
      success: boolean;
      data?: unknown;
      message?: string;
      error?: { code: string; message: string };
    };
    if (envelope.success) return { ok: true, data: envelope.data };
    return {
      ok: false,
      status: response.status,
      code: envelope.error?.code ?? "UNKNOWN",
      message: envelope.error?.message ?? envelope.message ?? "",
    };
  } catch (error) {
    return {
      ok: false,
      status: 503,
      code: "SERVICE_UNREACHABLE",
      message: error instanceof Error ? error.message : String(error),
    };
  }
}
