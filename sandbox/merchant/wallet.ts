/**
 * A wallet over HTTP: one walletUrl for several merchants, with a ledger behind it and faults that can be switched on.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { readBody } from "../http/body.ts";
import { type Fault, type FaultKind, NO_FAULT, play } from "./faults.ts";
import { Ledger, type Reply } from "./ledger.ts";
import { checkSignature, type SignatureCheck } from "./signature.ts";

/** A received callback that is about to be answered. */
export interface Callback {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly merchant: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** The body's text, unparsed. */
  readonly body: string;
  readonly signature: SignatureCheck | "unknown_merchant";
  readonly fault: FaultKind;
  /** The ledger's reply; null: because of a fault the callback did not reach the ledger. */
  readonly reply: Reply | null;
}

export interface WalletOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /**
   * The secrets of a merchant: one secret, or the old and the new secret during a change. An empty list: this wallet
   * does not serve the merchant.
   */
  readonly secretsOf: (merchant: string) => readonly string[];
  readonly ledger?: Ledger;
  readonly onCallback?: (callback: Callback) => void;
  /** Answers GET and HEAD, for people who open the wallet's address in a browser. Absent: GET and HEAD get 405. */
  readonly page?: RequestListener;
}

export interface RunningWallet {
  /** The address to use as walletUrl. */
  readonly url: string;
  readonly port: number;
  readonly ledger: Ledger;
  /** Sets the fault from now on: for one player of any merchant, or for all players without a fault of their own. */
  setFault(fault: Fault, player?: string): void;
  /** Stops at once and closes the connections that faults hold. */
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 65_536;

export async function startWallet(options: WalletOptions): Promise<RunningWallet> {
  const ledger = options.ledger ?? new Ledger();
  const faults = new Map<string, Fault>();
  let fault = NO_FAULT;

  const answer = (request: IncomingMessage, response: ServerResponse, raw: Buffer): void => {
    const merchant = String(request.headers["x-merchant-id"] ?? "");
    const secrets = options.secretsOf(merchant);
    const received = { method: request.method ?? "", target: request.url ?? "", headers: request.headers, body: raw };
    const signature = secrets.length === 0 ? "unknown_merchant" : checkSignature(secrets, received, Date.now());
    const body = raw.toString("utf8");
    const report = (kind: FaultKind, reply: Reply | null): void =>
      options.onCallback?.({
        at: Date.now(),
        merchant,
        target: received.target,
        headers: request.headers,
        body,
        signature,
        fault: kind,
        reply,
      });
    if (signature !== "ok") {
      const reply: Reply = { ok: false, error: "INVALID_SIGNATURE" };
      report("none", reply);
      return send(response, 401, reply);
    }
    const parsed = parse(body);
    const active = faults.get(playerOf(parsed)) ?? fault;
    play(active, response, {
      apply: () => ledger.apply(merchant, parsed),
      report: (reply) => report(active.kind, reply),
      send: (reply) => send(response, 200, reply),
    });
  };

  const server = createServer((request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (options.page !== undefined && isRead) return void options.page(request, response);
    if (request.method !== "POST")
      return void response.writeHead(405, { allow: options.page === undefined ? "POST" : "GET, HEAD, POST" }).end();
    void readBody(request, BODY_BYTES_MAX).then((body) => {
      if (body === undefined) request.destroy();
      else answer(request, response, body);
    });
  });
  server.listen(options.port ?? 0, options.host ?? "127.0.0.1");
  await new Promise<void>((resolve, reject) => server.once("listening", resolve).once("error", reject));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${options.host ?? "127.0.0.1"}:${port}/wallet`,
    port,
    ledger,
    setFault(next, player) {
      if (player === undefined) fault = next;
      else faults.set(player, next);
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, status: number, reply: Reply): void {
  const text = JSON.stringify(reply);
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const playerOf = (body: unknown): string =>
  typeof body === "object" && body !== null && "player_id" in body ? String(body.player_id) : "";
