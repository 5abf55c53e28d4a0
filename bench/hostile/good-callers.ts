/** Legitimate callers, which call while the hostile connections attack. */
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { TransactionStatus } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import {
  GetBalanceRequestSchema,
  GetBalanceResponseSchema,
} from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import type { BenchMerchant, Directory } from "../../testbed/directory/directory.ts";
import { RestCaller } from "../load/rest-caller.ts";
import type { Program } from "../stage/programs.ts";
import type { Calls } from "./verdict.ts";

/** The rate of each caller. */
export const CALLS_PER_SECOND = 20;
/** A call that takes longer counts as not answered. */
const ANSWER_WITHIN_MS = 5_000;
const CALLERS = 3;
/** Every fifth call opens a new connection, as a new caller would. */
export const NEW_CONNECTION_EVERY = 5;

/** The first and the longest pause before a repeat. The pause doubles each time. */
const AGAIN_AFTER_MS = { least: 50, most: 400 };

/** The largest number of connections of the legitimate callers at one time, when no call is answered. */
export const CONNECTIONS_MOST = (CALLERS * CALLS_PER_SECOND * ANSWER_WITHIN_MS) / 1_000 / NEW_CONNECTION_EVERY;

interface Caller {
  /** Resolves to true after an answer, and to false when the service was overloaded. Rejects after any other result. */
  call(): Promise<boolean>;
  close(): void;
}

/** A merchant's signed calls. */
export function merchantCalls({ restOrigin }: Program, merchant: BenchMerchant, forMs: number): Promise<Calls> {
  return steadily((connections) => {
    const caller = new RestCaller(restOrigin, merchant, connections);
    return { call: () => caller.get("/v1/merchant").then(() => true), close: () => void caller.close() };
  }, forMs);
}

/**
 * A provider's GetBalance with a valid key. A call that gets OVERLOADED is repeated, as the protocol requires.
 * @param from - the caller's address, one of 127.0.0.0/8.
 */
export function providerCalls({ address }: Program, directory: Directory, from: string, forMs: number): Promise<Calls> {
  return steadily(() => new ProviderCaller(address, directory, from), forMs);
}

/** Makes calls at a steady rate, even when answers are slow. */
async function steadily(open: (connections: number) => Caller, forMs: number): Promise<Calls> {
  const kept = open(4);
  const answeredMs: number[] = [];
  const failed: Record<string, number> = {};
  let again = 0;
  const untilAnswered = async (caller: Caller, until: number): Promise<void> => {
    for (
      let pauseMs = AGAIN_AFTER_MS.least;
      !(await caller.call());
      pauseMs = Math.min(2 * pauseMs, AGAIN_AFTER_MS.most)
    ) {
      again += 1;
      if (performance.now() + pauseMs > until) throw new Error(`OVERLOADED for ${ANSWER_WITHIN_MS} ms`);
      await sleep(pauseMs);
    }
  };
  const one = async (n: number): Promise<void> => {
    const caller = n % NEW_CONNECTION_EVERY === 0 ? open(1) : kept;
    const beganAt = performance.now();
    try {
      const late = sleep(ANSWER_WITHIN_MS, undefined, { ref: false }).then(() =>
        Promise.reject(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`)),
      );
      await Promise.race([untilAnswered(caller, beganAt + ANSWER_WITHIN_MS), late]);
      answeredMs.push(performance.now() - beganAt);
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      const where = caller === kept ? "kept connection" : "new connection";
      failed[`${where}: ${what}`] = (failed[`${where}: ${what}`] ?? 0) + 1;
    } finally {
      if (caller !== kept) caller.close();
    }
  };
  const under: Promise<void>[] = [];
  const beganAt = performance.now();
  for (let n = 0; performance.now() - beganAt < forMs; n++) {
    under.push(one(n));
    await sleep(Math.max(0, beganAt + ((n + 1) * 1_000) / CALLS_PER_SECOND - performance.now()));
  }
  await Promise.all(under);
  kept.close();
  return { answeredMs, failed, again };
}

/** One connection from a given local address. grpc-js cannot choose the local address. */
class ProviderCaller implements Caller {
  readonly #session;
  readonly #headers;
  readonly #request: Buffer;

  constructor(address: string, { apiKey, game, merchants }: Directory, from: string) {
    const [host = "", port = ""] = address.split(":");
    this.#session = connectHttp2(`http://${address}`, {
      createConnection: () => connect({ host, port: Number(port), localAddress: from }),
    });
    this.#session.on("error", () => {});
    const path = "/aggregator.provider.v1.WalletService/GetBalance";
    this.#headers = {
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      authorization: `Bearer ${apiKey}`,
    };
    const sessionId = merchants[0]?.sessions[0]?.id ?? "";
    const message = toBinary(GetBalanceRequestSchema, create(GetBalanceRequestSchema, { sessionId, game }));
    this.#request = Buffer.concat([Buffer.of(0, 0, 0, 0, message.length), message]);
  }

  async call(): Promise<boolean> {
    const stream = this.#session.request(this.#headers);
    const parts: Buffer[] = [];
    let code: unknown;
    const note = (fields: Record<string, unknown>) => (code = fields["error-code"] ?? fields["grpc-status"]);
    stream
      .on("data", (part: Buffer) => parts.push(part))
      .on("response", note)
      .on("trailers", note);
    stream.end(this.#request);
    await once(stream, "close");
    if (code === "OVERLOADED") return false;
    if (code !== "0") throw new Error(`GetBalance: ${code ?? `reset ${stream.rstCode}`}`);
    const { status } = fromBinary(GetBalanceResponseSchema, Buffer.concat(parts).subarray(5));
    if (status !== TransactionStatus.SUCCESS) throw new Error(`GetBalance: ${status}`);
    return true;
  }

  close(): void {
    this.#session.destroy();
  }
}
