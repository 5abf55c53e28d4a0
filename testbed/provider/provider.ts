import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import type { TransactionRequest } from "../../src/domain/transaction/transaction.ts";
import { ownTxId } from "../../src/domain/values/identifiers.ts";
import { TransactionStatus } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import {
  type PlayResponse,
  ReverseOutcome,
  WalletService,
} from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../../src/gen/google/rpc/status_pb.ts";
import { TRANSIENT } from "../callers/busy.ts";
import type { Operation, Outcome } from "../judge/record.ts";
import type { History } from "./history-file.ts";
import { METHODS, statusText } from "./methods.ts";

const PAUSE_MS = 50;
const ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo";

const OUTCOMES: Readonly<Record<number, NonNullable<Operation["reverse"]>["as"]>> = {
  [ReverseOutcome.REFUND]: "refund",
  [ReverseOutcome.ROLLBACK]: "rollback",
  [ReverseOutcome.NOTHING]: "nothing",
  [ReverseOutcome.MARKED]: "marked",
};

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
  async request(content: TransactionRequest, sessionId: string, on: Listening, timeoutMs = 4_000): Promise<Outcome> {
    const end = this.#history.begin(content, timeoutMs);
    // The four requests and replies differ in few fields, and a field that is not set is not written.
    const method = METHODS[content.action] as unknown as typeof METHODS.refund;
    const request = {
      sessionId,
      txId: ownTxId(content.txId),
      roundId: content.roundId,
      amountMinor: content.amountMinor,
      currency: content.currency,
      ...(content.refTxId !== null && { refTxId: ownTxId(content.refTxId) }),
      ...(content.unlessSettled === true && { unlessSettled: true }),
      ...(content.bet && { betTxId: ownTxId(content.bet.txId), settles: content.bet.settles }),
    };
    const reply = await this.#call(method, request as MessageInitShape<typeof method.input>, on, timeoutMs);
    const outcome = "refusal" in reply ? reply.refusal : told(reply);
    end(outcome);
    return outcome;
  }

  /**
   * Sends one Reverse that says only which id is taken back.
   *
   * @param content - the refund or rollback that it means.
   */
  async reverse(content: TransactionRequest, sessionId: string, on: Listening, timeoutMs = 4_000): Promise<Outcome> {
    const reverse: NonNullable<Operation["reverse"]> = { deliver: content.deliver === true };
    const end = this.#history.begin(content, timeoutMs, { reverse });
    const request = {
      sessionId,
      txId: ownTxId(content.txId),
      refTxId: content.refTxId === null ? "" : ownTxId(content.refTxId),
      unlessSettled: content.unlessSettled === true,
      deliver: reverse.deliver,
    };
    const reply = await this.#call(WalletService.method.reverse, request, on, timeoutMs);
    let outcome: Outcome;
    if ("refusal" in reply) outcome = reply.refusal;
    else {
      const as = OUTCOMES[reply.outcome];
      if (as !== undefined) reverse.as = as;
      outcome = reply.txId === "" ? { kind: "uncalled" } : told(reply);
    }
    end(outcome);
    return outcome;
  }

  /**
   * Sends one Play. The history has its bet and its win.
   *
   * @returns the outcome of the bet, and that of the win. The win's is `unknown` if the reply says nothing of it.
   */
  async play(
    bet: TransactionRequest,
    win: TransactionRequest,
    sessionId: string,
    on: Listening,
    timeoutMs = 4_000,
  ): Promise<readonly [bet: Outcome, win: Outcome]> {
    const [endBet, endWin] = [bet, win].map((part) => this.#history.begin(part, timeoutMs, { ofPlay: true }));
    const part = ({ txId, amountMinor }: TransactionRequest) => ({ txId: ownTxId(txId), amountMinor });
    const request = {
      sessionId,
      roundId: bet.roundId,
      currency: bet.currency,
      bet: part(bet),
      win: { ...part(win), settles: win.bet?.settles === true },
    };
    const reply = await this.#call(WalletService.method.play, request, on, timeoutMs);
    const outcomes = "refusal" in reply ? refusedPlay(reply.refusal) : playedOf(reply);
    endBet?.(outcomes[0]);
    endWin?.(outcomes[1]);
    return outcomes;
  }

  /**
   * Repeats the request until its outcome is final, as a persistent provider does. Each try may go to another replica.
   *
   * @param on - called before each try. Returns the replica for this try.
   * @param giveUp - called after each try without a final answer. Returns true to stop.
   */
  async repeatUntilFinal(
    content: TransactionRequest,
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

  #call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    { ports }: Listening,
    timeoutMs: number,
  ): Promise<MessageShape<O> | { readonly refusal: ReturnType<typeof refusalOf> }> {
    const metadata = new Metadata();
    metadata.set("authorization", `Bearer ${this.#apiKey}`);
    const bytes = Buffer.from(toBinary(method.input, create(method.input, request)));
    return new Promise((resolve) => {
      this.#clientOf(ports.grpc).makeUnaryRequest(
        `/${method.parent.typeName}/${method.name}`,
        (message: Buffer) => message,
        (message: Buffer) => fromBinary(method.output, message),
        bytes,
        metadata,
        { deadline: Date.now() + timeoutMs },
        (error, reply) => resolve(reply === undefined ? { refusal: refusalOf(error) } : reply),
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

const told = ({ status, error, txId }: { status: TransactionStatus; error: string; txId: string }): Outcome => ({
  kind: "ok",
  status: statusText(status),
  error,
  txId,
});

/** The outcomes of the bet and the win of a Play. `unknown`: the reply says nothing of the win. */
function playedOf(reply: PlayResponse): [bet: Outcome, win: Outcome] {
  const bet = told({ ...reply, txId: reply.betTxId });
  if (reply.winStatus === TransactionStatus.UNSPECIFIED) return [bet, { kind: "unknown" }];
  // A win that will not be paid has no id.
  if (reply.winTxId === "") return [bet, { kind: "refused", code: reply.winError }];
  return [bet, told({ status: reply.winStatus, error: reply.winError, txId: reply.winTxId })];
}

/** A refusal because of the win says nothing of the bet, and the other way round. */
function refusedPlay(refusal: ReturnType<typeof refusalOf>): [bet: Outcome, win: Outcome] {
  const field = refusal.kind === "refused" ? refusal.field : undefined;
  // The bet was stored with another win. This says nothing of either transaction.
  if (field === "win.tx_id") return [{ kind: "unknown" }, { kind: "unknown" }];
  return field?.startsWith("win.") === true ? [{ kind: "unknown" }, refusal] : [refusal, { kind: "unknown" }];
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
