import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { sign } from "../../src/domain/signing/signing.ts";
import { type Call, SUCCESS } from "./call.ts";
import type { Target } from "./orders.ts";

/**
 * Signed GETs of several merchants in turn, over open connections. The outcome is {@link SUCCESS} or the refusal's
 * code.
 */
export function signedGetAt({ origin, path, merchants, addresses, connections }: Target & { protocol: "rest" }): Call {
  const { hostname, port, host } = new URL(origin);
  const free = Array.from({ length: connections }, () => new Connection(Number(port), hostname));
  const waiting: ((connection: Connection) => void)[] = [];
  const run = randomBytes(9).toString("base64url");
  let n = 0;
  const request = (): string => {
    const i = n++;
    const { code = "", secret = "" } = merchants[i % merchants.length] ?? {};
    const [timestamp, nonce] = [String(Date.now()), `${run}${String(i).padStart(10, "0")}`];
    const signature = sign(secret, { timestamp, nonce, method: "GET", target: path, body: "" });
    return (
      `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\nx-merchant-id: ${code}\r\nx-timestamp: ${timestamp}\r\nx-nonce: ${nonce}\r\n` +
      `x-signature: ${signature}\r\nx-forwarded-for: ${addressOf(i % addresses)}\r\n\r\n`
    );
  };
  return (done) => {
    const use = (connection: Connection): void =>
      connection.send(request(), (outcome) => {
        const next = waiting.shift();
        if (next === undefined) free.push(connection);
        else next(connection);
        done({ outcome });
      });
    const connection = free.pop();
    if (connection === undefined) waiting.push(use);
    else use(connection);
  };
}

const addressOf = (i: number): string => `10.${(i >> 16) & 0xff}.${(i >> 8) & 0xff}.${i & 0xff}`;

/**
 * An open connection with one request at a time. It writes HTTP/1.1 itself, because any client library needs more CPU
 * time than the measured program. With such a library the program would wait for its callers.
 */
class Connection {
  readonly #port: number;
  readonly #host: string;
  #socket: Socket | undefined;
  /** The received part of the reply, one character for each byte. */
  #received = "";
  #done: (outcome: string) => void = () => {};

  constructor(port: number, host: string) {
    this.#port = port;
    this.#host = host;
  }

  /** @param done - called once, with the status in the reply or the reason why no reply came. */
  send(request: string, done: (outcome: string) => void): void {
    this.#done = done;
    this.#socket ??= this.#open();
    this.#socket.write(request, "latin1");
  }

  #open(): Socket {
    const socket = connect({ port: this.#port, host: this.#host, noDelay: true }).setEncoding("latin1");
    socket.on("data", (text) => this.#read(String(text)));
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#socket = undefined;
      this.#end("connection lost");
    });
    return socket;
  }

  #read(text: string): void {
    this.#received += text;
    const bodyAt = this.#received.indexOf("\r\n\r\n") + 4;
    if (bodyAt < 4) return;
    const length = /^content-length: (\d+)/im.exec(this.#received)?.[1];
    if (length === undefined) this.#socket?.destroy();
    else if (this.#received.length >= bodyAt + Number(length))
      this.#end(outcomeOf(this.#received.slice(9, 12), this.#received.slice(bodyAt)));
  }

  #end(outcome: string): void {
    const done = this.#done;
    this.#done = () => {};
    this.#received = "";
    done(outcome);
  }
}

function outcomeOf(status: string, body: string): string {
  return status === "200" ? SUCCESS : (/"code":"([A-Z_]+)"/.exec(body)?.[1] ?? `status ${status}`);
}
