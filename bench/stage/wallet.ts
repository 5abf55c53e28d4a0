/**
 * The wallet of every merchant in the bench: Node's own HTTP server, which reads the request and accepts it. Under
 * `/hang`, and for silenced merchants, it never answers. IPC: see {@link WalletOrder}.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type WalletMessage =
  | { readonly kind: "ready"; readonly port: number }
  | { readonly kind: "hanging"; readonly count: number };

export type WalletOrder =
  /** The answer is the number of calls that hang now. */
  | { readonly kind: "count" }
  /** The codes of the merchants whose wallets are silent from now on. All other wallets answer. */
  | { readonly kind: "silence"; readonly merchants: readonly string[] }
  /**
   * From now on, this share of these merchants' calls is answered with 500. All other merchants' calls are accepted.
   */
  | { readonly kind: "fail"; readonly merchants: readonly string[]; readonly share: number };

const REPLY = Buffer.from('{"ok":true,"balance":1000.5}');
const HEADERS = { "content-type": "application/json", "content-length": REPLY.length };
let hanging = 0;
let silent: ReadonlySet<string> = new Set();
let errorRates: { readonly merchants: ReadonlySet<string>; readonly share: number } = {
  merchants: new Set(),
  share: 0,
};

const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
  request.resume();
  request.once("end", () => {
    const hangs =
      request.url?.startsWith("/hang") === true ||
      (silent.size > 0 && silent.has(String(request.headers["x-merchant-id"])));
    const fails =
      errorRates.share > 0 &&
      errorRates.merchants.has(String(request.headers["x-merchant-id"])) &&
      Math.random() < errorRates.share;
    if (fails) return void response.writeHead(500, { "content-length": 0 }).end();
    if (!hangs) return void response.writeHead(200, HEADERS).end(REPLY);
    hanging += 1;
    response.once("close", () => {
      hanging -= 1;
    });
  });
});

const send = (message: WalletMessage): void => void process.send?.(message);

process.on("message", (order: WalletOrder) => {
  if (order.kind === "count") return send({ kind: "hanging", count: hanging });
  if (order.kind === "silence") silent = new Set(order.merchants);
  else errorRates = { merchants: new Set(order.merchants), share: order.share };
});
// The process that sent the orders has ended.
process.once("disconnect", () => process.exit(0));
process.once("SIGTERM", () => process.exit(0));
server.listen({ port: 0, host: "127.0.0.1", backlog: 8_192 }, () =>
  send({ kind: "ready", port: (server.address() as AddressInfo).port }),
);
