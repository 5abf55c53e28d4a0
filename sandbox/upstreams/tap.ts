/**
 * A listener between the connectors and the service. It passes each call on, byte by byte, and keeps what it has seen,
 * so that a page can show which calls a connector makes.
 */
import grpc from "@grpc/grpc-js";
import { grpcClient } from "../grpc-client.ts";
import { providerV1 } from "../provider/wallet-client.ts";

/** One call of a connector to the service. */
export interface Tapped {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** The fields that have a value. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The fields of the reply, or the code and the text of an error; undefined: there is none yet. */
  answer?: Readonly<Record<string, unknown>>;
}

const KEPT = 400;
/** A session id opens the player's session, so pages see only its beginning. */
const SESSION_ID_SHOWN = 6;
const PASSED_ON = ["authorization", "traceparent"];

const same = (bytes: Buffer): Buffer => bytes;

export class Tap {
  readonly calls: Tapped[] = [];
  readonly #server = new grpc.Server();
  readonly #service: grpc.Client;

  /** `service`: host:port of the service's gRPC listener. */
  constructor(service: string) {
    this.#service = grpcClient(providerV1.WalletService, service);
    const methods = Object.entries(providerV1.WalletService.service);
    const raw = {
      requestSerialize: same,
      requestDeserialize: same,
      responseSerialize: same,
      responseDeserialize: same,
    };
    this.#server.addService(
      Object.fromEntries(methods.map(([name, method]) => [name, { ...method, ...raw }])),
      Object.fromEntries(methods.map(([name, method]) => [name, this.#passOn(name, method)])),
    );
  }

  /** Listens on any free port of this machine. Resolves to the address for connectors. */
  listen(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(`http://127.0.0.1:${port}`),
      );
    });
  }

  close(): void {
    this.#server.forceShutdown();
    this.#service.close();
  }

  #passOn(name: string, method: grpc.MethodDefinition<unknown, unknown>) {
    return (call: grpc.ServerUnaryCall<Buffer, Buffer>, reply: grpc.sendUnaryData<Buffer>): void => {
      const { session_id, ...request } = withValues(method.requestDeserialize(call.request));
      const session = typeof session_id === "string" ? { session_id: `${session_id.slice(0, SESSION_ID_SHOWN)}…` } : {};
      const seen: Tapped = { at: Date.now(), method: name, request: { ...session, ...request } };
      this.calls.push(seen);
      if (this.calls.length > KEPT) this.calls.shift();
      const metadata = new grpc.Metadata();
      for (const key of PASSED_ON) for (const value of call.metadata.get(key)) metadata.add(key, value);
      const options = { deadline: call.getDeadline() };
      this.#service.makeUnaryRequest(method.path, same, same, call.request, metadata, options, (error, bytes) => {
        if (error !== null) {
          seen.answer = { error: String(error.metadata.get("error-code")[0] ?? grpc.status[error.code]) };
          reply(error);
        } else {
          seen.answer = withValues(method.responseDeserialize(bytes as Buffer));
          reply(null, bytes);
        }
      });
    };
  }
}

/** The fields of a message that are not at their default. A name with `_` only says that an optional field is there. */
const withValues = (message: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(message as object).filter(
      ([name, value]) =>
        !name.startsWith("_") &&
        !["", false, null, undefined, "0"].includes(value) &&
        !(typeof value === "string" && value.endsWith("_UNSPECIFIED")),
    ),
  );
