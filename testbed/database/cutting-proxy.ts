/**
 * A proxy between the service and its database. It can lose chosen statements or their replies, and slow or cut the
 * connections.
 */
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { MysqlStatements } from "./mysql-statements.ts";

export interface Cut {
  /** `reply`: the statement is executed, but its reply is lost. `request`: the statement never arrives. */
  readonly loses?: "reply" | "request";
  /**
   * The fault as the client sees it: its connection is closed, reset, or silent. `vanish`: the client's host is gone.
   * Nothing more arrives on any of its connections, and the server gets no FIN.
   */
  readonly how?: "close" | "reset" | "silence" | "vanish";
  /** The share of the matching statements that the fault hits, from 0 to 1. */
  readonly share?: number;
}

/** A fault that affects all bytes in both directions. */
export interface Line {
  /** The delay of each chunk. */
  readonly latencyMs?: number;
  /** Bytes per second, for each connection and direction. */
  readonly bytesPerSecond?: number;
  /** A connection is reset after this many bytes of replies. */
  readonly resetAfterBytes?: number;
  /** All bytes are dropped, and connections stay open. */
  readonly silent?: boolean;
  /** As `silent`, and the server's side of a connection stays open when the client closes its side. */
  readonly vanished?: boolean;
}

export interface CuttingProxy {
  /** The same database through the proxy. */
  through(databaseUrl: string): string;
  /**
   * Loses the replies or requests of the next `count` statements that contain `text`. Another call replaces these
   * settings.
   */
  cut(text: string, count: number, how?: Cut): void;
  /** The number of lost statements so far. */
  readonly lost: number;
  /** Sets the fault for new and open connections; `{}`: no fault. Connections that were silent stay silent. */
  line(line: Line): void;
  /**
   * Resets every connection.
   *
   * @returns the number of connections.
   */
  reset(): number;
  close(): Promise<void>;
}

/** @param databaseUrl - the URL of a server on a socket or on a port. */
export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const { hostname, port: serverPort, searchParams } = new URL(databaseUrl);
  const path = searchParams.get("socketPath");
  const target = path === null ? { host: hostname, port: Number(serverPort) } : { path };
  const open = new Set<Link>();
  const state: State = { wanted: { text: "", left: 0, how: {} }, lost: 0, line: {} };
  const server = createServer((client) => {
    const link = new Link(client, createConnection(target), state, () => open.delete(link));
    open.add(link);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    through: (url) => {
      const { username, password, pathname } = new URL(url);
      return `mysql://${username}${password === "" ? "" : `:${password}`}@127.0.0.1:${port}${pathname}`;
    },
    cut: (text, count, how = {}) => {
      state.wanted = { text, left: count, how };
    },
    get lost() {
      return state.lost;
    },
    line: (line) => {
      state.line = line;
    },
    reset: () => {
      const links = [...open];
      for (const link of links) link.end("reset");
      return links.length;
    },
    close: async () => {
      for (const link of open) link.end("close");
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface State {
  wanted: { readonly text: string; left: number; readonly how: Cut };
  lost: number;
  line: Line;
}

/** One connection of a client, and its connection to the server. */
class Link {
  readonly #client: Socket;
  readonly #upstream: Socket;
  readonly #state: State;
  readonly #statements = new MysqlStatements();
  readonly #forget: () => void;
  /** The cut that applies to the present statement. */
  #cutting: Cut | undefined;
  /** Whether all further bytes are dropped. */
  #deaf = false;
  #returned = 0;
  /** When the last chunk of each direction arrives, so that chunks keep their order. */
  readonly #dueAt = { request: 0, reply: 0 };

  constructor(client: Socket, upstream: Socket, state: State, forget: () => void) {
    this.#client = client.setNoDelay(true);
    this.#upstream = upstream;
    this.#state = state;
    this.#forget = forget;
    const onClientEnd = (): void => {
      if (state.line.vanished !== true) this.end("close");
    };
    client.on("error", onClientEnd).on("close", onClientEnd);
    upstream.on("error", () => this.end("close")).on("close", () => this.end("close"));
    client.on("data", (chunk: Buffer) => this.#onRequest(chunk));
    upstream.on("data", (chunk: Buffer) => this.#onReply(chunk));
  }

  end(how: "close" | "reset"): void {
    this.#forget();
    if (how === "reset" && !this.#client.destroyed) this.#client.resetAndDestroy();
    this.#client.destroy();
    this.#upstream.destroy();
  }

  #onRequest(chunk: Buffer): void {
    const texts = this.#statements.readRequest(chunk);
    if (this.#isDeaf()) return;
    const { wanted } = this.#state;
    if (
      wanted.left > 0 &&
      texts.some((text) => text.includes(wanted.text)) &&
      Math.random() < (wanted.how.share ?? 1)
    ) {
      wanted.left -= 1;
      if (wanted.how.loses === "request") return this.#lose(wanted.how);
      this.#cutting = wanted.how;
    }
    this.#pass("request", chunk);
  }

  #onReply(chunk: Buffer): void {
    this.#statements.readReply(chunk);
    if (this.#isDeaf()) return;
    if (this.#cutting !== undefined) return this.#lose(this.#cutting);
    const { resetAfterBytes } = this.#state.line;
    this.#returned += chunk.length;
    if (resetAfterBytes !== undefined && this.#returned > resetAfterBytes) return this.end("reset");
    this.#pass("reply", chunk);
  }

  #lose({ how = "close" }: Cut): void {
    this.#state.lost += 1;
    if (how === "vanish") this.#state.line = { vanished: true };
    else if (how === "silence") this.#deaf = true;
    else this.end(how);
  }

  /** A connection whose bytes were dropped can never be used again. */
  #isDeaf(): boolean {
    this.#deaf ||= this.#state.line.silent === true || this.#state.line.vanished === true;
    return this.#deaf;
  }

  #pass(direction: "request" | "reply", chunk: Buffer): void {
    const { latencyMs = 0, bytesPerSecond } = this.#state.line;
    const now = performance.now();
    const takesMs = bytesPerSecond === undefined ? 0 : (chunk.length / bytesPerSecond) * 1_000;
    const at = Math.max(now + latencyMs, this.#dueAt[direction]) + takesMs;
    this.#dueAt[direction] = at;
    const write = (): void => {
      const to = direction === "request" ? this.#upstream : this.#client;
      if (!to.destroyed) to.write(chunk);
    };
    if (at <= now) write();
    else setTimeout(write, at - now);
  }
}
