/** Sessions of the fake aggregator, their calls, and the bad answers that a case plans for the calls. */
import { randomBytes } from "node:crypto";
import type { ErrorCode } from "../../../src/domain/errors.ts";

export type Method = "GetBalance" | "PlaceBet" | "PayWin" | "RefundBet" | "RollbackWin" | "EndRound";

export type Answer =
  | {
      readonly kind: "success";
      readonly balanceMinor: bigint;
      /** The balance before the transaction. */
      readonly balanceBeforeMinor: bigint;
      readonly txId: string;
    }
  | { readonly kind: "pending"; readonly txId: string }
  | { readonly kind: "failed"; readonly error: string; readonly txId: string }
  /** A gRPC error. `isPlanned`: the case planned this error; otherwise the request is wrong. */
  | {
      readonly kind: "refused";
      readonly code: ErrorCode;
      readonly field?: string | undefined;
      readonly isPlanned: boolean;
    }
  /** The caller got no reply: the connection was cut, its deadline passed, or it hung up. */
  | { readonly kind: "none"; readonly why: "connection cut" | "deadline exceeded" | "the provider hung up" };

/** Whether the call is about a transaction, or about the end of a round. Its repeats have the same id. */
export const isMoney = ({ method }: Pick<Call, "method">): boolean => method !== "GetBalance";

/** The parts of a request that not every provider sends. */
export interface Further {
  /** The rpc of which this call is a part: a Play is a PlaceBet and a PayWin, a Reverse is a RefundBet or RollbackWin. */
  readonly via: "Play" | "Reverse" | "";
  /** The bet that a win names. */
  readonly betTxId: string;
  /** Whether a win settles its bet. */
  readonly settles: boolean;
  readonly unlessSettled: boolean;
  readonly roundEnded: boolean;
  readonly kind: string;
  readonly promoId: string;
}

export const NOTHING_FURTHER: Further = {
  via: "",
  betTxId: "",
  settles: false,
  unlessSettled: false,
  roundEnded: false,
  kind: "",
  promoId: "",
};

export interface Call {
  readonly method: Method;
  /** Milliseconds since the pass began. */
  readonly at: number;
  /** Undefined: no session has the id in the request. */
  readonly session: Session | undefined;
  readonly sessionId: string;
  readonly playerRef: string;
  readonly txId: string;
  readonly refTxId: string;
  readonly roundId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly game: string;
  readonly further: Further;
  /** Milliseconds from the call to its deadline; undefined: it has none. */
  readonly deadlineMs: number | undefined;
  /** Undefined while the call is in flight. */
  answer?: Answer;
  /** Milliseconds since the pass began. */
  answeredAt?: number;
}

/** The planned bad answer to a call. */
export type Step =
  | { readonly do: "pending" }
  | { readonly do: "fail"; readonly error: string }
  /** The call is refused, and nothing is recorded. */
  | { readonly do: "refuse"; readonly code: ErrorCode }
  /** The transaction is applied, and its reply never comes: the connection is cut. */
  | { readonly do: "cut" }
  /** The transaction is applied, and the caller's deadline passes. */
  | { readonly do: "exceed" }
  /** The transaction is applied, and the whole server is offline for this time. */
  | { readonly do: "restart"; readonly awayMs: number };

/** For each rpc: step n applies to call n. `always` applies to all calls. */
export type BadDay = Partial<Record<Method, readonly Step[] | { readonly always: Step }>>;

export interface Player {
  readonly ref: string;
  /** The player's balance in minor units. */
  balanceMinor: bigint;
}

/** Enough for any bet, and not more than the largest balance of any currency. */
const OPENING_MINOR = 100_000_000n;

export const newPlayer = (): Player => ({
  ref: randomBytes(16).toString("hex"),
  balanceMinor: OPENING_MINOR,
});

export class Session {
  readonly id = `session-${randomBytes(18).toString("base64url")}`;
  readonly player: Player;
  readonly game: string;
  readonly currency: string;
  readonly demo: boolean;
  /** The language of its launch; empty: it has not been launched. */
  language = "";
  /** The calls of this session, in order of arrival. */
  readonly calls: Call[] = [];
  readonly #badDay: BadDay;
  readonly #callCounts = new Map<Method, number>();

  constructor(player: Player, game: string, currency: string, demo: boolean, badDay: BadDay) {
    this.player = player;
    this.game = game;
    this.currency = currency;
    this.demo = demo;
    this.#badDay = badDay;
  }

  /** The step for the next call of this rpc; undefined: a plain answer. */
  nextStep(method: Method): Step | undefined {
    const planned = this.#badDay[method];
    if (planned === undefined) return undefined;
    if ("always" in planned) return planned.always;
    const count = this.#callCounts.get(method) ?? 0;
    this.#callCounts.set(method, count + 1);
    return planned[count];
  }
}
