import { ITEM_FIELDS, type ItemName } from "../../../../contract/transactions/fields.ts";
import { KIND_NAMES } from "../../../../contract/transactions/kinds.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { LISTING_FORMATS } from "../replies/whole-listing.ts";
import { ID, INSTANT, PROVIDER, SHORT_TEXT } from "./forms.ts";
import { csvDialect, cursor, type Described, inPath, limit, query } from "./operation.ts";
import { choice, named } from "./schema.ts";

/** The order of the example is that of the fields. */
const absentFields = Object.fromEntries(Object.keys(ITEM_FIELDS).map((name) => [name, null])) as Record<ItemName, null>;
const example = {
  ...absentFields,
  tx_id: "AURORA:77120",
  round_id: "r-9",
  action: "bet",
  amount: 2.5,
  currency: "BRL",
  status: "success",
  provider: "AURORA",
  game: "solar-crown",
  player_id: "u-1",
  balance: 97.5,
  attempts: 1,
  last_result: "accepted",
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.120Z",
};
const pendingWin = {
  ...example,
  tx_id: "AURORA:77121",
  action: "win",
  amount: 10,
  status: "pending",
  balance: null,
  attempts: 3,
  last_result: "timeout",
  next_attempt_at: "2026-01-01T00:00:32.200Z",
  updated_at: "2026-01-01T00:00:28.100Z",
};

const TIME = "RFC 3339 with an offset or Z.";
const UNBOUNDED = "With this parameter, neither the limit of 31 days nor the default of 24 h applies.";

const FILTERS = [
  query(
    "from",
    INSTANT,
    `Only transactions created at or after this time. ${TIME} The default is 24 h before \`to\`, the limit 31 days before it.`,
  ),
  query(
    "to",
    INSTANT,
    `Only transactions created before this time. ${TIME} The default is the time of the first page, which the cursor keeps.`,
  ),
  query("status", named("Status"), "Only transactions with this status."),
  query("action", named("Action"), "Only transactions with this action."),
  query("kind", choice(KIND_NAMES), "Only bets and wins of this kind."),
  query("player_id", SHORT_TEXT, "Only transactions of this player."),
  query("round_id", ID, `Only transactions of this round. ${UNBOUNDED}`),
  query("tx_id", ID, `Only the transaction with this id. ${UNBOUNDED}`),
  query("ref_tx_id", ID, `Only reversals of the transaction with this id. ${UNBOUNDED}`),
  query("provider", PROVIDER, "Only transactions of the provider with this code."),
  query("game", ID, "Only transactions of the game with this code."),
];

const format = query(
  "format",
  { ...choice(LISTING_FORMATS), default: "json" },
  "`csv` and `ndjson` stream the whole selection.",
);

/** The replies without the envelope, with an item as an example. */
const streams = (item: object) => ({
  "text/csv": {
    schema: { type: "string" },
    example: `${Object.keys(item).join(",")}\r\n${Object.values(item).join(",")}\r\n`,
  },
  "application/x-ndjson": {
    schema: { type: "string" },
    example: `${JSON.stringify(item)}\n{"complete":true,"items":1}\n`,
  },
});

const list: Described = {
  method: "get",
  path: "/v1/transactions",
  id: "listTransactions",
  tag: "Transactions",
  summary: "Every transaction sent to your wallet",
  description: [
    "Lists transactions: one item for each tx_id. A listing whose `to` is at least 15 s in the past is complete. If `to` is later, transactions of the last seconds may still be added.",
    "**Reconciliation feed.** With `updated_since` the list is a feed: it has the transactions in the order in which their states became known, oldest first. It always has a `next_cursor`, and you continue with it for ever. " +
      "After a cursor, every transaction whose state changed comes once, in its newest state. No change is skipped, and no transaction comes again without a change. You are at the end when `next_cursor` equals the cursor that you sent. With filters, pages before the end may have no items. `status`, `from`, `to` and `order=desc` are refused with `updated_since`. The first page may begin up to 61 seconds before `updated_since`.",
    "**Whole selections.** `format=csv` and `format=ndjson` stream all transactions of the selection without an envelope. `limit` and `cursor` are refused with them. If a fault occurs, the connection is closed without a final chunk. " +
      'A complete ndjson stream ends with `{"complete":true,"items":N}`. CSV is RFC 4180, and a text cell that begins with `=`, `+`, `-`, `@`, tab or CR gets a leading `\'`. A `\'` also stands inside a text, where one of these signs follows a character that separates cells or lines. Invisible characters are written out, such as `[U+202E]`.',
  ].join("\n\n"),
  parameters: [
    ...FILTERS,
    query("updated_since", INSTANT, `Turns the list into the reconciliation feed, from this time on. ${TIME}`),
    query(
      "order",
      choice(["asc", "desc"]),
      "The order by `created_at`. The default on a first page is `desc`. With `updated_since` the order is always `asc`.",
    ),
    cursor,
    limit(100, 1000),
    format,
    csvDialect,
  ],
  success: {
    message: SUCCESS_TEXTS.transactions,
    data: named("TransactionPage"),
    examples: {
      list: { summary: "Newest first", data: { items: [pendingWin, example], next_cursor: null } },
      feed: {
        summary: "The feed, with updated_since",
        data: { items: [example, pendingWin], next_cursor: "WyJmZWVkIiwiMSJd", behind_ms: 140 },
      },
    },
    streams: streams(example),
  },
};

const txId = inPath("tx_id", ID, "The transaction's id, as in the callback.", "AURORA:77120");

const show: Described = {
  method: "get",
  path: "/v1/transactions/{tx_id}",
  id: "showTransaction",
  tag: "Transactions",
  summary: "One transaction, with every call of your wallet",
  description: "Shows what we sent and when, how long your wallet took, and how we read its reply.",
  parameters: [txId],
  success: {
    message: SUCCESS_TEXTS.transaction,
    data: named("TransactionWithLog"),
    examples: {
      transaction: {
        summary: "A bet that was applied at once",
        data: {
          ...example,
          attempt_log: [
            {
              n: 1,
              at: "2026-01-01T00:00:00.010Z",
              duration_ms: 84,
              http_status: 200,
              result: "accepted",
              request_id: "6c0a5b0e-3f0e-4f0b-9d0e-2f6f6f1b7a11",
              reply_start: null,
              error: null,
            },
          ],
        },
      },
    },
  },
  refusals: ["TRANSACTION_NOT_FOUND"],
};

const resend: Described = {
  method: "post",
  path: "/v1/transactions/{tx_id}/resend",
  id: "resendTransaction",
  tag: "Transactions",
  summary: "Send a win or refund again",
  description:
    "Use it for a pending or failed win or refund when your wallet works again. We send the same tx_id with the same body. A failed transaction becomes pending. Bets and rollbacks are never sent again in this way, because the game repeats them.",
  parameters: [txId],
  body: {
    required: false,
    schema: named("ResendRequest"),
    examples: { empty: { summary: "An empty object, or no body", value: {} } },
  },
  success: {
    status: 202,
    message: SUCCESS_TEXTS.resend,
    data: named("Transaction"),
    examples: { accepted: { summary: "The win will be sent again", data: pendingWin } },
  },
  refusals: ["TRANSACTION_NOT_FOUND", "NOT_RESENDABLE"],
};

const openRound = {
  provider: "AURORA",
  round_id: "r-9",
  state: "open",
  opened_at: "2026-01-01T00:00:00.000Z",
  ended_at: null,
};

const rounds: Described = {
  method: "get",
  path: "/v1/rounds",
  id: "listRounds",
  tag: "Transactions",
  summary: "Rounds that are open, or have ended",
  description: [
    "Lists the rounds of providers that say when a round ends. Rounds of other providers are not in it: their state is `unknown`.",
    "Open rounds come in the order in which they were opened, ended rounds in the order in which they ended. A round appears within some seconds after its first bet, and at once when it ends. A round that is stored while you read the pages may be missing. " +
      "If you ask again and again with `ended_since`, begin a minute before your last request: then you miss none.",
    "`format=csv` and `format=ndjson` stream the whole selection, as for transactions.",
  ].join("\n\n"),
  parameters: [
    query(
      "state",
      choice(["open", "ended"]),
      "Only rounds in this state. The default is `open`, or `ended` with `ended_since`.",
    ),
    query("older_than", INSTANT, `Only rounds that were opened before this time. ${TIME}`),
    query("ended_since", INSTANT, `Only rounds that ended at this time or later. Not with \`state=open\`. ${TIME}`),
    cursor,
    limit(100, 1000),
    format,
    csvDialect,
  ],
  success: {
    message: SUCCESS_TEXTS.rounds,
    data: named("RoundPage"),
    examples: {
      open: { summary: "Rounds that are open", data: { items: [openRound], next_cursor: null } },
      ended: {
        summary: "Rounds that have ended, with ended_since",
        data: {
          items: [{ ...openRound, state: "ended", ended_at: "2026-01-01T00:00:09.000Z" }],
          next_cursor: null,
        },
      },
    },
    streams: streams(openRound),
  },
};

const round: Described = {
  method: "get",
  path: "/v1/rounds/{provider}/{round_id}",
  id: "showRound",
  tag: "Transactions",
  summary: "A round with its transactions and sums",
  description:
    "The sums are those of the whole round, not only of this page. Except for `pending`, they count only transactions with the status `success`. A round that ended without a transaction has no items.",
  parameters: [
    inPath("provider", PROVIDER, "The provider's code.", "AURORA"),
    inPath("round_id", ID, "The round's id, as in the callback.", "r-9"),
    cursor,
    limit(1000, 1000),
  ],
  success: {
    message: SUCCESS_TEXTS.round,
    data: named("Round"),
    examples: {
      round: {
        summary: "A bet, and a win on its way",
        data: {
          provider: "AURORA",
          round_id: "r-9",
          state: "open",
          ended_at: null,
          items: [example, pendingWin],
          sums: {
            bets: 2.5,
            refunds: 0,
            wins: 0,
            rollbacks: 0,
            pending: { count: 1, bets: 0, refunds: 0, wins: 10, rollbacks: 0 },
          },
          next_cursor: null,
        },
      },
    },
  },
  refusals: ["ROUND_NOT_FOUND"],
};

export const transactionOperations = [list, show, resend, rounds, round];
