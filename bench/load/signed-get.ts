import { randomBytes } from "node:crypto";
import { Pool } from "undici";
import { sign } from "../../src/domain/signing.ts";
import { type Call, SUCCESS } from "./call.ts";
import type { Target } from "./orders.ts";

/** Signed GETs of merchants in turns, on kept connections. The outcome is {@link SUCCESS}, or the refusal's code. */
export function signedGetAt({ origin, path, merchants, addresses, connections }: Target & { protocol: "rest" }): Call {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const run = randomBytes(9).toString("base64url");
  let n = 0;
  const get = async (): Promise<string> => {
    const i = n++;
    const { code = "", secret = "" } = merchants[i % merchants.length] ?? {};
    const [timestamp, nonce] = [String(Date.now()), `${run}${String(i).padStart(10, "0")}`];
    const { statusCode, body } = await pool.request({
      method: "GET",
      path,
      headers: {
        "x-merchant-id": code,
        "x-timestamp": timestamp,
        "x-nonce": nonce,
        "x-signature": sign(secret, { timestamp, nonce, method: "GET", target: path, body: "" }),
        "x-forwarded-for": addressOf(i % addresses),
      },
    });
    const text = await body.text();
    return statusCode === 200 ? SUCCESS : ((JSON.parse(text) as { error?: { code?: string } }).error?.code ?? `status ${statusCode}`);
  };
  return (done) =>
    void get().then(
      (outcome) => done({ outcome }),
      (error: Error) => done({ outcome: error.message }),
    );
}

const addressOf = (i: number): string => `10.${(i >> 16) & 0xff}.${(i >> 8) & 0xff}.${i & 0xff}`;
