import type { IncomingHttpHeaders } from "node:http";

const NAME = "console_session";

/**
 * The session's id in a request. Undefined: there is none, or there are several. Then a page on another port of this
 * host may have added one.
 */
export function sessionIn({ headers }: { readonly headers: IncomingHttpHeaders }): string | undefined {
  const values = (headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${NAME}=`))
    .map((pair) => pair.slice(NAME.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

/** The value of Set-Cookie. The browser forgets the cookie when it ends; the session ends on its own. */
export const setSession = (id: string, secure: boolean): string => cookie(id, secure);

/** The value of Set-Cookie that removes the cookie. */
export const removeSession = (secure: boolean): string => `${cookie("", secure)}; Max-Age=0`;

const cookie = (value: string, secure: boolean): string =>
  `${NAME}=${value}; HttpOnly; SameSite=Strict; Path=/${secure ? "; Secure" : ""}`;
