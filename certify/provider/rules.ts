/** The rules that cases and judgements cite: an anchor of docs/specification, and a short text of the rule. */
import type { CitedRule } from "../report/report.ts";

const RULES = {
  "prov-open-failed": {
    page: "provider-api.md",
    text: "A source has failed if it answers with an error or too late. It has also failed if its `launch_url` is empty, relative, not http or https, over 8,192 bytes, or has spaces or control characters.",
  },
  "prov-open-deadline": {
    page: "provider-api.md",
    text: "The deadline of each source is 5 s, unless another deadline is configured.",
  },
  "prov-open-request": {
    page: "provider-api.md",
    text: "OpenGame gets `session_id`, `player_ref`, `game_code`, `currency`, `language` (a tag), `country`, `demo` and `lobby_url` (empty if there is none). It returns `launch_url`.",
  },
  "launch-session": { page: "launch.md", text: "Each launch makes a new session." },
  "prov-session-secret": {
    page: "provider-api.md",
    text: "A `session_id` is a secret, because it allows bets. Keep it on servers.",
  },
  "prov-session-demo": {
    page: "provider-api.md",
    text: "A demo's session has no wallet. Its wallet requests get DEMO_SESSION.",
  },
  "prov-key": { page: "provider-api.md", text: "Every call has `authorization: Bearer <API key>`." },
  "prov-ids": {
    page: "provider-api.md",
    text: "`tx_id` and `ref_tx_id` are the provider's own ids. `ref_tx_id` differs from `tx_id`.",
  },
  "prov-player": {
    page: "provider-api.md",
    text: "A request names the player by `session_id` or by `player_ref`. With `player_ref`, `game` is required. A bet needs `session_id`.",
  },
  "prov-amount": {
    page: "provider-api.md",
    text: "`amount_minor` is in minor units of `currency`. `currency` must be the merchant's.",
  },
  "prov-part-ids": {
    page: "provider-api.md",
    text: "Each transaction has its own `tx_id`, and each round has its own `round_id`, for ever. The bets and wins of a round name the same round.",
  },
  "prov-part-repeat": {
    page: "provider-api.md",
    text: "A repeat is the same request, with the same `tx_id` and the same content. A request with another `tx_id` is another transaction, and moves money a second time.",
  },
  "prov-part-wait": {
    page: "provider-api.md",
    text: "A round starts only after its bet has got SUCCESS. Before that, do not show the round as played, and do not pay a win of it.",
  },
  "prov-part-open": {
    page: "provider-api.md",
    text: "Repeat or refund a bet without a final answer: after PENDING, after an error that may be repeated, and after no answer. If no final answer comes, refund the bet in the end.",
  },
  "prov-part-over": {
    page: "provider-api.md",
    text: "A bet has ended if it got FAILED, or a refusal with `retry` never. Do not refund it. Do not place another bet instead without the player.",
  },
  "prov-part-refund": {
    page: "provider-api.md",
    text: "A bet has one refund. Every repeat of the refund has the same `tx_id`. The refund names the bet, and has the bet's amount, currency and player.",
  },
  "prov-part-settled": {
    page: "provider-api.md",
    text: "Do not refund a round that was played, and do not pay a win of a refunded round.",
  },
  "prov-part-deliver": {
    page: "provider-api.md",
    text: "Repeat a win or refund until its reply is SUCCESS or PENDING, even after lost connections and restarts of either side.",
  },
  "prov-part-stop": { page: "provider-api.md", text: "Stop repeating after a final answer." },
  "prov-part-pace": {
    page: "provider-api.md",
    text: "Pause between repeats: 250 ms before the first repeat, and twice as long before each further one, up to 10 s.",
  },
  "prov-part-deadline": {
    page: "provider-api.md",
    text: "Give each call a deadline of 10 s or a little more, because a wallet may take 8 s.",
  },
  "settle-paid": {
    page: "settlements.md",
    text: "A win that names its bet is paid if the wallet has accepted this bet, and the bet is not reversed.",
  },
  "settle-second": { page: "settlements.md", text: "A bet has one settlement. A second one gets BET_SETTLED." },
  "settle-unless": {
    page: "settlements.md",
    text: "A new RefundBet with `unless_settled` gets BET_SETTLED if its bet is settled.",
  },
  "play-repeat": {
    page: "play.md",
    text: "A repeat of a Play gets the stored results. What has no result is sent again.",
  },
  "play-win-pending": {
    page: "play.md",
    text: "`win_status` PENDING is the promise of delivery. The player may be shown the result of the round.",
  },
  "play-win-failed": { page: "play.md", text: "If `win_status` is FAILED, a repeat of the Play sends the win again." },
  "round-ended-bet": { page: "rounds.md", text: "A new bet in an ended round gets ROUND_ENDED." },
  "round-end-round": { page: "rounds.md", text: "EndRound ends a round without a transaction." },
  "kinds-credit-paid": {
    page: "kinds.md",
    text: "No label refuses a win. A label that breaks its rule is left out, and the service raises an alert.",
  },
  "kinds-frozen": {
    page: "kinds.md",
    text: "The first write decides: a transaction has the labels of the request that made it a transaction.",
  },
} as const satisfies Record<string, { readonly page: `${string}.md`; readonly text: string }>;

export type RuleId = keyof typeof RULES;

/** The rule with its page, from the project's root. */
export const citedRule = (id: RuleId): CitedRule => ({
  id,
  address: `docs/specification/${RULES[id].page}#${id}`,
  text: RULES[id].text,
});

export const RULE_IDS = Object.keys(RULES) as readonly RuleId[];
