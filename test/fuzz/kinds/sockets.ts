/** The same inputs through the service's real listeners, and bytes that no client would send. */
import { mkdtempSync, rmSync } from "node:fs";
import { type ClientHttp2Session, connect as connectHttp2, constants } from "node:http2";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toBinary } from "@bufbuild/protobuf";
import { Metadata } from "@grpc/grpc-js";
import { startWallet } from "../../../sandbox/merchant/wallet.ts";
import { SqlSessionStore } from "../../../src/adapters/sql/access/session-store.ts";
import { openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../../src/adapters/sql/schema/migrate.ts";
import { SecretBox } from "../../../src/adapters/sql/settings/secret-box.ts";
import { SqlSettingsStore } from "../../../src/adapters/sql/settings/settings-store.ts";
import { ERRORS } from "../../../src/domain/errors.ts";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { MASTER_KEY, startReplica } from "../../../testbed/callers/administration.ts";
import { parseReply } from "../../../testbed/callers/raw-http.ts";
import type { SeededRandom } from "../../../testbed/seeded-random.ts";
import { furnish, KEYS, SECRET } from "../in-process.ts";
import { asKind, type Kind, type Rig } from "../kind.ts";
import { ALL_KEYS, mutateMessage, randomMessage } from "../messages.ts";
import { mutateBytes, mutateText } from "../mutate.ts";
import { StoredFaults } from "../stored-faults.ts";
import { GRPC_CODES, statusFaults } from "./service/grpc.ts";
import { mutateRestRequest, type RestInput, restRequest, signedHeaders } from "./service/rest.ts";

/** A service that listens on real ports, with a database file and a wallet. */
export async function socketKinds(): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
  const url = `sqlite:${join(folder, "fuzz.db")}`;
  const wallet = await startWallet({ secretsOf: () => [SECRET], onCallback: () => {} });
  for (const [code, currency] of [["shop-brl", "BRL"] as const, ["shop-clp", "CLP"] as const])
    wallet.ledger.addMerchant(code, currency);
  for (const player of ["ana-0", "ana-1"])
    for (const code of ["shop-brl", "shop-clp"]) wallet.ledger.addPlayer(code, player, 1_000_000_000n);
  const database = openDatabase(url);
  await migrate(database);
  await furnish(new SqlSettingsStore(database, new SecretBox([MASTER_KEY])), new SqlSessionStore(database), wallet.url);
  const undo: (() => unknown)[] = [];
  // Each caller has another address, because one address has a rate limit.
  const env = {
    WALLET_ALLOW_HTTP: "true",
    WALLET_ALLOW_PRIVATE: "true",
    TRUSTED_PROXIES: "127.0.0.1",
    WALLET_TIMEOUT_MS: "2000",
  };
  const { ports } = await startReplica({ teardown: (run) => undo.push(run) }, url, env);
  const stored = new StoredFaults(database);
  const grpc = connectHttp2(`http://127.0.0.1:${ports.grpc}`);
  grpc.on("error", () => {});
  return {
    kinds: [asKind(restSocket(ports.rest, () => stored.find())), asKind(grpcSocket(ports.grpc, () => stored.find()))],
    close: async () => {
      grpc.destroy();
      for (const run of undo.reverse()) await run();
      await wallet.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface SocketInput {
  readonly request: RestInput;
  /** Additional header lines, and bytes that replace the bytes of the request's head. */
  readonly lines: readonly string[];
  readonly damage: readonly (readonly [at: number, bytes: readonly number[]])[];
}

const LINES = [
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: identity",
  "Content-Length: 0",
  "Content-Length: 5, 6",
  "Content-Length: +5",
  "Host: other",
  "Expect: 100-continue",
  "Connection: keep-alive, upgrade",
  "Upgrade: h2c",
  "X-Signature: ab",
  "X-Forwarded-For: 10.0.0.1",
  " folded",
  "X : y",
  "Cookie: a",
  `X-Long: ${"a".repeat(20_000)}`,
];

function restSocket(port: number, audit: () => Promise<readonly string[]>): Kind<SocketInput> {
  return {
    name: "rest-socket",
    reader: "the REST listener, real sockets",
    perMillion: 1_000,
    audit,
    generate: (random) => ({ request: restRequest(random), lines: [], damage: [] }),
    mutate: (random, input) => {
      switch (random.int(0, 4)) {
        case 0:
          return {
            ...input,
            lines: [...input.lines, random.chance(0.8) ? random.pick(LINES) : mutateText(random, random.pick(LINES))],
          };
        case 1:
          return {
            ...input,
            damage: [
              ...input.damage,
              [random.int(0, 300), [...mutateBytes(random, Buffer.from(random.pick(LINES).slice(0, 8)))]],
            ],
          };
        default:
          return { ...input, request: mutateRestRequest(random, input.request) };
      }
    },
    check: async (input) => {
      const replies = await exchanged(port, requestBytes(input));
      return replies.flatMap((text) => replyFaults(text));
    },
  };
}

function requestBytes({ request, lines, damage }: SocketInput): Buffer {
  const { method, target, body, address } = request;
  const headers = Object.entries({
    ...signedHeaders(request, target, Date.now()),
    host: ["api.example"],
    connection: ["close"],
    "x-forwarded-for": [address],
    "content-length": [String(body.length)],
  });
  const head = [
    `${method} ${target} HTTP/1.1`,
    ...headers.map(([name, [value]]) => `${name}: ${value}`),
    ...lines,
    "",
    "",
  ].join("\r\n");
  const bytes = Buffer.concat([Buffer.from(head), body]);
  for (const [at, written] of damage)
    bytes.set(written.slice(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length));
  return bytes;
}

/**
 * A request that announces more bytes than it sends gets its answer after ten seconds; this test does not wait for it.
 */
const PATIENCE_MS = 150;

/** The replies on a connection, until the server closed it or sent nothing more. */
function exchanged(port: number, bytes: Buffer): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  let text = "";
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
  });
  // A server that has refused the request may close the connection while the rest is still sent.
  socket.on("error", () => {});
  socket.on("close", () => resolve(text === "" ? [] : text.split(/(?=HTTP\/1\.1 \d{3} )/)));
  return promise;
}

function replyFaults(text: string): string[] {
  if (text.startsWith("HTTP/1.1 100")) return [];
  const { status, headers, body } = parseReply(Buffer.from(text, "latin1").toString());
  const faults =
    status >= 200 && status !== 500 && status !== 501 && status < 504
      ? []
      : [`status ${status}: ${text.slice(0, 500)}`];
  if (headers["x-request-id"] === undefined) faults.push(`no X-Request-Id: ${text.slice(0, 300)}`);
  if (
    status < 400 ||
    !(headers["content-type"] ?? "").startsWith("application/json") ||
    body.length < Number(headers["content-length"] ?? 0)
  )
    return faults;
  // The reply to a HEAD has no body, and health checks have another form.
  if (body === "" || body.startsWith('{"status"')) return faults;
  const { success, error } = JSON.parse(body);
  return success === false && Object.hasOwn(ERRORS, error.code)
    ? faults
    : [...faults, `no envelope: ${body.slice(0, 300)}`];
}

interface FrameInput {
  readonly rpc: string;
  readonly key: string;
  readonly bytes: Uint8Array;
  /** The frame's five bytes and the message, mutated; undefined: unchanged. */
  readonly frame: Uint8Array | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

const METHODS = new Map(WalletService.methods.map((method) => [method.name, method]));
const HEADERS = { te: "trailers", "content-type": "application/grpc", "grpc-timeout": "2S" };

function grpcSocket(port: number, audit: () => Promise<readonly string[]>): Kind<FrameInput> {
  let session: ClientHttp2Session | undefined;
  // A connection error is caused by the wrong bytes of this client. The next call uses a new connection.
  const connection = (): ClientHttp2Session => {
    if (session === undefined || session.closed || session.destroyed)
      session = connectHttp2(`http://127.0.0.1:${port}`).on("error", () => {});
    return session;
  };
  const inputOf = (rpc: string) => (METHODS.get(rpc) as (typeof WalletService.methods)[number]).input;
  const generate = (random: SeededRandom): FrameInput => {
    const rpc = random.pick([...METHODS.keys()]);
    return {
      rpc,
      key: KEYS.ACME,
      bytes: toBinary(inputOf(rpc), randomMessage(random, inputOf(rpc))),
      frame: undefined,
      headers: HEADERS,
    };
  };
  return {
    name: "grpc-socket",
    reader: "the gRPC listener, real HTTP/2",
    perMillion: 1_000,
    audit: async () => {
      session?.destroy();
      return audit();
    },
    generate,
    mutate: (random, input) => {
      switch (random.int(0, 5)) {
        case 0:
          return { ...input, key: random.chance(0.5) ? random.pick(ALL_KEYS) : mutateText(random, input.key) };
        case 1:
          return { ...input, frame: mutateBytes(random, input.frame ?? framed(input.bytes)) };
        case 2: {
          const name = random.pick(["te", "content-type", "grpc-timeout", "grpc-encoding", "x-bin", "rpc"]);
          return name === "rpc"
            ? { ...input, rpc: mutateText(random, input.rpc) }
            : { ...input, headers: { ...input.headers, [name]: mutateText(random, input.headers[name] ?? "gzip") } };
        }
        default:
          return METHODS.has(input.rpc)
            ? { ...input, bytes: mutateMessage(random, inputOf(input.rpc), input.bytes, {}) }
            : input;
      }
    },
    check: (input) => called(connection(), input),
  };
}

const framed = (bytes: Uint8Array): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
};

const CALL_PATIENCE_MS = 5_000;
/**
 * Codes of gRPC itself: CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED (too large), UNIMPLEMENTED (no such method or
 * encoding), INTERNAL (a broken frame).
 */
const OF_TRANSPORT = [1, 4, 8, 12, 13];

function called(session: ClientHttp2Session, { rpc, key, bytes, frame, headers }: FrameInput): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const sent = {
    ":method": "POST",
    ":path": `/${WalletService.typeName}/${rpc}`,
    ...headers,
    authorization: `Bearer ${key}`,
  };
  const isPlain = frame === undefined && headers === HEADERS && METHODS.has(rpc) && /^[\x20-\x7e]*$/.test(key);
  try {
    const stream = session.request(sent);
    const trailers: Record<string, string> = {};
    const keep = (more: object) => void Object.assign(trailers, more);
    stream
      .on("response", keep)
      .on("trailers", keep)
      .on("error", () => {});
    stream.setTimeout(CALL_PATIENCE_MS, () => stream.close(constants.NGHTTP2_CANCEL));
    stream.on("close", () => resolve(verdict(trailers, isPlain)));
    stream.resume().end(frame ?? framed(bytes));
  } catch {
    // Node's own client refuses some of the headers.
    resolve([]);
  }
  return promise;
}

function verdict(trailers: Readonly<Record<string, string>>, isPlain: boolean): string[] {
  const status = trailers["grpc-status"];
  if (status === undefined) return isPlain ? [`no status: ${JSON.stringify(trailers)}`] : [];
  const code = Number(status);
  if (code === 0 || (trailers["error-code"] === undefined && OF_TRANSPORT.includes(code) && (!isPlain || code === 8)))
    return [];
  const metadata = new Metadata();
  for (const name of ["error-code"]) if (trailers[name] !== undefined) metadata.set(name, trailers[name]);
  const details = trailers["grpc-status-details-bin"];
  if (details !== undefined) metadata.set("grpc-status-details-bin", Buffer.from(details, "base64"));
  if (trailers["error-code"] === undefined && code === GRPC_CODES.INVALID_ARGUMENT) return [];
  return statusFaults({ code, details: decodeURIComponent(trailers["grpc-message"] ?? ""), metadata });
}
