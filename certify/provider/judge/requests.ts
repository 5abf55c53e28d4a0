/** Rules for requests: their fields are valid, and a repeat has the content of the first request. */
import type { ErrorCode } from "../../../src/domain/errors.ts";
import { readLabels } from "../../../src/domain/values/labels.ts";
import { firstDifference } from "../aggregator/ledger.ts";
import type { Call } from "../aggregator/session.ts";
import type { RuleId } from "../rules.ts";
import { ProviderFinding } from "./finding.ts";
import { transactionsOf } from "./standing.ts";
import { answerInWords, callInWords } from "./words.ts";

/** The fault of a request that got this code, if the case did not plan the code. */
const FAULTS: Partial<Record<ErrorCode, readonly [rule: RuleId, expected: string, fix: string]>> = {
  INVALID_API_KEY: [
    "prov-key",
    "the key of `--key` with every call",
    "Send `authorization: Bearer <key>` as metadata of every call.",
  ],
  VALIDATION_ERROR: [
    "prov-ids",
    "every required field in its bounds",
    "Fill the field as its comment in wallet_service.proto says.",
  ],
  SESSION_NOT_FOUND: [
    "prov-player",
    "the `session_id` or `player_ref` that OpenGame got",
    "Send the `session_id` as OpenGame got it, byte for byte.",
  ],
  INVALID_AMOUNT: [
    "prov-amount",
    "an amount from 0 to the currency's bound",
    "Send whole minor units: 250 is R$ 2.50, 1500 is 1500 CLP.",
  ],
  CURRENCY_NOT_ENABLED: [
    "prov-amount",
    "the currency that OpenGame got",
    "Keep the currency of OpenGame with the session, and send it as it is.",
  ],
  GAME_NOT_FOUND: ["prov-player", "the code of a game", "Leave `game` empty, or send a code of your catalog."],
  BET_NOT_FOUND: [
    "settle-paid",
    "`bet_tx_id` is the `tx_id` of a bet that got SUCCESS",
    "Put the bet's own `tx_id` into `bet_tx_id`.",
  ],
  BET_SETTLED: [
    "settle-second",
    "one settlement of a bet, repeated under its own id",
    "Make the settlement's `tx_id` once. Send further wins of the bet without `settles`.",
  ],
  ROUND_ENDED: [
    "round-ended-bet",
    "no bet in a round that you have ended",
    "End a round only after its last bet, and begin a new round for the next bet.",
  ],
  TRANSACTION_MISMATCH: [
    "prov-part-ids",
    "a `tx_id` that was not used for anything else",
    "Make a new `tx_id` for each transaction, also after a restart and in another session: a random one is enough.",
  ],
};

/** The label in which a repeat differs. The service keeps the first labels, and raises an alert. */
const otherLabel = ({ further: a }: Call, { further: b }: Call): string | undefined =>
  a.kind !== b.kind ? "kind" : a.promoId !== b.promoId ? "promo_id" : undefined;

/** A wrong label does not refuse a win, so only the merchant's reports would show it. */
function labelsAreKnown(call: Call): void {
  const [fault] = call.method === "PayWin" ? readLabels("win", call.further).faults : [];
  if (fault === undefined) return;
  throw new ProviderFinding(
    "kinds-credit-paid",
    {
      expected: `\`${fault.field}\`: ${fault.rule}`,
      received: `${fault.given} for ${callInWords(call)}`,
      fix: "Leave the label out, or send one that docs/specification/kinds.md lists.",
    },
    call,
  );
}

export function requestsAreRight(calls: readonly Call[]): void {
  for (const { calls: own } of transactionsOf(calls)) {
    const [first, ...repeats] = own;
    for (const again of repeats) {
      const field = first === undefined ? undefined : (firstDifference(first, again) ?? otherLabel(first, again));
      if (first === undefined || field === undefined) continue;
      throw new ProviderFinding(
        "prov-part-repeat",
        {
          expected: `the same request once more: ${callInWords(first)}`,
          received: `another \`${field}\`: ${callInWords(again)}`,
          fix: "Save the request before you send it, and repeat the saved request.",
        },
        again,
      );
    }
  }
  for (const call of calls) {
    labelsAreKnown(call);
    const { answer } = call;
    if (answer?.kind !== "refused" || answer.isPlanned) continue;
    const fault = FAULTS[answer.code];
    if (fault === undefined) continue;
    const [rule, expected, fix] = fault;
    throw new ProviderFinding(
      rule,
      { expected, received: `${answerInWords(answer)} for ${callInWords(call)}`, fix },
      call,
    );
  }
}
