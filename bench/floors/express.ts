/**
 * Floor: a plain Express route that only verifies the signature. It checks no timestamp, nonce, limits or settings.
 * Usage: express.ts <directory file>
 */
import type { AddressInfo } from "node:net";
import express from "express";
import { verify } from "../../src/domain/signing/signing.ts";
import type { FloorReady } from "./plain-server.ts";
import { Sessions } from "./signed-post.ts";

const { directory } = new Sessions(process.argv[2] ?? "");
const secrets = new Map(directory.merchants.map(({ code, secret }) => [code, secret]));
const DATA = {
  code: "bench-1",
  currency: "BRL",
  brand: "bench",
  products: ["slot"],
  default_language: "pt",
  wallet_configured: true,
  environment: "staging",
};

const app = express();
app.get("/v1/merchant", (request, response) => {
  const header = (name: string): string => request.get(name) ?? "";
  const parts = {
    timestamp: header("x-timestamp"),
    nonce: header("x-nonce"),
    method: "GET",
    target: request.originalUrl,
    body: "",
  };
  if (verify(secrets.get(header("x-merchant-id")) ?? "", parts, header("x-signature")))
    response.json({ success: true, message: "ok", statusCode: 200, data: DATA });
  else response.status(401).json({ success: false });
});
const server = app.listen(0, "127.0.0.1", () =>
  process.send?.({ kind: "ready", port: (server.address() as AddressInfo).port } satisfies FloorReady),
);
process.once("SIGTERM", () => process.exit(0));
