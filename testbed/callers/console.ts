/** Calls the internal port as the console's page does: with a cookie, and with the headers that a browser adds. */
import type { Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import type { Service } from "../../src/service.ts";
import { ADMIN_SERVICES, type Admin, clientsOver } from "./administration.ts";

type Internal = Pick<Service, "ports">;

export const originOf = ({ ports }: Internal): string => `http://127.0.0.1:${ports.internalHttp}`;

/**
 * Signs in with an admin key.
 *
 * @param headers - further headers, or others.
 */
export const signIn = (service: Internal, key: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${originOf(service)}/console/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: originOf(service), ...headers },
    body: JSON.stringify({ key }),
  });

/** The cookie that a reply sets, as a browser sends it back. */
export const cookieOf = (response: Response): string => (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";

/** Signs in and returns the cookie. Throws when the key is refused. */
export async function signedIn(service: Internal, key: string): Promise<string> {
  const response = await signIn(service, key);
  if (response.status !== 200) throw new Error(`the sign-in was answered ${response.status}`);
  return cookieOf(response);
}

/** Clients that call with these headers, by default those of the page. */
export function adminOfPage(service: Internal, cookie: string, more: Record<string, string | null> = {}): Admin {
  const headers = { cookie, origin: originOf(service), ...more };
  const asPage: Interceptor = (next) => (request) => {
    for (const [name, value] of Object.entries(headers)) if (value !== null) request.header.set(name, value);
    return next(request);
  };
  const transport = createConnectTransport({ baseUrl: originOf(service), httpVersion: "1.1", interceptors: [asPage] });
  return clientsOver(ADMIN_SERVICES, transport) as unknown as Admin;
}
