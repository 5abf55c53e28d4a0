import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer, type TlsOptions, type Server as TlsServer } from "node:tls";
import { type Authority, makeAuthority, makeLeaf } from "../../../adapters/wallet-http/certificates.ts";
import type { TlsFault } from "../rows/row.ts";

/** The listener of a merchant's wallet: faulty as the row says until it is healed, correct afterwards. */
export interface Front {
  readonly port: number;
  /** The number of accepted connections. */
  readonly accepted: () => number;
  close(): Promise<void>;
}

export interface Frontage {
  readonly host: string;
  readonly tls?: TlsFault | undefined;
  readonly connection?: ((socket: Duplex) => void) | undefined;
  readonly healed: () => boolean;
  /** Answers the requests of a connection. */
  readonly serve: (socket: Duplex) => void;
  /** Called when a part of a request came without TLS, or over a TLS connection that the service had to refuse. */
  readonly leaked: (what: string) => void;
}

export async function openFront(
  authority: Authority,
  { host, tls, connection, healed, serve, leaked }: Frontage,
): Promise<Front> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const sound = tls === undefined ? undefined : createTlsServer(makeLeaf(host, authority), serve);
  const faulty = tls === undefined ? undefined : faultyTls(tls, host, authority, leaked);
  for (const server of [sound, faulty]) server?.on("tlsClientError", () => undefined);
  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    if (!healed() && connection !== undefined) return connection(socket);
    if (sound === undefined) return serve(socket);
    if (healed()) return void sound.emit("connection", socket);
    if (faulty !== undefined) return void faulty.emit("connection", socket);
    socket.on("data", (chunk) => {
      if (chunk.includes("POST ")) leaked("a request in plain text");
      if (tls === "cut") socket.destroy();
      if (tls === "plain HTTP") socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The TLS settings of the row's fault; undefined: the fault is below TLS. */
function faultyTls(
  fault: TlsFault,
  host: string,
  authority: Authority,
  leaked: (what: string) => void,
): TlsServer | undefined {
  const options: Partial<Record<TlsFault, TlsOptions>> = {
    expired: makeLeaf(host, authority, true),
    "other host": makeLeaf("other.example", authority),
    "self-signed": makeLeaf(host, null),
    "unknown authority": makeLeaf(host, makeAuthority("Another CA")),
    "TLS 1.1": {
      ...makeLeaf(host, authority),
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    },
  };
  const wanted = options[fault];
  if (wanted === undefined) return undefined;
  return createTlsServer(wanted, (socket) => {
    socket
      .on("error", () => undefined)
      .on("data", (chunk: Buffer) => leaked(`${chunk.length} bytes through a TLS connection that is ${fault}`));
  });
}
