/** Transactions and rounds as the API shows them. */
import type { Action, Status } from "../../../domain/transaction/transaction.ts";
import type { AttemptResult } from "../../../ports/transactions/transaction-store.ts";
import { nextCursor } from "./operation.ts";
import { amount, array, count, described, named, nullable, object, oneOf, type Schema, text, time } from "./schema.ts";

const ACTION: Record<Action, string> = {
  bet: "debit",
  win: "credit",
  refund: "reverses a bet: credit",
  rollback: "reverses a win: debit",
};
const STATUS: Record<Exclude<Status, "void">, string> = {
  success: "your wallet applied it. This is final",
  pending: "your wallet has not answered yet, so that it may be applied or not",
  failed: "your wallet refused it. A win or refund may be sent again",
};
const RESULT: Record<AttemptResult, string> = {
  accepted: "`ok` true and a balance",
  rejected: "`ok` false",
  timeout: "no complete reply in time",
  connect: "the connection was refused or reset, or the reply was broken",
  tls: "the certificate or the handshake failed",
  http_5xx: "status 500 to 599",
  not_json: "the body is not JSON",
  no_ok: "no boolean `ok`",
  no_balance: "`ok` true without a numeric balance",
  too_large: "over 64 KiB",
};

const AMOUNT = "Major unit: 2.5 is two and a half. At most 2 decimals, none in CLP.";

const fields = {
  tx_id: text("The idempotency key, unique for your merchant: `<PROVIDER>:<the provider's own id>`. Opaque.", {
    maxLength: 128,
  }),
  round_id: text("The round; for the sportsbook, the bet. Opaque.", { maxLength: 128 }),
  ref_tx_id: nullable(text("The bet or win that a refund or rollback reverses; else null.")),
  action: described("Action", "What your wallet was asked to do."),
  amount: amount(AMOUNT, { minimum: 0.01 }),
  currency: described("Currency", "Your merchant's currency."),
  status: described("Status", "The state of the transaction."),
  error: nullable(text("The code with which your wallet refused it.")),
  provider: text("The provider's code."),
  game: text("The game's code."),
  player_id: text("As you sent it at launch."),
  balance: nullable(
    amount("The balance in your wallet's reply. It is kept for repeats and is not the current balance."),
  ),
  attempts: count("The number of calls of your wallet for it."),
  last_result: nullable(oneOf("How the last of those calls ended; null: none has ended.", RESULT)),
  next_attempt_at: nullable(time("When we send it again by ourselves; null: we don't.")),
  resolved_by: nullable(
    text(
      "What made the state final. null: the first call. `resend`: a later call. `refund:<tx_id>`, `rollback:<tx_id>`: the reversal with that id. `manual`: our support, by your evidence.",
      { pattern: "^(resend|manual|refund:.+|rollback:.+)$" },
    ),
  ),
  created_at: time("When it reached us. Lists and reports count by this."),
  updated_at: time("When the row last changed."),
};

const attempt = object({
  n: { type: "integer", minimum: 1, description: "The number of the call, as in X-Attempt." },
  at: time("When it began."),
  duration_ms: nullable(count("How long it took; null: its process died.")),
  http_status: nullable({ type: "integer", description: "The HTTP status of your reply; null: there was none." }),
  result: nullable(oneOf("How it ended; null: its process died.", RESULT)),
  request_id: nullable(text("The X-Request-Id that your wallet saw.")),
  reply_start: nullable(
    text(
      "The first 200 bytes of a reply that was no answer, with secrets and tokens masked; null: an answer, or no body.",
    ),
  ),
});

const sums = {
  bets: amount("Bets, major unit."),
  refunds: amount("Refunds, major unit."),
  wins: amount("Wins, major unit."),
  rollbacks: amount("Rollbacks, major unit."),
};

export const transactionSchemas: Readonly<Record<string, Schema>> = {
  Transaction: object(fields),
  TransactionWithLog: object({
    ...fields,
    attempt_log: array(named("Attempt"), {
      maxItems: 2000,
      description: "The first 2 000 calls of your wallet for it.",
    }),
  }),
  Attempt: attempt,
  Action: oneOf("What a wallet is asked to do.", ACTION),
  Status: oneOf("The state of a transaction.", STATUS),
  TransactionPage: object(
    {
      items: array(named("Transaction")),
      next_cursor: nextCursor,
      behind_ms: count(
        "For the feed: the age in ms of the oldest change that is not in it yet. At the end of the feed you have every older change. A change normally appears within 2 s.",
      ),
    },
    ["behind_ms"],
  ),
  Round: object({
    provider: text("The provider's code."),
    round_id: text("The round."),
    items: array(named("Transaction"), { maxItems: 1000 }),
    sums: named("RoundSums"),
    next_cursor: nextCursor,
  }),
  RoundSums: object({ ...sums, pending: named("Pending") }),
  Pending: object({ count: count("Transactions without an answer yet."), ...sums }),
  ResendRequest: { type: "object", additionalProperties: false, description: "Nothing." },
};
