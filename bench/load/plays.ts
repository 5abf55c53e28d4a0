import { randomBytes } from "node:crypto";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { TransactionStatus } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import {
  PayWinRequestSchema,
  PlaceBetRequestSchema,
  PlaceBetResponseSchema,
  PlayRequestSchema,
  RefundBetRequestSchema,
} from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { type CallResult, SUCCESS } from "./call.ts";
import type { Target } from "./orders.ts";

/** A request that is ready to send. */
export interface Play {
  readonly kind: "bet" | "win" | "refund";
  /** The gRPC method. */
  readonly path: string;
  readonly request: Buffer;
  readonly txId: string;
  readonly session: string;
  readonly amountMinor: bigint;
  /** The next call of the same round, which is sent after this one's success. */
  readonly then?: Play;
}

const SERVICE = "/aggregator.provider.v1.WalletService";
/** The maximum number of plays that are kept for refunds or repeats. */
const KEPT = 1_024;

/** Chooses a provider's next call: new bets, and wins, refunds and repeats in the shares of the mix. */
export class Plays {
  readonly #target: Target & { protocol: "grpc" };
  readonly #notMeasured: ReadonlySet<string>;
  readonly #nextId = freshIds();
  /** Bets that may be refunded, plays that may be repeated, and pending bets, which must be repeated. */
  readonly #settled: Play[] = [];
  readonly #recent: Play[] = [];
  readonly #open: Play[] = [];
  #n = 0;

  constructor(target: Target & { protocol: "grpc" }) {
    this.#target = target;
    this.#notMeasured = new Set(target.notMeasured);
  }

  next(): Play {
    const { mix } = this.#target;
    if (mix === undefined) return this.#round();
    const drawn = Math.random();
    if (drawn < mix.wins) return this.#fresh("win");
    if (drawn < mix.wins + mix.refunds) return this.#refund() ?? this.#fresh("bet");
    if (drawn < mix.wins + mix.refunds + mix.repeats) return this.#recent.pop() ?? this.#fresh("bet");
    return this.#open.shift() ?? this.#fresh("bet");
  }

  /**
   * The caller's result.
   *
   * @param outcome - the result of the play.
   */
  ended(play: Play, outcome: string): CallResult {
    const { mix } = this.#target;
    if (mix !== undefined) {
      if (outcome === "PENDING" && play.kind === "bet") this.#open.push(play);
      else if (outcome === SUCCESS && play.kind === "bet" && Math.random() < mix.refunds * 2) keep(this.#settled, play);
      else if (Math.random() < mix.repeats * 2) keep(this.#recent, play);
    }
    return {
      outcome,
      txId: play.txId,
      ...(mix === undefined ? {} : { kind: play.kind }),
      ...(this.#notMeasured.has(play.session) ? { notMeasured: true } : {}),
    };
  }

  #fresh(kind: "bet" | "win"): Play {
    const { sessions, currency } = this.#target;
    const i = this.#n++;
    const [txId, session, amountMinor] = [this.#nextId(), sessions[i % sessions.length] ?? "", BigInt(100 + (i % 900))];
    const fields = { sessionId: session, txId, roundId: `r-${txId}`, amountMinor, currency };
    return kind === "bet"
      ? {
          kind,
          path: `${SERVICE}/PlaceBet`,
          request: bytesOf(toBinary(PlaceBetRequestSchema, create(PlaceBetRequestSchema, fields))),
          txId,
          session,
          amountMinor,
        }
      : {
          kind,
          path: `${SERVICE}/PayWin`,
          request: bytesOf(toBinary(PayWinRequestSchema, create(PayWinRequestSchema, fields))),
          txId,
          session,
          amountMinor,
        };
  }

  #round(): Play {
    const { round, currency } = this.#target;
    const bet = this.#fresh("bet");
    if (round === undefined) return bet;
    const { txId, session: sessionId, amountMinor } = bet;
    const common = { sessionId, roundId: `r-${txId}`, currency, roundEnded: round.endsWith("end") };
    const winTxId = `${txId}-w`;
    if (round.startsWith("play")) {
      const message = create(PlayRequestSchema, {
        ...common,
        bet: { txId, amountMinor },
        win: { txId: winTxId, amountMinor },
      });
      return { ...bet, path: `${SERVICE}/Play`, request: bytesOf(toBinary(PlayRequestSchema, message)) };
    }
    const named = round === "bet, its win" ? { betTxId: txId } : {};
    const message = create(PayWinRequestSchema, { ...common, ...named, txId: winTxId, amountMinor });
    const request = bytesOf(toBinary(PayWinRequestSchema, message));
    return { ...bet, then: { ...bet, kind: "win", path: `${SERVICE}/PayWin`, request, txId: winTxId } };
  }

  #refund(): Play | undefined {
    const bet = this.#settled.pop();
    if (bet === undefined) return undefined;
    const { session, amountMinor, txId: refTxId } = bet;
    const txId = this.#nextId();
    const fields = {
      sessionId: session,
      txId,
      refTxId,
      roundId: `r-${refTxId}`,
      amountMinor,
      currency: this.#target.currency,
    };
    const request = bytesOf(toBinary(RefundBetRequestSchema, create(RefundBetRequestSchema, fields)));
    return { kind: "refund", path: `${SERVICE}/RefundBet`, request, txId, session, amountMinor };
  }
}

/** The outcome in a reply. The replies to all these methods have the same fields. */
export function outcomeOf(reply: Uint8Array): string {
  const { status } = fromBinary(PlaceBetResponseSchema, reply);
  return STATUS_NAME.get(status) ?? `status ${status}`;
}

const STATUS_NAME: ReadonlyMap<TransactionStatus, string> = new Map([
  [TransactionStatus.SUCCESS, SUCCESS],
  [TransactionStatus.PENDING, "PENDING"],
  [TransactionStatus.FAILED, "FAILED"],
]);

const bytesOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Keeps a play, unless the list is full. */
function keep(plays: Play[], play: Play): void {
  if (plays.length < KEPT) plays.push(play);
}

/** Unique ids in random order, like real ids, so that new index entries do not all come at the end. */
export function freshIds(): () => string {
  const run = randomBytes(6).toString("hex");
  let n = 0;
  // Multiplying by an odd factor modulo a power of two gives every value exactly once.
  return () => `${(Math.imul(n++, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0")}-${run}`;
}
