import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import type { Content } from "../../src/domain/transaction/transaction.ts";
import { ownTxId } from "../../src/domain/values/identifiers.ts";
import { ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../../src/gen/google/rpc/status_pb.ts";
import { TRANSIENT } from "../callers/busy.ts";
import type { Outcome } from "../judge/record.ts";
import type { History } from "./history-file.ts";
import { METHODS, statusText } from "./methods.ts";

const PAUSE_MS = 50;
const ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo";

/** A replica and its gRPC port. */
export interface Listening {
  readonly ports: { readonly grpc: number };
}

/**
 * A provider that calls the service over real gRPC with its own key. The history keeps each request and its outcome.
 */
export class Provider {
  readonly #apiKey: string;
  readonly #history: History;
  readonly #clients = new Map<number, Client>();

  constructor(apiKey: string, history: History) {
    this.#apiKey = apiKey;
    this.#history = history;
  }

  /**
   * Sends one request once to one replica. If no reply comes, or an error without a code of the service, the outcome is
   * `unknown`.
   */
  async request(content: Content, sessionId: string, on: Listening, timeoutMs = 4_000): Promise<Outcome> {
    const end = this.#history.begin(content, timeoutMs);
    const outcome = await this.#call(content, sessionId, on, timeoutMs);
    end(outcome);
    return outcome;
  }

  /**
   * Repeats the request until its outcome is final, as a persistent provider does. Each try may go to another replica.
   *
   * @param on - called before each try. Returns the replica for this try.
   * @param giveUp - called after each try without a final answer. Returns true to stop.
   */
  async repeatUntilFinal(
    content: Content,
    sessionId: string,
    on: () => Listening,
    giveUp: () => boolean,
    timeoutMs = 4_000,
  ): Promise<Outcome> {
    for (;;) {
      const outcome = await this.request(content, sessionId, on(), timeoutMs);
      const final =
        outcome.kind === "ok"
          ? outcome.status !== "pending"
          : outcome.kind === "refused" && !TRANSIENT.has(outcome.code);
      if (final || giveUp()) return outcome;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** Ends the running calls. Their outcome is unknown. */
  close(): void {
    for (const client of this.#clients.values()) client.close();
  }

  #call(content: Content, sessionId: string, { ports }: Listening, timeoutMs: number): Promise<Outcome> {
    const metadata = new Metadata();
    metadata.set("authorization", `Bearer ${this.#apiKey}`);
    // The four requests and replies differ in one field. A bet has no reference, so none is written.
    const method = METHODS[content.action] as unknown as typeof METHODS.refund;
    const request = {
      sessionId,
      txId: ownTxId(content.txId),
      roundId: content.roundId,
      amountMinor: content.amountMinor,
      currency: content.currency,
    };
    const reference = content.refTxId === null ? {} : { refTxId: ownTxId(content.refTxId) };
    const bytes = Buffer.from(
      toBinary(
        method.input,
        create(method.input, { ...request, ...reference } as MessageInitShape<typeof method.input>),
      ),
    );
    return new Promise((resolve) => {
      this.#clientOf(ports.grpc).makeUnaryRequest(
        `/${method.parent.typeName}/${method.name}`,
        (message: Buffer) => message,
        (message: Buffer) => fromBinary(method.output, message),
        bytes,
        metadata,
        { deadline: Date.now() + timeoutMs },
        (error, reply) => {
          if (reply === undefined) resolve(refusalOf(error));
          else resolve({ kind: "ok", status: statusText(reply.status), error: reply.error, txId: reply.txId });
        },
      );
    });
  }

  #clientOf(port: number): Client {
    const known = this.#clients.get(port);
    if (known !== undefined) return known;
    // Each client has its own connection pool, because a new replica may listen on the port of an old one.
    const options = {
      "grpc.use_local_subchannel_pool": 1,
      "grpc.enable_channelz": 0,
      "grpc.initial_reconnect_backoff_ms": 50,
      "grpc.max_reconnect_backoff_ms": 200,
    };
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), options);
    this.#clients.set(port, client);
    return client;
  }
}

/** The outcome of a call that ended with an error: a refusal with the service's code, or unknown. */
export function refusalOf(error: ServiceError | null): Outcome & { kind: "refused" | "unknown" } {
  const [code] = error?.metadata?.get("error-code") ?? [];
  if (code === undefined) return { kind: "unknown" };
  const [details] = error?.metadata.get("grpc-status-details-bin") ?? [];
  const info =
    details === undefined
      ? undefined
      : fromBinary(StatusSchema, details as Buffer).details.find(({ typeUrl }) => typeUrl === ERROR_INFO);
  const field = info === undefined ? undefined : fromBinary(ErrorInfoSchema, info.value).metadata.field;
  return { kind: "refused", code: String(code), ...(field === undefined ? {} : { field }) };
}
