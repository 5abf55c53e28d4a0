/** Transactions and rounds as the API shows them. */
import { RESULTS } from "../../../../contract/wallet/results.ts";
import type { Action, Status } from "../../../domain/transaction/transaction.ts";
import { nextCursor } from "./operation.ts";
import { amount, array, count, described, named, nullable, object, oneOf, type Schema, text, time } from "./schema.ts";

const ACTION: Record<Action, string> = {
  bet: "debits the player",
  win: "credits the player",
  refund: "reverses a bet, so it credits the player",
  rollback: "reverses a win, so it debits the player",
};
const STATUS: Record<Exclude<Status, "void">, string> = {
  success: "your wallet applied the transaction. This is final",
  pending: "your wallet has not answered yet, so the transaction may be applied or not",
  failed: "your wallet refused the transaction. A win or refund may be sent again",
};
const RESULT = Object.fromEntries(Object.entries(RESULTS).map(([result, { meaning }]) => [result, meaning]));

const AMOUNT = "The amount in the major unit: 2.5 is two and a half. It has at most 2 decimals, in CLP none.";

const fields = {
  tx_id: text(
    "The idempotency key, unique for your merchant: `<PROVIDER>:<the provider's own id>`. Treat it as an opaque text.",
    {
      maxLength: 128,
    },
  ),
  round_id: text("The round's id; for the sportsbook, the bet's id. Treat it as an opaque text.", { maxLength: 128 }),
  ref_tx_id: nullable(
    text("The tx_id of the bet or win that a refund or rollback reverses. For bets and wins it is null."),
  ),
  action: described("Action", "What your wallet was asked to do."),
  amount: amount(AMOUNT, { minimum: 0.01 }),
  currency: described("Currency", "Your merchant's currency."),
  status: described("Status", "The state of the transaction."),
  error: nullable(
    text("The code with which your wallet refused the transaction. It is null unless `status` is `failed`."),
  ),
  provider: text("The provider's code."),
  game: text("The game's code."),
  player_id: text("The player's id, as you sent it at the launch."),
  balance: nullable(amount("The balance in your wallet's reply to this transaction. It is not the current balance.")),
  attempts: count("How often we have called your wallet for this transaction."),
  last_result: nullable(oneOf("How the last of these calls ended; null: none has ended.", RESULT)),
  next_attempt_at: nullable(
    time("When we send the transaction again by ourselves. null: we will not send it again by ourselves."),
  ),
  resolved_by: nullable(
    text(
      "What made the state final. null: the first call. `resend`: a later call. `refund:<tx_id>`, `rollback:<tx_id>`: the reversal with that id. `manual`: our support, with evidence from you.",
      { pattern: "^(resend|manual|refund:.+|rollback:.+)$" },
    ),
  ),
  created_at: time("When the transaction reached us. Lists and reports use this time."),
  updated_at: time("When the transaction last changed."),
};

const attempt = object({
  n: { type: "integer", minimum: 1, description: "The number of the call, as in X-Attempt." },
  at: time("When the call began."),
  duration_ms: nullable(count("How long the call took, in ms. null: our process died during the call.")),
  http_status: nullable({ type: "integer", description: "The HTTP status of your reply; null: there was none." }),
  result: nullable(oneOf("How the call ended. null: our process died during the call.", RESULT)),
  request_id: nullable(text("The X-Request-Id of the call.")),
  reply_start: nullable(
    text(
      "The first 200 bytes of a reply that we could not read as an answer. Secrets and tokens are masked. null: we could read the reply, or it had no body.",
    ),
  ),
  error: nullable(
    text("The code with which your wallet rejected the call. null: it did not, or the code is not known."),
  ),
});

const sums = {
  bets: amount("The sum of the bets, in the major unit."),
  refunds: amount("The sum of the refunds, in the major unit."),
  wins: amount("The sum of the wins, in the major unit."),
  rollbacks: amount("The sum of the rollbacks, in the major unit."),
};

export const transactionSchemas: Readonly<Record<string, Schema>> = {
  Transaction: object(fields),
  TransactionWithLog: object({
    ...fields,
    attempt_log: array(named("Attempt"), {
      maxItems: 2000,
      description: "Our calls of your wallet for this transaction, at most the first 2 000.",
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
        "Only in the feed: the age in ms of the oldest change that is not in it yet. At the end of the feed you have every older change. A change normally appears within 2 s.",
      ),
    },
    ["behind_ms"],
  ),
  Round: object({
    provider: text("The provider's code."),
    round_id: text("The round's id."),
    items: array(named("Transaction"), { maxItems: 1000 }),
    sums: named("RoundSums"),
    next_cursor: nextCursor,
  }),
  RoundSums: object({ ...sums, pending: named("Pending") }),
  Pending: object({ count: count("The number of transactions that have no answer yet."), ...sums }),
  ResendRequest: { type: "object", additionalProperties: false, description: "The request has no fields." },
};
