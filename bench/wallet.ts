/**
 * The wallet of every merchant in the bench, as cheap as Node's own HTTP server is: it reads the request and says yes. Under
 * `/hang` it never answers. IPC: `{kind: "count"}` is answered with how many calls hang now.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type WalletMessage = { readonly kind: "ready"; readonly port: number } | { readonly kind: "hanging"; readonly count: number };

const REPLY = Buffer.from('{"ok":true,"balance":1000.5}');
const HEADERS = { "content-type": "application/json", "content-length": REPLY.length };
let hanging = 0;

const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
  request.resume();
  request.once("end", () => {
    if (request.url?.startsWith("/hang") !== true) return void response.writeHead(200, HEADERS).end(REPLY);
    hanging += 1;
    response.once("close", () => {
      hanging -= 1;
    });
  });
});

const tell = (message: WalletMessage): void => void process.send?.(message);

process.on("message", () => tell({ kind: "hanging", count: hanging }));
process.once("SIGTERM", () => process.exit(0));
server.listen({ port: 0, host: "127.0.0.1", backlog: 8_192 }, () => tell({ kind: "ready", port: (server.address() as AddressInfo).port }));
