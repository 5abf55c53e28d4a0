/** The rules that cases and judgements cite: an anchor of docs/specification, and the specification's own sentence. */
import type { CitedRule } from "../report/report.ts";

const RULES = {
  "prov-open-failed": {
    page: "provider-api.md",
    text: "A source failed when it answered with an error, not in time, or with a `launch_url` that is empty, relative, not http or https, over 8,192 bytes, or has spaces or control characters.",
  },
  "prov-open-deadline": { page: "provider-api.md", text: "Deadlines: 5 s for each source unless configured." },
  "prov-open-request": {
    page: "provider-api.md",
    text: "OpenGame gets `session_id`, `player_ref`, `game_code`, `currency`, `language` (a tag), `country`, `demo` and `lobby_url` (empty: none). It answers `launch_url`.",
  },
  "launch-session": { page: "launch.md", text: "Each launch makes a session of its own." },
  "prov-session-secret": { page: "provider-api.md", text: "A `session_id` moves money. Keep it on servers." },
  "prov-session-demo": {
    page: "provider-api.md",
    text: "A demo's session has no wallet: its wallet requests are DEMO_SESSION.",
  },
  "prov-key": { page: "provider-api.md", text: "`authorization: Bearer <API key>` with every call." },
  "prov-ids": {
    page: "provider-api.md",
    text: "`tx_id` and `ref_tx_id` are the provider's own ids. `ref_tx_id` differs from `tx_id`.",
  },
  "prov-player": {
    page: "provider-api.md",
    text: "A request names the player by `session_id`, or by `player_ref`, and then `game` is required. A bet needs `session_id`.",
  },
  "prov-amount": {
    page: "provider-api.md",
    text: "`amount_minor` is in minor units of `currency`. `currency` must be the merchant's.",
  },
  "prov-part-ids": {
    page: "provider-api.md",
    text: "Each transaction has a `tx_id` of its own, and each round a `round_id` of its own. The bets and wins of a round name the same round.",
  },
  "prov-part-repeat": {
    page: "provider-api.md",
    text: "A repeat is the same request: the same `tx_id` and the same content. Another id is another transaction, and moves money once more.",
  },
  "prov-part-wait": {
    page: "provider-api.md",
    text: "A round starts when its bet is SUCCESS, and not before. Only then is it shown to the player as played, and only then is a win of it paid.",
  },
  "prov-part-open": {
    page: "provider-api.md",
    text: "A bet without a final answer is repeated or refunded: after PENDING, after an error that may be repeated, and after no answer. If it stays without one, it is refunded in the end.",
  },
  "prov-part-over": {
    page: "provider-api.md",
    text: "A bet that is FAILED, or refused with `retry` never, is over. It is not refunded, and no other bet takes its place without the player.",
  },
  "prov-part-refund": {
    page: "provider-api.md",
    text: "A bet has one refund: one `tx_id` for it, however often it is sent. It names the bet, and has its amount, currency and player.",
  },
  "prov-part-settled": {
    page: "provider-api.md",
    text: "A round that was played is not refunded, and a refunded round pays no win.",
  },
  "prov-part-deliver": {
    page: "provider-api.md",
    text: "A win or refund is repeated until it is delivered: until its reply is SUCCESS or PENDING.",
  },
  "prov-part-stop": { page: "provider-api.md", text: "A final answer ends the repeats." },
  "prov-part-pace": {
    page: "provider-api.md",
    text: "Repeats keep pauses: 250 ms before the first one, and twice as long before each further one, up to 10 s.",
  },
  "prov-part-deadline": {
    page: "provider-api.md",
    text: "A call has a deadline of 10 s or a little more: a wallet may take 8 s.",
  },
} as const satisfies Record<string, { readonly page: "provider-api.md" | "launch.md"; readonly text: string }>;

export type RuleId = keyof typeof RULES;

/** The rule with its page, from the project's root. */
export const citedRule = (id: RuleId): CitedRule => ({
  id,
  address: `docs/specification/${RULES[id].page}#${id}`,
  text: RULES[id].text,
});

export const RULE_IDS = Object.keys(RULES) as readonly RuleId[];
