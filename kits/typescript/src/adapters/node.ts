/** The wallet behind node:http and node:https. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { BODY_MAX_BYTES, type Wallet, type WalletReply } from "../wallet/wallet.ts";

/** For `createServer(walletListener(wallet))`. */
export function walletListener(wallet: Wallet): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => void serve(wallet, request, response, request.url ?? "/");
}

/** Answers one request. `target`: the path and query as they arrived. The promise never rejects. */
export async function serve(
  wallet: Wallet,
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
): Promise<void> {
  const body = await read(request);
  // The caller has disconnected, so no reply is sent.
  if (body === undefined) return;
  const reply = await wallet.handle({ method: request.method ?? "", target, headers: request.headers, body });
  send(response, reply);
}

function send(response: ServerResponse, { status, body }: WalletReply): void {
  response
    .writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) })
    .end(body);
}

/**
 * The whole body. A body that is too large is cut after the limit, and the wallet refuses it. undefined: the caller
 * disconnected before the body's end.
 */
async function read(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      if (size <= BODY_MAX_BYTES) chunks.push(chunk);
      size += chunk.byteLength;
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}
