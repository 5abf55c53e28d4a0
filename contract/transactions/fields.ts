/**
 * The fields of a transaction in the callbacks and in the merchants' lists. The API's description and the REST replies
 * read them. The specification's tables and the kits' types are generated out of them.
 */

export interface ItemField {
  /** `id`: a text of at most 128 bytes. The other types that are no JSON types have a schema of their own. */
  readonly type:
    | "id"
    | "text"
    | "amount"
    | "count"
    | "time"
    | "action"
    | "currency"
    | "status"
    | "result"
    | "kind"
    | "jackpot"
    | "micros";
  /** Whether the value may be null. */
  readonly nullable?: true;
  /** The text of the API's description. Markdown. */
  readonly text: string;
  /** The comment in the kits. */
  readonly kit: string;
  /** More of the field's JSON schema. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

/** A transaction in the merchants' lists, in the order of its fields. CSV has the same columns. */
export const ITEM_FIELDS = {
  tx_id: {
    type: "id",
    text: "The idempotency key, unique for your merchant: `<PROVIDER>:<the provider's own id>`. Treat it as an opaque text.",
    kit: "The idempotency key, unique for the merchant.",
  },
  round_id: {
    type: "id",
    text: "The round's id; for the sportsbook, the bet's id. Treat it as an opaque text.",
    kit: "The round's id; for the sportsbook, the bet's id.",
  },
  ref_tx_id: {
    type: "text",
    nullable: true,
    text: "The tx_id of the bet or win that a refund or rollback reverses. For bets and wins it is null.",
    kit: "The bet or win that a refund or rollback reverses.",
  },
  action: { type: "action", text: "What your wallet was asked to do.", kit: "bet, win, refund or rollback." },
  amount: {
    type: "amount",
    text: "The amount in the major unit: 2.5 is two and a half. It has at most 2 decimals, in CLP none.",
    kit: "Above 0, in the major unit, exact. The action shows whether the balance goes up or down.",
    schema: { minimum: 0.01 },
  },
  currency: { type: "currency", text: "Your merchant's currency.", kit: "The merchant's currency." },
  status: { type: "status", text: "The state of the transaction.", kit: "success, pending or failed." },
  error: {
    type: "text",
    nullable: true,
    text: "The code with which your wallet refused the transaction. It is null unless `status` is `failed`.",
    kit: "The code of the wallet's rejection.",
  },
  provider: { type: "text", text: "The provider's code.", kit: "The provider's code." },
  game: { type: "text", text: "The game's code.", kit: "The game's code." },
  player_id: {
    type: "text",
    text: "The player's id, as you sent it at the launch.",
    kit: "The player's id, as the merchant sent it at the launch.",
  },
  balance: {
    type: "amount",
    nullable: true,
    text: "The balance in your wallet's reply to this transaction. It is not the current balance.",
    kit: "The balance in the wallet's reply. It is not the player's balance now.",
  },
  attempts: {
    type: "count",
    text: "How often we have called your wallet for this transaction.",
    kit: "How often the service has called the wallet for this transaction.",
  },
  last_result: {
    type: "result",
    nullable: true,
    text: "How the last of these calls ended; null: none has ended.",
    kit: "How the last of these calls ended. Absent: none has ended.",
  },
  next_attempt_at: {
    type: "time",
    nullable: true,
    text: "When we send the transaction again by ourselves. null: we will not send it again by ourselves.",
    kit: "The time of the next automatic call. Absent: no call is planned.",
  },
  resolved_by: {
    type: "text",
    nullable: true,
    text: "What made the state final. null: the first call. `resend`: a later call. `refund:<tx_id>`, `rollback:<tx_id>`: the reversal with that id. `manual`: our support, with evidence from you.",
    kit: "What made the state final. Absent: the first call, or the transaction is pending.",
    schema: { pattern: "^(resend|manual|refund:.+|rollback:.+)$" },
  },
  created_at: {
    type: "time",
    text: "When the transaction reached us. Lists and reports use this time.",
    kit: "When the transaction reached the service.",
  },
  updated_at: {
    type: "time",
    text: "When the transaction last changed.",
    kit: "When the transaction last changed.",
  },
  kind: {
    type: "kind",
    nullable: true,
    text: "What the money is for. null: an ordinary bet or win, a refund or a rollback. Later releases may add kinds, so accept every text.",
    kit: "What the money is for. Absent: an ordinary bet or win, or a reversal.",
  },
  promo_id: {
    type: "text",
    nullable: true,
    text: "The provider's id for the promotion that the bet or win belongs to. Treat it as an opaque text.",
    kit: "The provider's id for the promotion.",
  },
  jackpot: {
    type: "jackpot",
    nullable: true,
    text: "The jackpot that a bet pays into, or that pays the win, by the provider's names: `id`, and `tier`, which is null if the jackpot has no tiers. In CSV the cell is this JSON.",
    kit: "The jackpot that a bet pays into, or that pays the win.",
  },
  jackpot_contribution_micros: {
    type: "micros",
    nullable: true,
    text: "The part of a bet that goes to the jackpot, in millionths of the major unit: 25000 is 0.025. It is a part of `amount`. null: the provider gave none.",
    kit: "The part of a bet for the jackpot, in millionths of the major unit.",
  },
  settled_by: {
    type: "text",
    nullable: true,
    text: "The tx_id of the win that the provider calls the only settlement of this bet. A settlement of 0 is no transaction, so no list has it. null: the provider has not settled the bet, or does not say so.",
    kit: "The win that is the only settlement of this bet. A settlement of 0 is in no list.",
  },
} as const satisfies Record<string, ItemField>;

export type ItemName = keyof typeof ITEM_FIELDS;

/**
 * The texts that a transaction carries unchanged, from the provider's request into its row, the callback and the lists.
 * The column in `tx` and the fields of the protos have the same names. A field that may be null is left out of a
 * callback that does not have it.
 */
export const CARRIED_FIELDS = ["round_id", "ref_tx_id"] as const satisfies readonly (ItemName & CallbackName)[];

export interface CallbackField {
  /** The calls that have the field: every one, every transaction, a refund or rollback alone, or a bet or win alone. */
  readonly of: "every" | "transaction" | "reversal" | "original";
  readonly type: "action" | "currency" | "text" | "short text" | "id" | "amount" | "kind" | "flag";
  /** A transaction may lack the field. */
  readonly optional?: true;
  /** The text of the API's description and of docs/specification/wallet-contract.md. Markdown. */
  readonly text: string;
}

/** The body of a callback. The order is the order of the bytes (src/adapters/wallet-http/callback.ts). */
export const CALLBACK_FIELDS = {
  action: {
    of: "every",
    type: "action",
    text: "What the wallet is asked to do: `balance`, `bet`, `win`, `refund` or `rollback`.",
  },
  player_id: {
    of: "every",
    type: "short text",
    text: "The player's id, as the merchant sent it at the launch.",
  },
  currency: { of: "every", type: "currency", text: "The merchant's currency." },
  provider: {
    of: "every",
    type: "text",
    text: "The provider's code; `SPORTSBOOK` for the sportsbook.",
  },
  game: {
    of: "every",
    type: "text",
    text: "The game's code; `sportsbook` for the sportsbook.",
  },
  tx_id: {
    of: "transaction",
    type: "id",
    text: "The idempotency key, unique for the merchant: apply each tx_id at most once. It is an opaque text of at most 128 bytes.",
  },
  round_id: {
    of: "transaction",
    type: "id",
    text: "The round's id; for the sportsbook, the bet's id. It is an opaque text of at most 128 bytes.",
  },
  amount: {
    of: "transaction",
    type: "amount",
    text: "The amount in the major unit, above zero: 2.5 is two and a half. It has at most 2 decimals, in CLP none. It is at most 9999999999.99.",
  },
  ref_tx_id: {
    of: "reversal",
    type: "id",
    text: "The tx_id of the bet or win to reverse.",
  },
  kind: {
    of: "original",
    type: "kind",
    optional: true,
    text: "What the money is for. Absent: an ordinary bet or win. Later releases may add kinds, so accept every text.",
  },
  promo_id: {
    of: "original",
    type: "id",
    optional: true,
    text: "The provider's id for the promotion that the bet or win belongs to. It is an opaque text of at most 128 bytes.",
  },
  round_ended: {
    of: "original",
    type: "flag",
    optional: true,
    text: "The provider says that this bet or win is the round's last. Absent, and never false: it does not say so. No new bet of this round follows, but refunds, rollbacks and further wins may.",
  },
} as const satisfies Record<string, CallbackField>;

type CallbackName = keyof typeof CALLBACK_FIELDS;
