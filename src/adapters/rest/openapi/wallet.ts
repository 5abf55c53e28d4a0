/**
 * The calls to a merchant's wallet: one POST to its walletUrl for each action, as OpenAPI callbacks. OpenAPI 3.0 has no
 * webhooks, and code generators ignore what only webhooks use.
 */
import { CALLBACK_FIELDS, type CallbackField } from "../../../../contract/transactions/fields.ts";
import { KIND_NAMES } from "../../../../contract/transactions/kinds.ts";
import { WALLET_CODES } from "../../../../contract/wallet/codes.ts";
import { type Action, isReversal } from "../../../domain/transaction/transaction.ts";
import { ID, SHORT_TEXT } from "./forms.ts";
import { amount, described, flag, named, object, type Schema, text } from "./schema.ts";

const WALLET_ERRORS = Object.fromEntries(
  Object.entries(WALLET_CODES).map(([code, { meaning }]) => [code, meaning]),
) as Record<keyof typeof WALLET_CODES, string>;

function schemaOf(action: string, { type, text: meaning }: CallbackField): Schema {
  switch (type) {
    case "action":
      return { type: "string", enum: [action], description: `\`${action}\`.` };
    case "currency":
      return described("Currency", meaning);
    case "amount":
      return amount(meaning, { minimum: 0.01, maximum: 9_999_999_999.99 });
    case "text":
      return text(meaning);
    case "short text":
      return text(meaning, SHORT_TEXT);
    case "id":
      return text(meaning, ID);
    case "flag":
      return flag(meaning);
    // A list of values would make generated clients refuse a kind of a later release.
    case "kind":
      return text(`${meaning} ${KIND_NAMES.map((kind) => `\`${kind}\``).join(", ")}.`, { maxLength: 64 });
  }
}

/** The schema of the body of a call. */
function bodyOf(action: Action | "balance"): Schema {
  const parts = [
    "every",
    ...(action === "balance" ? [] : ["transaction", isReversal(action) ? "reversal" : "original"]),
  ];
  const own = Object.entries<CallbackField>(CALLBACK_FIELDS).filter(([, { of }]) => parts.includes(of));
  return object(
    Object.fromEntries(own.map(([name, field]) => [name, schemaOf(action, field)])),
    own.flatMap(([name, { optional }]) => (optional ? [name] : [])),
  );
}

const ana = { player_id: "u-1", currency: "BRL", provider: "AURORA", game: "solar-crown" };

interface Callback {
  readonly summary: string;
  readonly description: string;
  readonly example: Readonly<Record<string, unknown>>;
  readonly accepted: number;
  readonly rejected: keyof typeof WALLET_ERRORS;
}

const CALLBACKS: Readonly<Record<Action | "balance", Callback>> = {
  balance: {
    summary: "What is the balance?",
    description:
      "We ask for the balance when a game opens, and when a game needs it later. Return the balance. No money moves.",
    example: { action: "balance", ...ana },
    accepted: 100,
    rejected: "PLAYER_NOT_FOUND",
  },
  bet: {
    summary: "Debit a bet",
    description:
      "Debit `amount`, or reject the bet. For the sportsbook, we send one call for each bet of a slip. A rejection is final.",
    example: { action: "bet", ...ana, tx_id: "AURORA:77120", round_id: "r-9", amount: 2.5 },
    accepted: 97.5,
    rejected: "INSUFFICIENT_FUNDS",
  },
  win: {
    summary: "Credit a win",
    description:
      "Credit `amount`. A lost round has no win, and a round may have several wins. A win may come before its bet. We send the win again until you answer. A win that you rejected may also come again: then decide anew.",
    example: { action: "win", ...ana, tx_id: "AURORA:77121", round_id: "r-9", amount: 10 },
    accepted: 107.5,
    rejected: "PLAYER_NOT_FOUND",
  },
  refund: {
    summary: "Return a bet",
    description:
      "Return the amount of the bet `ref_tx_id`. If you never applied that bet, answer TRANSACTION_NOT_FOUND, and refuse the bet if it comes later. We send the refund again until you answer.",
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
    "A new id for every call, for your logs. It is not signed, so base no decision on it.",
  ),
  header(
    "X-Attempt",
    { type: "integer", minimum: 1 },
    "The number of the call for this tx_id: 1, 2, 3 ... It is for your logs. It is not signed.",
  ),
  header(
    "X-Signature-Next",
    { type: "string", pattern: "^[0-9a-f]{64}$" },
    "We send this header only while your secret is being changed. It is the signature of the same text with the new secret. `X-Signature` is the signature with the old secret. A call is genuine if one of the two signatures fits one of your secrets.",
    false,
  ),
  header(
    "traceparent",
    { type: "string", pattern: "^00-[0-9a-f]{32}-[0-9a-f]{16}-01$" },
    "We send this header of W3C Trace Context only if you asked for it, and only on calls whose trace is sampled. With it your own traces continue ours. It is not signed, so base no decision on it.",
    false,
  ),
];

/** The name of an action's schema, such as WalletBet. */
const nameOf = (action: string): string => `Wallet${action.charAt(0).toUpperCase()}${action.slice(1)}`;

export const walletSchemas: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(
    (Object.keys(CALLBACKS) as (keyof typeof CALLBACKS)[]).map((action) => [nameOf(action), bodyOf(action)]),
  ),
  WalletReply: object(
    {
      ok: flag("true: you accept the call, and `balance` is required. false: you reject the call."),
      balance: amount("The balance after the transaction, in the major unit. It is optional in a rejection."),
      error: text(
        `The reason of a rejection. You may send any code. These codes have a meaning:\n\n${Object.entries(
          WALLET_ERRORS,
        )
          .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
          .join("\n")}`,
      ),
    },
    ["balance", "error"],
  ),
};

const RULES =
  "We sign this call with your secret, in the same way as you sign your own calls. `target` is the path and query of your walletUrl. Check the signature over the raw body before anything else. " +
  "Answer within 8 s. The result is **unknown** if the status is 500 to 599, if no complete reply comes, or if the body isn't JSON with a boolean `ok` (and a numeric `balance` if `ok` is true). Then the same tx_id comes again, or a refund for it. " +
  "With any other status, the body decides: a 401 with `ok: false` is a rejection.";

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
          "Your wallet can't decide now, so the result is unknown. The same tx_id comes again, or a refund for it.",
      },
    },
  },
});

/** An example of a walletUrl. No call contains the real walletUrl: the merchant has given it to the service before. */
const WALLET_URL = "https://wallet.example/hooks/wallet";

export const walletCallbacks: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(CALLBACKS).map(([action, one]) => [action, { [WALLET_URL]: callback(action, one) }]),
);
