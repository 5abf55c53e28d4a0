import type { Interceptor, Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { UsageError } from "../arguments/usage-error.ts";

const DEFAULT_URL = "http://127.0.0.1:9092";
const TIMEOUT_MS = 30_000;

/** The variables that say where the service is and who asks. */
export interface Environment {
  readonly ADMIN_URL?: string | undefined;
  readonly ADMIN_KEY?: string | undefined;
}

export const adminUrl = (env: Environment): string => env.ADMIN_URL?.trim() || DEFAULT_URL;

/** @throws UsageError when a variable is missing or wrong. The key's text stays out of every message. */
export function connect(env: Environment): Transport {
  const key = env.ADMIN_KEY?.trim() ?? "";
  if (key === "") throw new UsageError("ADMIN_KEY is not set: an admin key of the service, for example ADMIN_KEY=... npm run admin -- merchant list");
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError("ADMIN_KEY holds spaces or characters that no key has: is it cut from a longer text?");
  const url = URL.parse(adminUrl(env));
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`ADMIN_URL must be an http(s) address, for example ${DEFAULT_URL}, not "${adminUrl(env)}".`);
  const bearer: Interceptor = (next) => (request) => {
    request.header.set("authorization", `Bearer ${key}`);
    return next(request);
  };
  const baseUrl = url.href.replace(/\/+$/, "");
  // The key goes to the service alone, whatever NODE_TLS_REJECT_UNAUTHORIZED says.
  const nodeOptions = { rejectUnauthorized: true };
  return createConnectTransport({ baseUrl, httpVersion: "1.1", nodeOptions, interceptors: [bearer], defaultTimeoutMs: TIMEOUT_MS });
}
