import { signedCall } from "../../harness/signed-call.ts";
import type { Stage } from "./stage.ts";

/** Calls of all merchants at once, more than both replicas' pools have connections. */
export const REST_BURST = 64;

/** Signed calls, each of which writes a nonce. Resolves when all are answered, however. */
export async function burst({ installation, replicas }: Stage): Promise<void> {
  const { merchants } = installation.directory;
  const calls = Array.from({ length: REST_BURST }, (_, n) => {
    const { code, secret } = merchants[n % merchants.length] as (typeof merchants)[number];
    const port = replicas[n % replicas.length]?.ports.rest;
    return signedCall(`http://127.0.0.1:${port}`, { code, secret }, "GET", "/v1/merchant").catch(() => {});
  });
  await Promise.all(calls);
}
