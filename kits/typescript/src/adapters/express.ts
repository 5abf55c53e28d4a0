/** The wallet in Express 5. */
import type { RequestHandler } from "express";
import type { Wallet } from "../wallet/wallet.ts";
import { serve } from "./node.ts";

/**
 * For `app.post("/wallet", walletHandler(wallet))`. The handler reads the raw body itself: put it before
 * `express.json()` and other body parsers.
 */
export function walletHandler(wallet: Wallet): RequestHandler {
  return async (request, response, next) => {
    if (request.readableEnded) {
      next(new Error("The wallet needs the raw body: mount walletHandler before express.json() and other parsers."));
      return;
    }
    await serve(wallet, request, response, request.originalUrl);
  };
}
