/**
 * The calls to a merchant's wallet: one POST to its walletUrl for each action, as OpenAPI callbacks. OpenAPI 3.0 has no
 * webhooks, and code generators ignore what only webhooks use.
 */
import type { Action } from "../../../domain/transaction/transaction.ts";
import { ID, SHORT_TEXT } from "./forms.ts";
import { amount, described, flag, named, object, type Schema, text } from "./schema.ts";

const WALLET_ERRORS = {
  INSUFFICIENT_FUNDS: "not enough balance for the bet",
  PLAYER_NOT_FOUND: "no such player_id",
  PLAYER_BLOCKED: "self-exclusion, fraud, limit. Blocks stop bets, never credits",
  TRANSACTION_NOT_FOUND: "the bet or win to reverse was never applied",
};

const player = {
  player_id: text("As you sent it at launch.", SHORT_TEXT),
  currency: described("Currency", "Your merchant's currency."),
  provider: text("The provider's code; `SPORTSBOOK` for the sportsbook."),
  game: text("The game's code; `sportsbook` for the sportsbook."),
};
const transaction = {
  tx_id: text("The idempotency key: apply it at most once. Opaque, at most 128 bytes.", ID),
  round_id: text("The round; for the sportsbook, the bet. Opaque, at most 128 bytes.", ID),
  amount: amount("Major unit: 2.5 is two and a half. At most 2 decimals, none in CLP.", {
    minimum: 0.01,
    maximum: 9_999_999_999.99,
  }),
};
const reversed = { ref_tx_id: text("The tx_id of the bet or win to reverse.", ID) };

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

const header = (name: string, schema: Schema, description: string, required = true): Schema => ({
  name,
  in: "header",
  required,
  schema,
  description,
});

/**
 * Each callback has its own copy of these headers, because generators ignore shared parameters that only callbacks use.
 */
const HEADERS: readonly Schema[] = [
  header(
    "X-Request-Id",
    { type: "string", format: "uuid" },
    "A new id for every call, for your logs. It is not signed: do not decide by it.",
  ),
  header(
    "X-Attempt",
    { type: "integer", minimum: 1 },
    "The number of the call for this tx_id: 1, 2, 3 ... It is for your logs and not signed.",
  ),
  header(
    "X-Signature-Next",
    { type: "string", pattern: "^[0-9a-f]{64}$" },
    "Only while your secret is being changed: the signature by the new secret over the same text. `X-Signature` is by the old one. A call is genuine when one of the two fits one of your secrets.",
    false,
  ),
  header(
    "traceparent",
    { type: "string", pattern: "^00-[0-9a-f]{32}-[0-9a-f]{16}-01$" },
    "Only if you asked for it, and only for calls whose trace is sampled: W3C Trace Context. With it your own traces continue ours. It is not signed: do not decide by it.",
    false,
  ),
];

/** The name of an action's schema, such as WalletBet. */
const nameOf = (action: string): string => `Wallet${action.charAt(0).toUpperCase()}${action.slice(1)}`;
const actionOf = (action: string): Schema => ({ type: "string", enum: [action], description: `\`${action}\`.` });

export const walletSchemas: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(
    Object.entries(CALLBACKS).map(([action, { fields }]) => [
      nameOf(action),
      object({ action: actionOf(action), ...fields }),
    ]),
  ),
  WalletReply: object(
    {
      ok: flag("true: done, and `balance` is required. false: rejected."),
      balance: amount("The balance after the transaction, major unit. Optional in a rejection."),
      error: text(
        `The reason of a rejection. Any code is accepted; these are known:\n\n${Object.entries(WALLET_ERRORS)
          .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
          .join("\n")}`,
      ),
    },
    ["balance", "error"],
  ),
};

const RULES =
  "We sign it like your own calls, with your secret; `target` is path and query of your walletUrl. Check the signature over the raw body before anything else. " +
  "Answer within 8 s. A status of 500 to 599, no complete reply, or a body that isn't JSON with a boolean `ok` (and a numeric `balance` where it is true) means **unknown**: the same tx_id comes again, or a refund for it. " +
  "Any other status is read from the body: a 401 with `ok: false` is a rejection.";

const callback = (action: string, { summary, description, example, accepted, rejected }: Callback): Schema => ({
  post: {
    operationId: nameOf(action).replace("W", "w"),
    tags: ["Your wallet"],
    summary,
    description: `${description}\n\n${RULES}`,
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: named(nameOf(action)), examples: { [action]: { value: example } } },
      },
    },
    responses: {
      200: {
        description: "Your wallet's decision.",
        content: {
          "application/json": {
            schema: named("WalletReply"),
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
          "application/json": { schema: named("WalletReply"), example: { ok: false, error: "INVALID_SIGNATURE" } },
        },
      },
      503: {
        description:
          "Your wallet can't decide now, so that the result is unknown. The same tx_id comes again, or a refund for it.",
      },
    },
  },
});

/** An example of a walletUrl. No call contains the real walletUrl: the merchant has given it to the service before. */
const WALLET_URL = "https://wallet.example/hooks/wallet";

export const walletCallbacks: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(CALLBACKS).map(([action, one]) => [action, { [WALLET_URL]: callback(action, one) }]),
);
