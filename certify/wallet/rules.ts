/** The rules that cases cite: an anchor of docs/specification, and a short text of the rule. */
import type { CitedRule } from "../report/report.ts";

interface Rule {
  /** A page of docs/specification. */
  readonly page: "wallet-contract.md" | "wallet-calls.md" | "signing.md" | "basics.md";
  readonly text: string;
}

export const RULES = {
  "contract-balance": {
    page: "wallet-contract.md",
    text: "`balance`: the wallet returns the balance, which does not change. It may reject with PLAYER_NOT_FOUND.",
  },
  "contract-bet": {
    page: "wallet-contract.md",
    text: "`bet`: the wallet takes `amount`. It may reject with INSUFFICIENT_FUNDS, PLAYER_NOT_FOUND, PLAYER_BLOCKED, LIMIT_REACHED, SELF_EXCLUDED, SESSION_LIMIT or GEO_BLOCKED.",
  },
  "contract-win": {
    page: "wallet-contract.md",
    text: "`win`: the wallet pays `amount`. It rejects only if it really cannot pay.",
  },
  "contract-refund": {
    page: "wallet-contract.md",
    text: "`refund`: the wallet gives back the bet `ref_tx_id`. It rejects with TRANSACTION_NOT_FOUND when that bet was never applied.",
  },
  "contract-rollback": {
    page: "wallet-contract.md",
    text: "`rollback`: the wallet takes back the win `ref_tx_id`. It rejects with TRANSACTION_NOT_FOUND when that win was never applied.",
  },
  "contract-codes": {
    page: "wallet-contract.md",
    text: "Known codes: INSUFFICIENT_FUNDS, PLAYER_NOT_FOUND, PLAYER_BLOCKED, LIMIT_REACHED, SELF_EXCLUDED, SESSION_LIMIT, GEO_BLOCKED, TRANSACTION_NOT_FOUND. The wallet may send any other code. Each of them is a rejection.",
  },
  "contract-unknown": {
    page: "wallet-contract.md",
    text: "When the wallet does not know what happened, it answers 5xx, never `ok: false`: a rejection of a bet is final.",
  },
  "contract-eight-seconds": { page: "wallet-contract.md", text: "The wallet answers within 8 s." },
  "contract-once": {
    page: "wallet-contract.md",
    text: "Apply each `tx_id` at most once, per merchant. Store the reply. When the `tx_id` comes again, even weeks later, return the stored reply and change nothing.",
  },
  "contract-concurrent": {
    page: "wallet-contract.md",
    text: "Copies may come at the same time. A unique key on (merchant, tx_id) lets only one of them through.",
  },
  "contract-keep-rejections": {
    page: "wallet-contract.md",
    text: "Keep the rejection of a bet or rollback, and return it when the same `tx_id` comes again.",
  },
  "contract-judge-anew": {
    page: "wallet-contract.md",
    text: "Do not keep the rejection of a win or refund, and do not keep a TRANSACTION_NOT_FOUND. Decide again when the same `tx_id` comes again.",
  },
  "contract-tombstone": {
    page: "wallet-contract.md",
    text: "Leave a tombstone. After you answered TRANSACTION_NOT_FOUND, the bet or win that `ref_tx_id` names may still come. Refuse it then, because no second reversal of it will come.",
  },
  "contract-reverse-once": {
    page: "wallet-contract.md",
    text: "Reverse once. Refuse a second reversal of one transaction, whatever its `tx_id`.",
  },
  "contract-reverse-whole": {
    page: "wallet-contract.md",
    text: "Reverse the whole amount. Refuse a reversal whose `amount` differs from the amount of its reference.",
  },
  "contract-no-order": {
    page: "wallet-contract.md",
    text: "Do not rely on any order. A win may come before its bet, after its refund, or without a bet. A refund may come before its bet. A round may have many bets and wins.",
  },
  "contract-blocks": {
    page: "wallet-contract.md",
    text: "Blocks stop bets, never credits. Pay wins and refunds even if the player is blocked, a limit is reached or the session has ended.",
  },
  "contract-negative": {
    page: "wallet-contract.md",
    text: "A rollback may make the balance negative. A negative `balance` is a valid reply.",
  },
  "contract-minor-units": {
    page: "wallet-contract.md",
    text: "Calculate in whole minor units, not in floating point.",
  },
  "contract-scope": {
    page: "wallet-contract.md",
    text: "Check `currency`, and keep each merchant's data apart. Two merchants may have the same `player_id`.",
  },
  "contract-ignore": { page: "wallet-contract.md", text: "Ignore fields that you do not know." },
  "contract-signature": {
    page: "wallet-contract.md",
    text: "Check the signature before anything else, over the raw body, with the secret of `X-Merchant-Id`. You may answer a wrong signature with 401 and `ok: false`.",
  },
  "contract-rotation": {
    page: "wallet-contract.md",
    text: "While a secret is being changed without an overlap, answer 503 to a wrong signature. The transactions then stay pending and are not rejected.",
  },
  "contract-next": {
    page: "wallet-contract.md",
    text: "Also accept a callback whose `X-Signature-Next` is right by a secret that you list for the merchant. Otherwise ignore this header.",
  },
  "contract-replay": {
    page: "wallet-contract.md",
    text: "If somebody records a callback and sends it again, it has an old timestamp and a `tx_id` that you have applied. Rules 1 to 6 make it harmless.",
  },
  "wallet-reply": {
    page: "wallet-calls.md",
    text: "The reply is a JSON object with a boolean `ok`. If `ok` is true, it also has a number `balance`. It is complete within 8 s and has at most 64 KiB.",
  },
  "wallet-status": {
    page: "wallet-calls.md",
    text: "For a status below 500, the body decides the outcome. A 401, 400 or 429 with `ok: false` is a rejection, not an outage.",
  },
  "wallet-balance": {
    page: "wallet-calls.md",
    text: "`balance` is read from the number's shortest decimal text and cut towards zero to the currency's decimals. The balance may be negative.",
  },
  "sign-target-callback": {
    page: "signing.md",
    text: "The target of a callback is the path and the query of the configured walletUrl. An empty path is `/`.",
  },
  "sign-method": { page: "signing.md", text: "The method is in upper case." },
  "sign-body": { page: "signing.md", text: "The body is the raw bytes as they were sent, before any parser." },
  "sign-hex": { page: "signing.md", text: "The signature is 64 lowercase hex digits. Upper case is refused." },
  "sign-callback": { page: "signing.md", text: "A callback has the same four headers." },
  "sign-callback-info": {
    page: "signing.md",
    text: "Two more headers are not signed: `X-Request-Id` and `X-Attempt`. They are only for logs. Do not base decisions on them.",
  },
  "sign-time": {
    page: "signing.md",
    text: "A timestamp is accepted if it differs from the server's time by at most 300,000 ms, in either direction.",
  },
  "sign-check-timestamp": { page: "signing.md", text: "A timestamp is 13 digits: milliseconds since 1970." },
  "sign-check-nonce-form": {
    page: "signing.md",
    text: "A nonce is 16 to 64 of A-Z a-z 0-9 _ -. It has no dot, because the dot separates the parts.",
  },
  "basic-bytes": {
    page: "basics.md",
    text: "Texts are compared byte by byte. Upper and lower case are different. Texts are not trimmed, folded or normalised.",
  },
  "basic-wire-id": {
    page: "basics.md",
    text: "The wire id of a transaction is `<PROVIDER>:<own id>`, at most 128 bytes. So two providers never have the same wire id.",
  },
  "basic-opaque": {
    page: "basics.md",
    text: "For a merchant, `tx_id`, `ref_tx_id` and `round_id` are opaque strings.",
  },
  "basic-amount-range": {
    page: "basics.md",
    text: "An amount is 0 to 9,999,999,999.99 (CLP 9,999,999,999). Amounts in callbacks are above 0.",
  },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof RULES;

/** The rule with its page, from the project's root. */
export const citedRule = (id: RuleId): CitedRule => ({
  id,
  address: `docs/specification/${RULES[id].page}#${id}`,
  text: RULES[id].text,
});
