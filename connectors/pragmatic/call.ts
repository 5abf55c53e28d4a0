/** Our own calls of Pragmatic's API. */
import { writeForm } from "../frame/form.ts";
import { post } from "../frame/outgoing.ts";
import { hashOf } from "./hash.ts";
import type { PragmaticSettings } from "./settings.ts";

const BASE = "/IntegrationService/v3/http/CasinoGameAPI/";

/** Makes a call with its hash. @throws Error if the answer names an error. */
export async function call<T>(
  settings: Pick<PragmaticSettings, "PRAGMATIC_URL" | "PRAGMATIC_SECRET">,
  path: string,
  form: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<T> {
  const answer = JSON.parse(
    await post({
      url: `${settings.PRAGMATIC_URL}${BASE}${path}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: writeForm({ ...form, hash: hashOf(form, settings.PRAGMATIC_SECRET) }),
      timeoutMs,
    }),
  ) as (T & { readonly error?: unknown }) | null;
  const error = String(answer?.error ?? "0");
  if (answer === null || error !== "0") throw new Error(`the provider's answer has the error ${error}`);
  return answer;
}
