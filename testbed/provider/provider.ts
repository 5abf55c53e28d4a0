import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import type { Content } from "../../src/domain/transaction/transaction.ts";
import { ownTxId } from "../../src/domain/values/identifiers.ts";
import { ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../../src/gen/google/rpc/status_pb.ts";
import type { Outcome } from "../judge/record.ts";
import type { History } from "./history-file.ts";
import { METHODS, statusText } from "./methods.ts";

/** The service refused before it took anything, for want of room or of its database: the same request may come again. */
const TRANSIENT: ReadonlySet<string> = new Set(["OVERLOADED", "SERVICE_UNAVAILABLE"]);
const PAUSE_MS = 50;
const ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo";

/** Where a replica's gRPC listens. */
export interface Listening {
  readonly ports: { readonly grpc: number };
}

/** A provider's side of the calls, over real gRPC with its own key; all that it saw is in the history. */
export class Provider {
  readonly #apiKey: string;
  readonly #history: History;
  readonly #clients = new Map<number, Client>();

  constructor(apiKey: string, history: History) {
    this.#apiKey = apiKey;
    this.#history = history;
  }

  /** One request, told to one replica once. A reply that never came, or an error that isn't the service's own, is `unknown`. */
  async request(content: Content, sessionId: string, on: Listening, timeoutMs = 4_000): Promise<Outcome> {
    const end = this.#history.begin(content, timeoutMs);
    const outcome = await this.#call(content, sessionId, on, timeoutMs);
    end(outcome);
    return outcome;
  }

  /**
   * Asks one replica after another, as a provider that won't give up: while nothing is known, or the answer is pending.
   *
   * @param on - asked before each try: which replica may be reached.
   * @param giveUp - asked after each try without a final answer.
   */
  async insist(content: Content, sessionId: string, on: () => Listening, giveUp: () => boolean, timeoutMs = 4_000): Promise<Outcome> {
    for (;;) {
      const outcome = await this.request(content, sessionId, on(), timeoutMs);
      const final = outcome.kind === "ok" ? outcome.status !== "pending" : outcome.kind === "refused" && !TRANSIENT.has(outcome.code);
      if (final || giveUp()) return outcome;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** Calls that still run end as unknown. */
  close(): void {
    for (const client of this.#clients.values()) client.close();
  }

  #call(content: Content, sessionId: string, { ports }: Listening, timeoutMs: number): Promise<Outcome> {
    const metadata = new Metadata();
    metadata.set("authorization", `Bearer ${this.#apiKey}`);
    // The four requests and their replies differ in one field; a bet has no reference, and what it doesn't know isn't written.
    const method = METHODS[content.action] as unknown as typeof METHODS.refund;
    const request = { sessionId, txId: ownTxId(content.txId), roundId: content.roundId, amountMinor: content.amountMinor, currency: content.currency };
    const reference = content.refTxId === null ? {} : { refTxId: ownTxId(content.refTxId) };
    const bytes = Buffer.from(toBinary(method.input, create(method.input, { ...request, ...reference } as MessageInitShape<typeof method.input>)));
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
    // A pool of its own: a replica that comes back on a port is another one.
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

/** A call's error as the provider understands it: the service's own refusal, or nothing is known. */
export function refusalOf(error: ServiceError | null): Outcome & { kind: "refused" | "unknown" } {
  const [code] = error?.metadata?.get("error-code") ?? [];
  if (code === undefined) return { kind: "unknown" };
  const [details] = error?.metadata.get("grpc-status-details-bin") ?? [];
  const info = details === undefined ? undefined : fromBinary(StatusSchema, details as Buffer).details.find(({ typeUrl }) => typeUrl === ERROR_INFO);
  const field = info === undefined ? undefined : fromBinary(ErrorInfoSchema, info.value).metadata.field;
  return { kind: "refused", code: String(code), ...(field === undefined ? {} : { field }) };
}
