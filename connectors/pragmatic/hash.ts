/** The hash of Pragmatic's calls, in both directions. */
import type { Form } from "../frame/form.ts";
import { md5 } from "../frame/verify.ts";

/** MD5 over all parameters but `hash` and the empty ones, in the order of their names, and the secret behind them. */
export function hashOf(form: Form, secret: string): string {
  const signed = Object.entries(form)
    .filter(([name, value]) => name !== "hash" && value !== "")
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`);
  return md5(`${signed.join("&")}${secret}`);
}
