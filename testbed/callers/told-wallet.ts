import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A wallet's answer to a callback: accepted, silent (no answer), or a rejection's code. */
export type Said = "accepted" | "silent" | (string & {});

/**
 * A wallet without a ledger on a real socket. Each transaction has a list of answers. The last answer is repeated
 * without limit.
 */
export async function startToldWallet(provider = "ACME") {
  const told = new Map<string, Said[]>();
  const heard: { readonly txId: string; readonly body: string; readonly headers: NodeJS.Dict<string | string[]> }[] =
    [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      const txId = String(JSON.parse(body).tx_id);
      heard.push({ txId, body, headers: request.headers });
      const answers = told.get(txId) ?? ["accepted"];
      const said = answers.length > 1 ? answers.shift() : answers[0];
      if (said === "silent") return;
      response.end(JSON.stringify(said === "accepted" ? { ok: true, balance: 9 } : { ok: false, error: said }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`,
    heard,
    /** Sets the answers for the provider's transaction, one for each call. */
    tell: (id: string, ...answers: Said[]) => void told.set(`${provider}:${id}`, answers),
    /** The number of calls for the provider's transaction. */
    calls: (id: string) => heard.filter((callback) => callback.txId === `${provider}:${id}`).length,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
