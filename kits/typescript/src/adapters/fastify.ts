/** The wallet in Fastify 5. */
import type { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Wallet } from "../wallet/wallet.ts";
import { read } from "./node.ts";

/**
 * For `app.register(walletPlugin(wallet, "/wallet"))`. The plugin's parser of raw bodies applies only to the plugin's
 * own route.
 */
export function walletPlugin(wallet: Wallet, path: string): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", async (_request: unknown, payload: Readable) => {
      const body = await read(payload);
      if (body === undefined) throw new Error("the body did not arrive completely");
      return body;
    });
    app.post(path, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const { method, headers } = request.raw;
      const answer = await wallet.handle({ method: method ?? "", target: request.raw.url ?? path, headers, body });
      return reply.code(answer.status).type("application/json").send(answer.body);
    });
  };
}
