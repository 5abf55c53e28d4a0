/** The calls of a merchant's wallet: one POST to its walletUrl for each action, as webhooks of OpenAPI. */

import type { Action } from "../../../domain/transaction/transaction.ts";
import { CURRENCIES } from "../../../domain/values/money.ts";
import { object, type Schema, text } from "./schema.ts";

const WALLET_ERRORS = {
  INSUFFICIENT_FUNDS: "not enough balance for the bet",
  PLAYER_NOT_FOUND: "no such player_id",
  PLAYER_BLOCKED: "self-exclusion, fraud, limit. Blocks stop bets, never credits",
  TRANSACTION_NOT_FOUND: "the bet or win to reverse was never applied",
};

const player = {
  player_id: text("As you sent it at launch.", { minLength: 1, maxLength: 128 }),
  currency: text("Your merchant's currency.", { enum: CURRENCIES }),
  provider: text("The provider's code; `SPORTSBOOK` for the sportsbook."),
  game: text("The game's code; `sportsbook` for the sportsbook."),
};
const transaction = {
  tx_id: text("The idempotency key: apply it at most once. Opaque.", { maxLength: 128 }),
  round_id: text("The round; for the sportsbook, the bet. Opaque.", { maxLength: 128 }),
  amount: {
    type: "number",
    exclusiveMinimum: 0,
    maximum: 9_999_999_999.99,
    description: "Major unit: 2.5 is two and a half. At most 2 decimals, none in CLP.",
  },
};
const reversed = { ref_tx_id: text("The tx_id of the bet or win to reverse.", { maxLength: 128 }) };

const ana = { player_id: "u-1", currency: "BRL", provider: "AURORA", game: "solar-crown" };

interface Callback {
  readonly summary: string;
  readonly description: string;
  readonly fields: Readonly<Record<string, Schema>>;
  readonly example: Readonly<Record<string, unknown>>;
  readonly accepted: number;
  readonly rejected: keyof typeof WALLET_ERRORS;
}

const CALLBACKS: Readonly<Record<Action | "balance", Callback>> = {
  balance: {
    summary: "What is the balance?",
    description: "We call it when a game opens or needs the balance. Return the balance; no money moves.",
    fields: player,
    example: { action: "balance", ...ana },
    accepted: 100,
    rejected: "PLAYER_NOT_FOUND",
  },
  bet: {
    summary: "Debit a bet",
    description:
      "Debit `amount`, or reject. For the sportsbook, we send one call for each bet of a slip. A rejection is final.",
    fields: { ...player, ...transaction },
    example: { action: "bet", ...ana, tx_id: "AURORA:77120", round_id: "r-9", amount: 2.5 },
    accepted: 97.5,
    rejected: "INSUFFICIENT_FUNDS",
  },
  win: {
    summary: "Credit a win",
    description:
      "Credit `amount`. A lost round has no win, and a round may have several. A win may come before its bet. We send it again until you answer. After a rejection it may come again: then decide anew.",
    fields: { ...player, ...transaction },
    example: { action: "win", ...ana, tx_id: "AURORA:77121", round_id: "r-9", amount: 10 },
    accepted: 107.5,
    rejected: "PLAYER_NOT_FOUND",
  },
  refund: {
    summary: "Return a bet",
    description:
      "Return the amount of the bet `ref_tx_id`. If you never applied that bet, answer TRANSACTION_NOT_FOUND, and refuse the bet if it comes later. We send the refund again until you answer.",
    fields: { ...player, ...transaction, ...reversed },
    example: {
      action: "refund",
      ...ana,
      tx_id: "AURORA:77122",
      round_id: "r-9",
      amount: 2.5,
      ref_tx_id: "AURORA:77120",
    },
    accepted: 100,
    rejected: "TRANSACTION_NOT_FOUND",
  },
  rollback: {
    summary: "Take back a win",
    description:
      "Debit the amount of the win `ref_tx_id`; the balance may become negative. If you never applied that win, answer TRANSACTION_NOT_FOUND. A rejection is final.",
    fields: { ...player, ...transaction, ...reversed },
    example: {
      action: "rollback",
      ...ana,
      tx_id: "AURORA:77123",
      round_id: "r-9",
      amount: 10,
      ref_tx_id: "AURORA:77121",
    },
    accepted: 97.5,
    rejected: "TRANSACTION_NOT_FOUND",
  },
};

const header = (name: string, schema: Schema, description: string): Schema => ({
  name,
  in: "header",
  required: true,
  schema,
  description,
});

export const walletHeaders: Readonly<Record<string, Schema>> = {
  RequestId: header(
    "X-Request-Id",
    { type: "string", format: "uuid" },
    "A new id for every call, for your logs. It is not signed: do not decide by it.",
  ),
  Attempt: header(
    "X-Attempt",
    { type: "integer", minimum: 1 },
    "The number of the call for this tx_id: 1, 2, 3 ... It is for your logs and not signed.",
  ),
};

const reply: Schema = {
  oneOf: [
    {
      title: "Done",
      ...object({
        ok: { type: "boolean", const: true },
        balance: { type: "number", description: "After the transaction, major unit." },
      }),
    },
    {
      title: "Rejected",
      ...object(
        {
          ok: { type: "boolean", const: false },
          error: text(
            `The reason. Any code is accepted; these are known:\n\n${Object.entries(WALLET_ERRORS)
              .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
              .join("\n")}`,
          ),
          balance: { type: "number", description: "Optional in a rejection." },
        },
        ["balance", "error"],
      ),
    },
  ],
};

export const walletSchemas: Readonly<Record<string, Schema>> = { WalletReply: reply };

const RULES =
  "We sign it like your own calls, with your secret; `target` is path and query of your walletUrl. Check the signature over the raw body before anything else. " +
  "Answer within 8 s. A status of 500 to 599, no complete reply, or a body that isn't JSON with a boolean `ok` (and a numeric `balance` where it is true) means **unknown**: the same tx_id comes again, or a refund for it. " +
  "Any other status is read from the body: a 401 with `ok: false` is a rejection.";

const webhook = (action: string, { summary, description, fields, example, accepted, rejected }: Callback): Schema => ({
  post: {
    operationId: `wallet${action[0]?.toUpperCase()}${action.slice(1)}`,
    tags: ["Your wallet"],
    summary,
    description: `${description}\n\n${RULES}`,
    parameters: Object.keys(walletHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: object({ action: { type: "string", const: action }, ...fields }),
          examples: { [action]: { value: example } },
        },
      },
    },
    responses: {
      200: {
        description: "Your wallet's decision.",
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/WalletReply" },
            examples: {
              done: { summary: "Done", value: { ok: true, balance: accepted } },
              rejected: { summary: "Rejected", value: { ok: false, error: rejected } },
            },
          },
        },
      },
      401: {
        description: "The signature is wrong. We read this as a rejection, which is final for a bet.",
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/WalletReply" },
            example: { ok: false, error: "INVALID_SIGNATURE" },
          },
        },
      },
      503: {
        description:
          "Your wallet can't decide now, so that the result is unknown. The same tx_id comes again, or a refund for it.",
      },
    },
  },
});

export const webhooks = (): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.entries(CALLBACKS).map(([action, callback]) => [action, webhook(action, callback)]));
