/** The fake aggregator: it listens like the service, stores the sessions and the log of calls, and can go offline. */
import { EventEmitter, once } from "node:events";
import {
  constants,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  Http2ServerRequest,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createContextKey, createContextValues } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { Health, HealthCheckResponse_ServingStatus } from "../../../src/gen/grpc/health/v1/health_pb.ts";
import type { Call, Session } from "./session.ts";
import { walletService } from "./wallet-service.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** PEM. Undefined: without TLS. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
}

const CONNECTION = createContextKey<ServerHttp2Session | undefined>(undefined);

export class Aggregator {
  readonly #options: ListenOptions;
  readonly #began = performance.now();
  readonly #sessions = new Map<string, Session>();
  readonly #connections = new Set<ServerHttp2Session>();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #server: Http2Server | Http2SecureServer;
  /** All calls of the pass, in order of arrival. */
  readonly calls: Call[] = [];
  #port = 0;

  /** `key`: the API key that the provider must use. */
  constructor(provider: string, key: string, options: ListenOptions) {
    this.#options = options;
    const service = walletService({
      provider,
      key,
      sessions: () => this.#sessions.values(),
      now: () => this.now(),
      onCall: (call) => {
        this.calls.push(call);
        call.session?.calls.push(call);
        this.#changes.emit("change");
      },
      onAnswer: () => void this.#changes.emit("change"),
      cut: (context) => context.values.get(CONNECTION)?.destroy(),
      restart: (awayMs) => this.#restart(awayMs),
    });
    const handler = connectNodeAdapter({
      routes: (router) => {
        router.service(WalletService, service);
        router.service(Health, { check: () => ({ status: HealthCheckResponse_ServingStatus.SERVING }) });
      },
      contextValues: (request) =>
        createContextValues().set(
          CONNECTION,
          request instanceof Http2ServerRequest ? (request.stream.session as ServerHttp2Session) : undefined,
        ),
    });
    this.#server = options.tls === undefined ? createServer(handler) : createSecureServer(options.tls, handler);
    this.#server.on("stream", limitPieces);
    this.#server.on("session", (connection: ServerHttp2Session) => {
      this.#connections.add(connection);
      connection.on("close", () => this.#connections.delete(connection));
      // A caller may reset its connection. Then its calls end by themselves, so this error needs no handling.
      connection.on("error", () => {});
    });
  }

  /** host:port */
  get address(): string {
    return `${this.#options.host}:${this.#port}`;
  }

  /** Milliseconds since the pass began. */
  now(): number {
    return performance.now() - this.#began;
  }

  /** @throws the system's error, such as EADDRINUSE. */
  async listen(): Promise<void> {
    const listening = once(this.#server, "listening");
    this.#server.listen(this.#port || this.#options.port, this.#options.host);
    await listening;
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  add(session: Session): void {
    this.#sessions.set(session.id, session);
  }

  /** Waits for the next call or answer, at most `withinMs` milliseconds. */
  async change(withinMs: number): Promise<void> {
    const stop = new AbortController();
    await Promise.race([
      once(this.#changes, "change", { signal: stop.signal }),
      sleep(withinMs, undefined, { signal: stop.signal }),
    ]).finally(() => stop.abort());
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    await this.#goAway();
  }

  async #restart(awayMs: number): Promise<void> {
    await this.#goAway();
    await sleep(awayMs);
    await this.listen();
  }

  async #goAway(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const connection of this.#connections) connection.destroy();
    await closed;
  }
}

/** A request may come in this many DATA frames, and in one more for each 16 bytes. A call has one or two. */
const PIECES_FREE = 256;

/** Resets a call that comes in too many DATA frames, because each frame is kept until the message is complete. */
function limitPieces(stream: ServerHttp2Stream): void {
  const { push } = stream;
  let [pieces, bytes] = [0, 0];
  stream.push = (chunk: Buffer | null, encoding) => {
    if (chunk === null) return push.call(stream, chunk, encoding);
    pieces += 1;
    bytes += chunk.length;
    if (pieces <= PIECES_FREE + bytes / 16) return push.call(stream, chunk, encoding);
    stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    return false;
  };
}
