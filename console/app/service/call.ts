import { Failure, failureOf } from "./failure.ts";

let onSignedOut = (): void => {};

/** `tell` is called whenever the service says that the session has ended. */
export const whenSignedOut = (tell: () => void): void => {
  onSignedOut = tell;
};

/** Says that the service has refused the session. */
export const signedOut = (): void => onSignedOut();

/**
 * Calls an rpc of the internal port as JSON, `admin.MerchantAdminService/ListMerchants`. Absent fields of the reply have
 * their default value, as protobuf's JSON leaves them out.
 *
 * @throws Failure
 */
export const call = <Reply>(rpc: string, request: object = {}, signal?: AbortSignal): Promise<Reply> => {
  const [area, rest] = rpc.split(/\.(.*)/s);
  return post(`/aggregator.${area}.v1.${rest}`, request, { "connect-protocol-version": "1" }, signal);
};

/**
 * Sends JSON and reads JSON.
 *
 * @throws Failure
 */
export async function post<Reply>(
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Reply> {
  const { status, reply, errorCode } = await request(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { ...headers, "content-type": "application/json" },
    ...(signal !== undefined && { signal }),
  });
  if (status < 300) return reply as Reply;
  if (status === 401 && path !== SESSION) signedOut();
  throw failureOf(reply, errorCode);
}

/** Where a key is exchanged for a session. */
export const SESSION = "/console/session";

export async function request(
  path: string,
  init: RequestInit,
): Promise<{ status: number; reply: unknown; errorCode: string | null }> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, credentials: "same-origin", cache: "no-store" });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new Failure("UNREACHABLE", "");
  }
  const text = await response.text();
  const errorCode = response.headers.get("error-code") ?? response.headers.get("trailer-error-code");
  if (text === "") return { status: response.status, reply: {}, errorCode };
  try {
    return { status: response.status, reply: JSON.parse(text), errorCode };
  } catch {
    throw new Failure("NOT_READABLE", `HTTP ${response.status}`);
  }
}
