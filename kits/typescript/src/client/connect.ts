/** Opens connections to the service. */
import { lookup } from "node:dns/promises";
import * as http from "node:http";
import * as https from "node:https";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/**
 * The attempt to connect to a host's next address begins so long after the attempt before, which goes on. Node alone
 * ends each attempt but the last after 250 ms, and never reaches a good address that needs longer.
 */
const STAGGER_MS = 250;
/** The service keeps an idle connection for 65 s. The client closes it earlier. */
const IDLE_MS = 50_000;

type OnConnection = (cause: Error | null, stream: Duplex) => void;

/** Keeps connections open between calls. Only its user names a proxy, no variable of the environment. */
export function agentFor(baseUrl: string, limitMs: number): http.Agent {
  const options = { keepAlive: true, timeout: IDLE_MS };
  return baseUrl.startsWith("https:") ? new TlsAgent(options, limitMs) : new TcpAgent(options, limitMs);
}

class TcpAgent extends http.Agent {
  readonly #limitMs: number;

  constructor(options: http.AgentOptions, limitMs: number) {
    super(options);
    this.#limitMs = limitMs;
  }

  override createConnection(options: http.ClientRequestArgs, onConnection?: OnConnection): undefined {
    handOver(opened(options, this.#limitMs), onConnection);
  }
}

class TlsAgent extends https.Agent {
  readonly #limitMs: number;

  constructor(options: https.AgentOptions, limitMs: number) {
    super(options);
    this.#limitMs = limitMs;
  }

  override createConnection(options: https.RequestOptions, onConnection?: OnConnection): undefined {
    const secured = opened(options, this.#limitMs).then((socket) => {
      const given = { ...options, socket };
      return super.createConnection(given) as Duplex;
    });
    handOver(secured, onConnection);
  }
}

function handOver(connection: Promise<Duplex>, onConnection: OnConnection | undefined): void {
  connection.then(
    (stream) => onConnection?.(null, stream),
    // Node's agent reads no stream beside an error.
    (cause: Error) => onConnection?.(cause, undefined as unknown as Duplex),
  );
}

/** A connection to the first address of the host that answers. */
async function opened({ host, port }: http.ClientRequestArgs, limitMs: number): Promise<Socket> {
  const addresses = await lookup(host ?? "localhost", { all: true });
  return new Promise((resolve, reject) => {
    const begun: Socket[] = [];
    let failures = 0;
    let next: NodeJS.Timeout | undefined;
    const begin = (): void => {
      clearTimeout(next);
      const address = addresses[begun.length];
      if (address === undefined) return;
      const socket = connect({ host: address.address, port: Number(port), noDelay: true });
      begun.push(socket);
      next = setTimeout(begin, STAGGER_MS);
      const onError = (cause: Error): void => {
        failures++;
        if (failures === addresses.length) reject(cause);
        else begin();
      };
      socket.once("error", onError);
      socket.setTimeout(limitMs, () => socket.destroy(new Error(`no connection to ${address.address}`)));
      socket.once("connect", () => {
        clearTimeout(next);
        socket.off("error", onError).setTimeout(0);
        for (const other of begun)
          if (other !== socket)
            other
              .removeAllListeners("error")
              .on("error", () => {})
              .destroy();
        resolve(socket);
      });
    };
    begin();
  });
}
