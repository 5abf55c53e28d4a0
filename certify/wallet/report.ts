/** A pass in the form that the reports show. */

import { reportedEnding } from "../report/ending.ts";
import type { Report, ReportedCase, ShownExchange } from "../report/report.ts";
import { curl, howSent } from "./calls/curl.ts";
import { savedMemory } from "./cases/memory.ts";
import type { Outcome, Pass } from "./pass.ts";
import { citedRule } from "./rules.ts";
import { fixOfServer, inWords, type Recorded } from "./trial.ts";

export function reportOf(pass: Pass): Report {
  const { plan, version, at, ms, calls, run, outcomes, memory } = pass;
  const { merchant, players, blocked, other, seed } = plan;
  const answered = outcomes
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ reply, delivery }) => reply.status !== null && delivery.pieces === undefined);
  const slowest = answered.reduce((most, { reply }) => Math.max(most, reply.ms), 0);
  const seconds = (ms / 1_000).toFixed(1);
  return {
    tool: "certify-wallet",
    version,
    subject: "wallet",
    exchangesAre: "callbacks",
    at,
    ms,
    who: `${plan.url.href}, merchant ${merchant.code}, ${merchant.currency}`,
    isFullRun: plan.only === undefined && plan.replay === undefined,
    facts: [
      ["Wallet", plan.url.href],
      ["Merchant", `${merchant.code}, ${merchant.currency}`],
      ["Players", [...players, ...(blocked === undefined ? [] : [`${blocked} (blocked)`])].join(", ")],
      ["Other merchant", other === undefined ? "none was given" : `${other.merchant.code}, ${other.merchant.currency}`],
      ["Date", at.toISOString()],
      ["Version of the cases", version],
      ["Cases", String(outcomes.length)],
      ["Callbacks", `${calls} in ${seconds} s, the slowest reply after ${slowest.toFixed(0)} ms`],
      ["Memory", memory.shown.length === 0 ? "not shown" : `answers were kept: ${memory.shown.join("; ")}`],
      ["Random seed", String(seed)],
      ["Ids of this pass begin with", run],
    ],
    totals: `${calls} callbacks in ${seconds} s. Ids of this pass begin with ${run}; random seed ${seed}.`,
    footnote: `To run a line of this page, set \`SECRET\` (and \`OTHER_SECRET\`) to the merchant's secret. A transaction that was applied keeps its answer: for a first arrival write another id in the place of \`${run}\`.`,
    json: {
      url: plan.url.href,
      merchant: merchant.code,
      currency: merchant.currency,
      players,
      blocked_player: blocked ?? null,
      other_merchant: other?.merchant.code ?? null,
      seed,
      run,
      calls,
      ...savedMemory(memory.saved),
      memory_shown: memory.shown,
    },
    cases: outcomes.map((outcome) => reportedCase(outcome, plan.url)),
  };
}

function reportedCase(outcome: Outcome, url: URL): ReportedCase {
  const { category, case: one, exchanges, ms, ...ending } = outcome;
  const found = ending.finding?.exchange;
  const server = fixOfServer(found);
  const shown = exchanges.map((exchange) => shownExchange(exchange, url));
  // A Recorded is a copy of the finding's exchange.
  const about = exchanges.findIndex(({ sent, reply }) => sent === found?.sent && reply === found.reply);
  return {
    category,
    id: one.id,
    title: one.title,
    // A finding that --allow permits is reported as that of a recommendation.
    level: outcome.status === "warning" ? "should" : (one.level ?? "must"),
    ms,
    exchanges: shown,
    ...reportedEnding(ending, [citedRule(one.rule)], server === undefined ? one.fix : `${server} ${one.fix}`),
    ...(shown[about] !== undefined && { about: shown[about] }),
  };
}

function shownExchange(exchange: Recorded, url: URL): ShownExchange {
  const { isPreparation, reply } = exchange;
  const line = curl(exchange, url);
  const how = howSent(exchange);
  return {
    sent: line,
    notes: [...(isPreparation ? ["preparation"] : []), ...(how === undefined ? [] : [how])],
    answer: inWords(exchange),
    ms: reply.ms,
    json: {
      curl: line,
      how: how ?? null,
      preparation: isPreparation,
      status: reply.status,
      reply: reply.text.slice(0, 2_000),
      duration_ms: Math.round(reply.ms),
    },
  };
}
