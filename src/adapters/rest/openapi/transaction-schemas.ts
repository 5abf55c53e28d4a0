/** Transactions and rounds as the API shows them. */
import { ITEM_FIELDS, type ItemField } from "../../../../contract/transactions/fields.ts";
import { KIND_NAMES } from "../../../../contract/transactions/kinds.ts";
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

/** The schema of a field's value. */
function schemaOf({ type, text: meaning, schema }: ItemField): Schema {
  switch (type) {
    case "id":
      return text(meaning, { maxLength: 128 });
    case "text":
      return text(meaning, schema);
    case "amount":
      return amount(meaning, schema);
    case "count":
      return count(meaning);
    case "time":
      return time(meaning);
    // A list of values would make generated clients refuse a kind of a later release.
    case "kind":
      return text(`${meaning} ${KIND_NAMES.map((kind) => `\`${kind}\``).join(", ")}.`);
    case "micros":
      return { type: "integer", format: "int64", minimum: 1, description: meaning };
    case "jackpot":
      return {
        ...object({ id: text("The jackpot's id."), tier: nullable(text("The jackpot's tier.")) }),
        description: meaning,
      };
    case "result":
      return oneOf(meaning, RESULT);
    case "action":
      return described("Action", meaning);
    case "currency":
      return described("Currency", meaning);
    case "status":
      return described("Status", meaning);
  }
}

const fields = Object.fromEntries(
  Object.entries<ItemField>(ITEM_FIELDS).map(([name, field]) => [
    name,
    field.nullable ? nullable(schemaOf(field)) : schemaOf(field),
  ]),
);

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
  RoundState: oneOf("Whether a round has ended.", {
    open: "the provider has not ended the round",
    ended: "the provider has ended the round, so it gets no new bets",
    unknown: "the provider does not say when its rounds end, or did not say so when this round began",
  }),
  RoundPage: object({ items: array(named("ListedRound")), next_cursor: nextCursor }),
  ListedRound: object({
    provider: text("The provider's code."),
    round_id: text("The round's id."),
    state: named("RoundState"),
    opened_at: time("When the round's first bet reached us. For a round without a bet, when it ended."),
    ended_at: nullable(time("When the provider ended the round. null: it is open.")),
  }),
  Round: object({
    provider: text("The provider's code."),
    round_id: text("The round's id."),
    state: named("RoundState"),
    ended_at: nullable(time("When the provider ended the round. null: it has not.")),
    items: array(named("Transaction"), { maxItems: 1000 }),
    sums: named("RoundSums"),
    next_cursor: nextCursor,
  }),
  RoundSums: object({ ...sums, pending: named("Pending") }),
  Pending: object({ count: count("The number of transactions that have no answer yet."), ...sums }),
  ResendRequest: { type: "object", additionalProperties: false, description: "The request has no fields." },
};
