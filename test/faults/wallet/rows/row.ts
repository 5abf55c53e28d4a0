/** One fault of a wallet or of its network, and the transaction's required outcome. */

import type { Duplex } from "node:stream";
import type { AttemptResult } from "../../../../contract/wallet/results.ts";
import type { DnsAnswer, QuestionType } from "../../../../testbed/programs/name-server.ts";
import type { Misbehave } from "../peer/bank.ts";

/** The times of a test of the service, in ms. */
export interface Pace {
  /** WALLET_TIMEOUT_MS. */
  readonly timeoutMs: number;
  /** The times of a reply that comes just in time, and of a reply that comes just too late. */
  readonly soonMs: number;
  readonly lateMs: number;
}

/** The addresses and times that a row can use. */
export interface Setting extends Pace {
  /** The target of redirects: a listener that must get no call. */
  readonly trapUrl: string;
}

export type TlsFault =
  | "expired"
  | "other host"
  | "self-signed"
  | "unknown authority"
  | "TLS 1.1"
  | "stall"
  | "plain HTTP"
  | "cut";

export interface Row {
  /** The row's id as in docs/notebook/reliability.md: C1 to C13. */
  readonly id: string;
  readonly what: string;
  /** The provider's first answer: `pending`, `success` or `failed:<code>`. */
  readonly outcome: string;
  /** The attempt is recorded with one of these results. */
  readonly results: readonly AttemptResult[];
  /** The fault itself. A row has exactly one of `reply`, `connection`, `tls` and `dns`. */
  readonly reply?: (setting: Setting) => Misbehave;
  readonly connection?: (socket: Duplex) => void;
  readonly tls?: TlsFault;
  readonly dns?: (setting: Setting) => (type: QuestionType) => DnsAnswer;
  /** Whether the money moves in the faulty attempt. */
  readonly applies?: boolean;
  /** Whether the fault hits a connection that was used for a correct call before. */
  readonly used?: boolean;
  /** The wallet's answer to later attempts, whatever the first answer was: the wallet is not idempotent. */
  readonly toRepeats?: string;
  /** The number of milliseconds after which the wallet closes idle connections. */
  readonly idleMs?: number;
  /** The alert that the operators get, if any. */
  readonly alert?: string;
}
