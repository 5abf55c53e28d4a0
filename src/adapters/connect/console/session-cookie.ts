import type { IncomingHttpHeaders } from "node:http";

const NAME = "console_session";
const COOKIE = new RegExp(`(?:^|;) *${NAME}=([^;]*)`, "g");

/**
 * The id of the console's session, from a request's cookie. Undefined: the request has no such cookie or several.
 * Several may come from a page on another port of this host.
 */
export function sessionIn({ headers }: { readonly headers: IncomingHttpHeaders }): string | undefined {
  // No list is made of the cookies, because a caller may send thousands of them.
  const values = Array.from((headers.cookie ?? "").matchAll(COOKIE), ([, value = ""]) => value.trim());
  return values.length === 1 ? values[0] : undefined;
}

/**
 * The value of Set-Cookie that gives the browser the session's id. The browser deletes the cookie when it is closed.
 * The session itself ends independently of the cookie.
 */
export const setSession = (id: string, secure: boolean): string => cookie(id, secure);

/** The value of Set-Cookie that removes the cookie. */
export const removeSession = (secure: boolean): string => `${cookie("", secure)}; Max-Age=0`;

const cookie = (value: string, secure: boolean): string =>
  `${NAME}=${value}; HttpOnly; SameSite=Strict; Path=/${secure ? "; Secure" : ""}`;
