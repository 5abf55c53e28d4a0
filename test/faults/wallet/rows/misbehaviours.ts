/** The bytes that a faulty wallet writes to its connection instead of a correct reply. */
import type { Duplex } from "node:stream";
import { gzipSync } from "node:zlib";
import { reply } from "../../../adapters/wallet-http/raw-server.ts";
import type { Misbehave } from "../peer/bank.ts";
import type { Pace } from "./row.ts";

export const json =
  (text: string, status = 200, headers = ""): (() => Misbehave) =>
  () =>
  (socket) =>
    void socket.write(reply(status, text, headers));
export const bytes =
  (text: string | Buffer): (() => Misbehave) =>
  () =>
  (socket) =>
    void socket.write(text);
export const end =
  (text: string | Buffer): (() => Misbehave) =>
  () =>
  (socket) =>
    void socket.end(text);
export const reset = (socket: Duplex): void => (socket as Duplex & { resetAndDestroy(): void }).resetAndDestroy();
/** A text that some wallets add to the three fields. No log, metric or reply of the service may contain it. */
export const CANARY = "canary-7c1f9e";
export const HEAD = "HTTP/1.1 200 OK\r\n";
export const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;
export const OK = '{"ok":true,"balance":97.5}';

/** Sends one piece after another until the connection closes. */
export const trickle =
  (head: string, piece: string) =>
  ({ timeoutMs }: Pace): Misbehave =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(piece)), timeoutMs / 20);
  };

/** Sends as many bytes as the connection accepts, at most `mostBytes`. */
export const flood =
  (head: string, unit: string, mostBytes = 100_000_000) =>
  (): Misbehave =>
  (socket) => {
    const block = Buffer.from(unit.repeat(Math.floor(65_536 / unit.length)));
    let written = 0;
    socket.write(head);
    const more = (): void => {
      for (let i = 0; i < 4; i++, written += block.length)
        if (socket.destroyed || written >= mostBytes || !socket.write(block)) return;
      setImmediate(more);
    };
    socket.on("drain", more);
    more();
  };

export const later =
  (ms: (pace: Pace) => number) =>
  (pace: Pace): Misbehave =>
  (socket, honest) =>
    void setTimeout(() => socket.destroyed || socket.write(honest), ms(pace)).unref();

/** Two concurrent calls get each other's reply. A single call gets its own reply. */
export function swapped({ timeoutMs }: Pace): Misbehave {
  let waiting: ((other: Buffer) => Buffer) | undefined;
  return (socket, honest) => {
    if (waiting !== undefined) return void socket.write(waiting(honest));
    const alone = setTimeout(() => waiting?.(honest), timeoutMs / 6);
    waiting = (other) => {
      clearTimeout(alone);
      waiting = undefined;
      socket.write(other);
      return honest;
    };
  };
}

/** Megabytes of zeros, compressed once per row because it takes time. */
export function bomb(megabytes: number): () => Misbehave {
  return () => {
    const packed = reply(
      200,
      gzipSync(Buffer.alloc(megabytes * 1_000_000), { level: 9 }),
      "content-encoding: gzip\r\n",
    );
    return (socket) => void socket.write(packed);
  };
}
