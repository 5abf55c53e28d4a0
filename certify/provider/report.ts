/** A pass in the form that the reports show. */
import { reportedEnding } from "../report/ending.ts";
import type { Report, ReportedCase, ShownExchange } from "../report/report.ts";
import type { Call } from "./aggregator/session.ts";
import type { Outcome, Pass } from "./certify.ts";
import { answerInWords, callInWords } from "./judge/words.ts";
import { citedRule } from "./rules.ts";
import { VERSION } from "./version.ts";

/** `driver`: the name of the person or program that made the game play. */
export function reportOf(pass: Pass, driver: string): Report {
  const { plan, at, ms, address, outcomes, calls } = pass;
  const { source, provider, game, currency, waits } = plan;
  const seconds = (ms / 1_000).toFixed(1);
  return {
    tool: "certify-provider",
    version: VERSION,
    subject: "provider",
    exchangesAre: "calls",
    at,
    ms,
    who: `${provider}, game ${game}, ${currency}`,
    isFullRun: plan.only === undefined,
    facts: [
      ["Provider", provider],
      ["Source", source.origin],
      ["Game", `${game}, ${currency}`],
      ["Called the aggregator at", address],
      ["Played by", driver],
      ["Date", at.toISOString()],
      ["Version of the cases", VERSION],
      ["Cases", String(outcomes.length)],
      ["Calls", `${calls.length} in ${seconds} s`],
      ["An open bet was refunded within", `${waits.refund / 1_000} s`],
      ["A win or refund was delivered within", `${waits.deliver / 1_000} s`],
    ],
    totals: `${calls.length} calls in ${seconds} s.`,
    footnote:
      "Each call is given with the seconds since the pass began. What could not be tried is not tried: it does not count as passed.",
    json: {
      source: source.origin,
      provider,
      game,
      currency,
      aggregator: address,
      played_by: driver,
      calls: calls.length,
    },
    cases: outcomes.map(reportedCase),
  };
}

function reportedCase({ category, case: one, calls, ms, ...ending }: Outcome): ReportedCase {
  const exchanges = calls.map(shownExchange);
  // A case that checks all calls has no calls of its own.
  const found = ending.finding?.exchange;
  const about = found === undefined ? undefined : (exchanges[calls.indexOf(found)] ?? shownExchange(found));
  return {
    category,
    id: one.id,
    title: one.title,
    level: one.level,
    ms,
    exchanges: exchanges.length === 0 && about !== undefined ? [about] : exchanges,
    ...reportedEnding(ending, [citedRule(one.rule)]),
    ...(about !== undefined && { about }),
  };
}

function shownExchange(call: Call): ShownExchange {
  const { method, at, answeredAt = at, answer, deadlineMs } = call;
  return {
    sent: callInWords(call),
    notes: [],
    answer: answerInWords(answer),
    ms: answeredAt - at,
    json: {
      at_ms: Math.round(at),
      rpc: method,
      tx_id: call.txId,
      ref_tx_id: call.refTxId,
      round_id: call.roundId,
      amount_minor: String(call.amountMinor),
      currency: call.currency,
      game: call.game,
      deadline_ms: deadlineMs === undefined ? null : Math.round(deadlineMs),
      answer: answerInWords(answer),
      duration_ms: Math.round(answeredAt - at),
    },
  };
}
