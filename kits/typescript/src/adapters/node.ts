/** The wallet behind node:http and node:https. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
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
  // The connection is closed, so no reply is sent.
  if (body === undefined) return;
  const reply = await wallet.handle({ method: request.method ?? "", target, headers: request.headers, body });
  send(request, response, reply);
}

function send(request: IncomingMessage, response: ServerResponse, { status, body }: WalletReply): void {
  const isUnread = !request.readableEnded;
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...(isUnread && { Connection: "close" }) }).end(body);
}

/** A body that does not arrive within this time is given up. The service waits 8 s for the whole reply. */
const ARRIVES_WITHIN_MS = 10_000;
/** The number of bytes that are read of a body that is too large, so that its sender reads the refusal. */
const READ_BYTES = 16 * BODY_MAX_BYTES;
const FIRST_BYTES = 4_096;

/**
 * The whole body. A body that is too large is cut after the limit, and the wallet refuses it. undefined: the caller
 * disconnected before the body's end, or the body took too long.
 *
 * The pieces are copied into one buffer. A list of pieces would need far more memory than the body: a piece of one byte
 * keeps the buffer in which it arrived.
 */
export async function read(request: Readable): Promise<Buffer | undefined> {
  let body = Buffer.alloc(FIRST_BYTES);
  let size = 0;
  const timer = setTimeout(() => request.destroy(new Error("the body took too long")), ARRIVES_WITHIN_MS);
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const kept = chunk.subarray(0, Math.max(0, BODY_MAX_BYTES + 1 - size));
      if (size + kept.byteLength > body.byteLength) {
        const larger = Buffer.alloc(Math.min(2 * (size + kept.byteLength), BODY_MAX_BYTES + 1));
        body.copy(larger);
        body = larger;
      }
      kept.copy(body, size);
      size += chunk.byteLength;
      if (size > READ_BYTES) break;
    }
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
  return body.subarray(0, Math.min(size, BODY_MAX_BYTES + 1));
}
