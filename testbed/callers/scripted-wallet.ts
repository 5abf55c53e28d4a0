import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A wallet's answer to a callback: accepted, silent (no answer at all), or the code of a rejection. */
export type ScriptedAnswer = "accepted" | "silent" | (string & {});

/**
 * A wallet without a ledger on a real socket. Each transaction has a list of answers; the last one is repeated.
 *
 * @param onSilence - called for each call that gets no answer.
 */
export async function startScriptedWallet(provider = "ACME", onSilence: () => void = () => {}) {
  const scripts = new Map<string, ScriptedAnswer[]>();
  const callbacks: {
    readonly txId: string;
    readonly body: string;
    readonly headers: NodeJS.Dict<string | string[]>;
  }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      const txId = String(JSON.parse(body).tx_id);
      callbacks.push({ txId, body, headers: request.headers });
      const answers = scripts.get(txId) ?? ["accepted"];
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === "silent") return onSilence();
      response.end(JSON.stringify(answer === "accepted" ? { ok: true, balance: 9 } : { ok: false, error: answer }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/wallet`,
    callbacks,
    /** Sets the answers for the provider's transaction, one for each call. */
    setAnswers: (id: string, ...answers: ScriptedAnswer[]) => void scripts.set(`${provider}:${id}`, answers),
    /** The number of calls for the provider's transaction. */
    calls: (id: string) => callbacks.filter((callback) => callback.txId === `${provider}:${id}`).length,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
