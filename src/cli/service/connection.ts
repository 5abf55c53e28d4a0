import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Interceptor, Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { VERSION } from "../../domain/values/product.ts";
import { UsageError } from "../arguments/usage-error.ts";

const DEFAULT_URL = "http://127.0.0.1:9092";
const TIMEOUT_MS = 30_000;
/** How long one of several addresses may take. Node's own limit is half a second. */
const ATTEMPT = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 5_000 };
const USER_AGENT = `game-aggregator-admin/${VERSION}`;

/** The environment variables with the address of the service and the caller's key. */
export interface Environment {
  readonly ADMIN_URL?: string | undefined;
  readonly ADMIN_KEY?: string | undefined;
}

export const adminUrl = (env: Environment): string => env.ADMIN_URL?.trim() || DEFAULT_URL;

/** @throws UsageError if a variable is missing or wrong. No message contains the key. */
export function connect(env: Environment): Transport {
  const key = env.ADMIN_KEY?.trim() ?? "";
  if (key === "")
    throw new UsageError(
      "ADMIN_KEY is not set. It must be an admin key of the service. Example: ADMIN_KEY=... npm run admin -- merchant list",
    );
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError("ADMIN_KEY has spaces or other characters that no key has. Was it cut from a longer text?");
  const url = URL.parse(adminUrl(env));
  // An address with one of these characters may have a password, so no message has it.
  const isPlain = !/[@?#]/.test(adminUrl(env));
  if (!isPlain || url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `ADMIN_URL must be an http(s) address${isPlain ? "" : " without user, password, query and fragment"}, for example ${DEFAULT_URL}${isPlain ? `, not "${adminUrl(env)}"` : ""}.`,
    );
  const bearer: Interceptor = (next) => (request) => {
    request.header.set("authorization", `Bearer ${key}`);
    request.header.set("user-agent", USER_AGENT);
    request.header.set("accept-encoding", "identity");
    return next(request);
  };
  const baseUrl = url.href.replace(/\/+$/, "");
  // Only the service may get the key. So its certificate is verified, whatever value NODE_TLS_REJECT_UNAUTHORIZED has,
  // and no proxy of http_proxy is used, as it would be with Node's own agent and NODE_USE_ENV_PROXY.
  const agent = new (url.protocol === "https:" ? HttpsAgent : HttpAgent)({ keepAlive: true, ...ATTEMPT });
  const nodeOptions = { rejectUnauthorized: true, agent };
  return createConnectTransport({
    baseUrl,
    httpVersion: "1.1",
    nodeOptions,
    interceptors: [bearer],
    acceptCompression: [],
    defaultTimeoutMs: TIMEOUT_MS,
  });
}
