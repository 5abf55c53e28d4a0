/** The client of a wallet. Each delivery is one POST with one deadline. The client never repeats a POST by itself. */
import { randomUUID } from "node:crypto";
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { TLSSocket } from "node:tls";
import { VERSION } from "../version.ts";
import type { Callback } from "./callback.ts";
import { type Delivery, type Prepared, prepare } from "./delivery.ts";
import { type Reply, readReply } from "./reply.ts";

/** A sent callback and its reply. */
export interface Exchange {
  readonly callback: Callback;
  readonly delivery: Delivery;
  readonly sent: Prepared;
  readonly reply: Reply;
}

/** The service's own limit: from the first byte sent to the last byte of the reply. */
const DEADLINE_MS = 8_000;
const REPLY_BYTES_MAX = 65_536;
const USER_AGENT = `certify-wallet/${VERSION}`;
/** How long one of several addresses of the wallet may take. Node's own limit is half a second. */
const ATTEMPT = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: DEADLINE_MS / 2 };

export class Wallet {
  readonly url: URL;
  /** The part of the address that is signed. */
  readonly target: string;
  readonly #agents = new Map<string, HttpAgent>();
  /** The number of calls that may begin now. */
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(url: URL, atOnce: number) {
    this.url = url;
    this.target = url.pathname + url.search;
    this.#free = atOnce;
  }

  /** Waits for a free call first. The timestamp and the deadline begin after the wait. */
  async send(callback: Callback, delivery: Delivery = {}): Promise<Exchange> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free -= 1;
    try {
      return await this.#exchange(callback, delivery);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  async #exchange(callback: Callback, delivery: Delivery): Promise<Exchange> {
    const sent = prepare(callback, delivery, this.target);
    const began = performance.now();
    const got = await this.#deliver(sent, delivery);
    const ms = performance.now() - began;
    const read =
      "why" in got
        ? { meaning: { kind: "silent", why: got.why, isUnanswered: got.isUnanswered === true } as const, faults: [] }
        : readReply(got.status, got.text, callback.account.currency);
    const reply: Reply = { status: "why" in got ? null : got.status, text: "why" in got ? "" : got.text, ms, ...read };
    return { callback, delivery, sent, reply };
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  async #deliver(sent: Prepared, delivery: Delivery): Promise<Received> {
    const bytes = Buffer.from(sent.body);
    const { connection } = delivery;
    const isAlone = connection === "own" || delivery.cut !== undefined;
    const agent = isAlone
      ? this.#newAgent({ keepAlive: false })
      : this.#agent(typeof connection === "object" ? connection.keptOpen : "");
    const open = (agent: HttpAgent): ClientRequest =>
      (this.url.protocol === "https:" ? requestHttps : requestHttp)(this.url, {
        method: "POST",
        agent,
        headers: {
          "User-Agent": USER_AGENT,
          "Accept-Encoding": "identity",
          ...sent.headers,
          "X-Request-Id": randomUUID(),
          "X-Attempt": "1",
          ...delivery.headers,
          "Content-Length": bytes.length,
        },
      });
    const got = await exchange(open(agent), bytes, delivery);
    // The server closed the idle connection just before this request used it. So the server received nothing, and the
    // request is sent again, on a new connection: other idle connections may be closed as well.
    return "stale" in got ? exchange(open(this.#newAgent({ keepAlive: false })), bytes, delivery) : got;
  }

  #agent(name: string): HttpAgent {
    const agent = this.#agents.get(name) ?? this.#newAgent({ keepAlive: true, ...(name !== "" && { maxSockets: 1 }) });
    this.#agents.set(name, agent);
    return agent;
  }

  #newAgent(options: { keepAlive: boolean; maxSockets?: number }): HttpAgent {
    // An agent without proxies of its own uses none, whatever variables the environment has.
    return new (this.url.protocol === "https:" ? HttpsAgent : HttpAgent)({ ...ATTEMPT, ...options });
  }
}

type Received = { readonly status: number; readonly text: string } | NoReply;

interface NoReply {
  readonly why: string;
  /** Nothing complete came in time, or the connection was refused or broke. */
  readonly isUnanswered?: true;
  readonly stale?: true;
}

const unanswered = (why: string): NoReply => ({ why, isUnanswered: true });

/** One request, from its first byte to the end of the reply, the end of the connection or the deadline. */
function exchange(request: ClientRequest, body: Buffer, delivery: Delivery): Promise<Received> {
  return new Promise((resolve) => {
    const end = (received: Received): void => {
      clearTimeout(timer);
      resolve(received);
      if ("why" in received) request.destroy();
    };
    const timer = setTimeout(() => end(unanswered(`No complete reply within ${DEADLINE_MS / 1000} s`)), DEADLINE_MS);
    request.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      end({ ...unanswered(`The connection failed: ${error.code ?? error.message}`), ...(isStale && { stale: true }) });
    });
    request.on("response", (response) => {
      if (delivery.cut !== undefined) return;
      read(response).then(
        (text) => {
          const coding = response.headers["content-encoding"] ?? "identity";
          const status = response.statusCode ?? 0;
          if (text === undefined) end({ why: "The reply is over 64 KiB" });
          else if (coding.toLowerCase() !== "identity" && !isJson(text)) end({ why: codedText(status, coding) });
          else end({ status, text });
        },
        () => end(unanswered("The connection was closed in the middle of the reply")),
      );
    });
    write(request, body, delivery).then(
      () => delivery.cut !== undefined && end({ why: "The connection was closed on purpose" }),
      () => {},
    );
  });
}

const codedText = (status: number, coding: string): string =>
  `The reply ${status} has Content-Encoding ${coding}, although the request says Accept-Encoding: identity`;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function write(request: ClientRequest, body: Buffer, { pieces, cut }: Delivery): Promise<void> {
  const put = (bytes: Buffer): Promise<void> =>
    new Promise((resolve, reject) => request.write(bytes, (error) => (error ? reject(error) : resolve())));
  if (cut?.body === "half") await put(body.subarray(0, body.length >> 1));
  else if (pieces === undefined) request.end(body);
  else {
    request.flushHeaders();
    const bounds = [0, ...pieces.at, body.length];
    for (const [i, from] of bounds.slice(0, -1).entries()) {
      await sleep(pieces.pauseMs);
      await put(body.subarray(from, bounds[i + 1]));
    }
    request.end();
  }
  if (cut === undefined) return;
  if (cut.body === "whole")
    await new Promise((resolve) => (request.writableFinished ? resolve(0) : request.once("finish", resolve)));
  if (cut.afterMs > 0 || cut.isReset !== true) await sleep(cut.afterMs);
  // Node resets plain connections only.
  if (cut.isReset === true && !(request.socket instanceof TLSSocket)) request.socket?.resetAndDestroy();
}

/** The body as text; undefined when it is too long. It is kept in one buffer, because it may come byte by byte. */
async function read(response: IncomingMessage): Promise<string | undefined> {
  let room = Buffer.alloc(1_024);
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    const before = bytes;
    bytes += piece.length;
    if (bytes > REPLY_BYTES_MAX) return undefined;
    if (bytes > room.length) room = Buffer.concat([room.subarray(0, before)], Math.min(2 * bytes, REPLY_BYTES_MAX));
    piece.copy(room, before);
  }
  return room.subarray(0, bytes).toString("utf8");
}
