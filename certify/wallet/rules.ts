/** The rules that cases cite: an anchor of docs/specification, and the specification's own sentence. */

interface Rule {
  /** A page of docs/specification. */
  readonly page: "wallet-contract.md" | "wallet-calls.md" | "signing.md" | "basics.md";
  readonly text: string;
}

export const RULES = {
  "contract-balance": {
    page: "wallet-contract.md",
    text: "`balance`: the wallet returns the balance as it is, and rejects with PLAYER_NOT_FOUND.",
  },
  "contract-bet": {
    page: "wallet-contract.md",
    text: "`bet`: the wallet takes `amount`, and rejects with INSUFFICIENT_FUNDS, PLAYER_BLOCKED or PLAYER_NOT_FOUND.",
  },
  "contract-win": {
    page: "wallet-contract.md",
    text: "`win`: the wallet pays `amount`, and rejects only what it really cannot pay.",
  },
  "contract-refund": {
    page: "wallet-contract.md",
    text: "`refund`: the wallet gives back the bet `ref_tx_id`, and rejects with TRANSACTION_NOT_FOUND when that bet was never applied.",
  },
  "contract-rollback": {
    page: "wallet-contract.md",
    text: "`rollback`: the wallet takes back the win `ref_tx_id`, and rejects with TRANSACTION_NOT_FOUND when that win was never applied.",
  },
  "contract-codes": {
    page: "wallet-contract.md",
    text: "Known codes: INSUFFICIENT_FUNDS, PLAYER_NOT_FOUND, PLAYER_BLOCKED, TRANSACTION_NOT_FOUND. Any other code is accepted and is a rejection.",
  },
  "contract-unknown": {
    page: "wallet-contract.md",
    text: "When the wallet does not know what happened, it answers 5xx, never `ok: false`: a rejection of a bet is final.",
  },
  "contract-eight-seconds": { page: "wallet-contract.md", text: "The wallet answers within 8 s." },
  "contract-once": {
    page: "wallet-contract.md",
    text: "Apply each `tx_id` at most once, per merchant. Store the reply with it. When it comes again, return the stored reply and change nothing, also weeks later.",
  },
  "contract-concurrent": {
    page: "wallet-contract.md",
    text: "Copies may come at the same time. A unique key on (merchant, tx_id) decides.",
  },
  "contract-keep-rejections": {
    page: "wallet-contract.md",
    text: "Keep the rejection of a bet or rollback, and return it when it comes again.",
  },
  "contract-judge-anew": {
    page: "wallet-contract.md",
    text: "Do not keep the rejection of a win or refund, nor a TRANSACTION_NOT_FOUND. It is judged anew when it comes again.",
  },
  "contract-tombstone": {
    page: "wallet-contract.md",
    text: "Leave a tombstone. After a TRANSACTION_NOT_FOUND refuse the `ref_tx_id` should that bet or win still come: nobody reverses it again.",
  },
  "contract-reverse-once": {
    page: "wallet-contract.md",
    text: "Reverse once. Refuse a second reversal of one transaction, whatever its `tx_id`.",
  },
  "contract-reverse-whole": {
    page: "wallet-contract.md",
    text: "Reverse the whole. Refuse a reversal whose `amount` is not that of its reference.",
  },
  "contract-no-order": {
    page: "wallet-contract.md",
    text: "Rely on no order. A win may come before its bet, after its refund, or without a bet. A refund may come before its bet. A round may have many bets and wins.",
  },
  "contract-blocks": {
    page: "wallet-contract.md",
    text: "Blocks stop bets, never credits. A blocked player, a limit or an ended session does not stop wins and refunds.",
  },
  "contract-negative": {
    page: "wallet-contract.md",
    text: "A rollback may leave less than nothing. A negative `balance` is a valid reply.",
  },
  "contract-minor-units": { page: "wallet-contract.md", text: "Count in whole minor units, not in floating point." },
  "contract-scope": {
    page: "wallet-contract.md",
    text: "Check `currency`, and scope everything by merchant: two merchants may know the same `player_id`.",
  },
  "contract-ignore": { page: "wallet-contract.md", text: "Ignore fields that you do not know." },
  "contract-signature": {
    page: "wallet-contract.md",
    text: "Check the signature before anything else, over the raw body, with the secret of `X-Merchant-Id`. A wrong one may be answered 401 with `ok: false`.",
  },
  "contract-rotation": {
    page: "wallet-contract.md",
    text: "While a secret is being changed without an overlap answer 503 to a wrong signature: then calls stay pending instead of being rejected.",
  },
  "contract-next": {
    page: "wallet-contract.md",
    text: "Accept a callback by `X-Signature-Next`, too, when it fits a secret that you list for the merchant. Ignore it otherwise.",
  },
  "contract-replay": {
    page: "wallet-contract.md",
    text: "A recorded callback that somebody sends again carries a `tx_id` that was applied, and an old timestamp. Rules 1 to 6 make it harmless.",
  },
  "wallet-reply": {
    page: "wallet-calls.md",
    text: "The reply: a JSON object with a boolean `ok`; with `ok` true also a numeric `balance`; complete within 8 s; at most 64 KiB.",
  },
  "wallet-status": {
    page: "wallet-calls.md",
    text: "Below 500 the body decides. A 401, 400 or 429 with `ok: false` is a rejection, not an outage.",
  },
  "wallet-balance": {
    page: "wallet-calls.md",
    text: "`balance` is read from the number's shortest decimal text and cut towards zero to the currency's decimals. It may be negative.",
  },
  "sign-target-callback": {
    page: "signing.md",
    text: "Target of a callback: path and query of the configured walletUrl; `/` when the path is empty.",
  },
  "sign-method": { page: "signing.md", text: "Method: upper case." },
  "sign-body": { page: "signing.md", text: "Body: the raw bytes, as they were sent, before any parser." },
  "sign-hex": { page: "signing.md", text: "Signature: 64 lowercase hex digits. Upper case is refused." },
  "sign-callback": { page: "signing.md", text: "A callback has the same four headers." },
  "sign-callback-info": {
    page: "signing.md",
    text: "Two more headers are not signed: X-Request-Id and X-Attempt. They are for logs. Decide nothing by them.",
  },
  "sign-time": {
    page: "signing.md",
    text: "A timestamp is accepted when it is at most 300,000 ms away from the server's time, in either direction, inclusive.",
  },
  "sign-check-timestamp": { page: "signing.md", text: "A timestamp is 13 digits: milliseconds." },
  "sign-check-nonce-form": {
    page: "signing.md",
    text: "A nonce is 16 to 64 of A-Z a-z 0-9 _ -. It has no dot, for the dot separates the parts.",
  },
  "basic-bytes": {
    page: "basics.md",
    text: "Texts are compared byte by byte. Case counts. Nothing is trimmed, folded or normalised.",
  },
  "basic-wire-id": {
    page: "basics.md",
    text: "The wire id of a transaction is `<PROVIDER>:<own id>`, at most 128 bytes, so that two providers cannot collide at a merchant.",
  },
  "basic-opaque": { page: "basics.md", text: "To a merchant `tx_id`, `ref_tx_id` and `round_id` are opaque strings." },
  "basic-amount-range": {
    page: "basics.md",
    text: "An amount is 0 to 9,999,999,999.99 (CLP 9,999,999,999). Amounts in callbacks are above 0.",
  },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof RULES;

/** The page and anchor of a rule, from the project's root. */
export const ruleAddress = (id: RuleId): string => `docs/specification/${RULES[id].page}#${id}`;
