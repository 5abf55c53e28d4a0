/**
 * What a call at the aggregator means for a provider's API. Each API has a table from these words to its own codes, and
 * the table's type asks for every word, so it does not compile when a case is missing.
 */
import type { WALLET_CODES } from "../../contract/wallet/codes.ts";
import { refusalOf } from "../../kits/typescript-provider/src/refusal.ts";
import { TransactionStatus } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";

/**
 * - `ok`: done. `pending`: no outcome yet; a win or reversal is delivered, a bet is unclear
 * - `funds`, `blocked`, `no_player`, `limit`, `session_limit`, `excluded`, `place`, `rejected`: the wallet's rejections;
 *   `debt`: the wallet refuses to take a win back
 * - `session`, `expired`, `game`, `currency`, `amount`, `ended`, `closed`: the service refuses before it looks at the wallet
 * - `mismatch`: the id was used with other content. `other_reference`: a reversal does not fit its original
 * - `reversed`: the bet was reversed. `no_bet`, `settled`, `bet_pending`: about the bet that a win or reversal names
 * - `busy`: nothing was recorded. `unclear`: nobody knows. `fault`: the connector's own mistake
 */
export type Verdict =
  | "ok"
  | "pending"
  | "funds"
  | "blocked"
  | "no_player"
  | "limit"
  | "session_limit"
  | "excluded"
  | "place"
  | "rejected"
  | "debt"
  | "session"
  | "expired"
  | "game"
  | "currency"
  | "amount"
  | "ended"
  | "closed"
  | "mismatch"
  | "other_reference"
  | "reversed"
  | "no_bet"
  | "settled"
  | "bet_pending"
  | "busy"
  | "unclear"
  | "fault";

export interface Outcome {
  readonly verdict: Verdict;
  /** The balance in minor units; undefined: it is not known. */
  readonly balance?: bigint | undefined;
  /** The balance before the transaction; undefined: it is not known. */
  readonly before?: bigint | undefined;
  /** Whether the result was stored before this call. */
  readonly replayed: boolean;
  /** The id that the merchant sees; empty: nothing is recorded. */
  readonly wireId: string;
  /** The code of the wallet or of the service, for the log; empty for a success. */
  readonly code: string;
}

/** After these verdicts it is certain that a bet has taken no money and never will. */
export const takesNothing = (verdict: Verdict): boolean =>
  !["ok", "pending", "unclear", "busy", "fault", "mismatch", "bet_pending"].includes(verdict);

type WalletCode = keyof typeof WALLET_CODES;

interface Reply {
  readonly status: TransactionStatus;
  readonly balanceMinor?: bigint | undefined;
  readonly error: string;
  readonly txId?: string;
  readonly replayed?: boolean;
  readonly balanceBeforeMinor?: bigint | undefined;
}

/** Every agreed code of wallets has its word. A wallet may send any other code, too. */
const BY_WALLET: Readonly<Record<WalletCode, Verdict>> = {
  INSUFFICIENT_FUNDS: "funds",
  PLAYER_BLOCKED: "blocked",
  PLAYER_NOT_FOUND: "no_player",
  LIMIT_REACHED: "limit",
  SESSION_LIMIT: "session_limit",
  SELF_EXCLUDED: "excluded",
  GEO_BLOCKED: "place",
  TRANSACTION_NOT_FOUND: "rejected",
};

const rejection = (code: string): Verdict =>
  Object.hasOwn(BY_WALLET, code) ? BY_WALLET[code as WalletCode] : "rejected";

const BY_SERVICE: Readonly<Record<string, Verdict>> = {
  "": "unclear",
  SESSION_NOT_FOUND: "session",
  DEMO_SESSION: "session",
  SESSION_EXPIRED: "expired",
  GAME_NOT_FOUND: "game",
  CURRENCY_NOT_ENABLED: "currency",
  INVALID_AMOUNT: "amount",
  MERCHANT_DISABLED: "closed",
  PRODUCT_NOT_ENABLED: "closed",
  TRANSACTION_MISMATCH: "mismatch",
  TRANSACTION_REVERSED: "reversed",
  BET_NOT_FOUND: "no_bet",
  BET_SETTLED: "settled",
  BET_PENDING: "bet_pending",
  ROUND_ENDED: "ended",
  OVERLOADED: "busy",
  RATE_LIMITED: "busy",
  SERVICE_UNAVAILABLE: "unclear",
  WALLET_UNAVAILABLE: "unclear",
  INTERNAL_ERROR: "unclear",
};

/** The codes of the service in `win_error`, beside those of the wallet. */
const OF_PLAY: Readonly<Record<string, Verdict>> = {
  TRANSACTION_REVERSED: "reversed",
  TRANSACTION_MISMATCH: "mismatch",
  BET_SETTLED: "settled",
};

/** These fields of a mismatch are about the transaction that the request names, and not about the request's own id. */
const OF_REFERENCE: ReadonlySet<string> = new Set(["ref_tx_id", "bet_tx_id", "kind"]);

export const outcome = (verdict: Verdict, code = ""): Outcome => ({ verdict, replayed: false, wireId: "", code });

/** What the status of a Play's win means. Without a status no win was sent. */
export function verdictOf(status: TransactionStatus, error: string): Verdict {
  if (status === TransactionStatus.PENDING) return "pending";
  return status === TransactionStatus.FAILED ? (OF_PLAY[error] ?? rejection(error)) : "ok";
}

/** Makes a call and reads its result. Never throws. */
export async function outcomeOf(call: () => Promise<Reply>): Promise<Outcome> {
  try {
    const { status, balanceMinor, error, txId = "", replayed = false, balanceBeforeMinor } = await call();
    const common = { balance: balanceMinor, before: balanceBeforeMinor, replayed, wireId: txId, code: error };
    if (status === TransactionStatus.SUCCESS) return { verdict: "ok", ...common };
    if (status === TransactionStatus.PENDING) return { verdict: "pending", ...common };
    if (status === TransactionStatus.FAILED) return { verdict: rejection(error), ...common };
    return outcome("unclear");
  } catch (cause) {
    const { code, field = "" } = refusalOf(cause);
    const verdict = BY_SERVICE[code] ?? "fault";
    return outcome(verdict === "mismatch" && OF_REFERENCE.has(field) ? "other_reference" : verdict, code);
  }
}
