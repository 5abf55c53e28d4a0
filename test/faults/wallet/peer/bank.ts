import type { Duplex } from "node:stream";
import { Ledger, type Reply } from "../../../../sandbox/merchant/ledger.ts";
import { checkSignature } from "../../../../sandbox/merchant/signature.ts";
import { eachRequest, reply } from "../../../adapters/wallet-http/raw-server.ts";

const OPENING_MINOR = 100_000_000_000n;
/** The suffix of transactions that only open a connection. */
export const WARM_UP = "~warm";

/**
 * A fault's reaction to a request: it writes any bytes to the connection, or no bytes. `honest` is the correct reply.
 */
export type Misbehave = (socket: Duplex, honest: Buffer) => void;

/** The behaviour for the first attempt of a transaction. Later attempts and warm-ups get correct replies. */
export interface Behaviour {
  readonly misbehave?: Misbehave | undefined;
  /** Once it returns true, every reply is correct. */
  readonly healed?: () => boolean;
  /** Whether the money moves, whatever the reply is. */
  readonly applies: boolean;
  /** The connection may be used again after the misbehaviour, because the reply was well-formed. */
  readonly sound: boolean;
  /** Whether the connection closes after each correct reply, so that the next call opens a new connection. */
  readonly closes: boolean;
  /** The answer to every later attempt, whatever the first answer was. */
  readonly toRepeats?: string | undefined;
  /** The number of milliseconds after which an idle connection is closed. */
  readonly idleMs?: number | undefined;
}

/**
 * The ledger of the merchants behind any sockets. It records all requests, and separately the requests that no correct
 * client makes.
 */
export class Bank {
  readonly ledger = new Ledger();
  /** Bodies of each transaction's requests, in their order. */
  readonly bodiesByTxId = new Map<string, string[]>();
  /** Requests that no correct client makes. */
  readonly violations: string[] = [];
  readonly #secretOf: (merchant: string) => string;
  readonly #nonces = new Set<string>();

  constructor(secretOf: (merchant: string) => string) {
    this.#secretOf = secretOf;
  }

  open(merchant: string): void {
    this.ledger.addMerchant(merchant, "BRL");
    this.ledger.addPlayer(merchant, "ana", OPENING_MINOR);
  }

  requests(txId: string): readonly string[] {
    return this.bodiesByTxId.get(txId) ?? [];
  }

  effects(txId: string): number {
    return this.ledger.effects.filter((effect) => effect.txId === txId).length;
  }

  /** Answers the requests of a connection. */
  serve(socket: Duplex, { misbehave, healed, applies, sound, closes, toRepeats, idleMs }: Behaviour): void {
    let idle: NodeJS.Timeout | undefined;
    let state: "free" | "busy" | "spoilt" = "free";
    socket.on("error", () => undefined);
    eachRequest(socket, (request) => {
      clearTimeout(idle);
      // The request comes from another program on this machine, whose own server had this port before.
      if (!/^x-merchant-id:/im.test(request)) return void socket.destroy();
      const { merchant, body, txId, attempt } = this.#read(request);
      if (state !== "free") this.violations.push(`${txId}: sent over a connection that is ${state}`);
      const bodies = this.requests(txId);
      if (bodies.some((earlier) => earlier !== body)) this.violations.push(`${txId}: another body than before`);
      this.bodiesByTxId.set(txId, [...bodies, body]);
      const faulty = misbehave !== undefined && healed?.() !== true && attempt === "1" && !txId.endsWith(WARM_UP);
      if (faulty && !sound) state = "spoilt";
      else state = "busy";
      const answer: Reply =
        faulty && !applies ? { ok: true, balance: 1 } : this.ledger.apply(merchant, JSON.parse(body));
      const honest = reply(200, JSON.stringify(answer), closes ? "connection: close\r\n" : "");
      if (state === "busy") state = "free";
      if (faulty) misbehave(socket, honest);
      else if (attempt !== "1" && toRepeats !== undefined) socket.write(reply(200, toRepeats));
      else if (closes) socket.end(honest);
      else socket.write(honest);
      if (idleMs !== undefined) idle = setTimeout(() => socket.end(), idleMs);
    });
  }

  #read(request: string): { merchant: string; body: string; txId: string; attempt: string | undefined } {
    const [head = "", body = ""] = request.split("\r\n\r\n");
    const [line = "", ...lines] = head.split("\r\n");
    const headers = Object.fromEntries(
      lines.map((text) => [text.slice(0, text.indexOf(":")).toLowerCase(), text.slice(text.indexOf(":") + 1).trim()]),
    );
    const [method = "", target = ""] = line.split(" ");
    const merchant = headers["x-merchant-id"] ?? "";
    const { tx_id: txId } = JSON.parse(body) as { tx_id: string };
    const signature = checkSignature(
      [this.#secretOf(merchant)],
      { method, target, headers, body: Buffer.from(body) },
      Date.now(),
    );
    if (signature !== "ok") this.violations.push(`${txId}: signature ${signature}`);
    const nonce = headers["x-nonce"] ?? "";
    if (this.#nonces.has(nonce)) this.violations.push(`${txId}: a nonce for the second time`);
    this.#nonces.add(nonce);
    return { merchant, body, txId, attempt: headers["x-attempt"] };
  }
}
