/** For machines: all of a pass as one JSON object. */

import type { Outcome, Pass } from "../pass.ts";
import { ScriptedFinding } from "../random/histories.ts";
import { ruleAddress } from "../rules.ts";
import { shownExchanges, type Verdict } from "../verdict.ts";
import { curl, howSent } from "../wallet/curl.ts";

const SHOWN_MAX = 60;

export function renderJson(pass: Pass, { counts, unprepared, exitCode, sentence }: Verdict): string {
  const { plan, version, at, ms, calls, run, outcomes } = pass;
  const report = {
    version,
    at: at.toISOString(),
    url: plan.url.href,
    merchant: plan.merchant.code,
    currency: plan.merchant.currency,
    players: plan.players,
    blocked_player: plan.blocked ?? null,
    other_merchant: plan.other?.merchant.code ?? null,
    seed: plan.seed,
    run,
    duration_ms: Math.round(ms),
    calls,
    counts: { ...counts, unprepared },
    exit_code: exitCode,
    verdict: sentence,
    cases: outcomes.map((outcome) => caseOf(outcome, plan.url)),
  };
  return `${JSON.stringify(report, null, 1)}\n`;
}

function caseOf(outcome: Outcome, url: URL) {
  const { category, case: one, status, finding, why, ms } = outcome;
  const { shown, hidden } = shownExchanges(outcome, SHOWN_MAX);
  return {
    category: category.id,
    id: one.id,
    title: one.title,
    level: one.level ?? "must",
    rule: ruleAddress(one.rule),
    status,
    duration_ms: Math.round(ms),
    ...(why !== undefined && { why }),
    ...(finding !== undefined && { expected: finding.expected, received: finding.received, fix: one.fix }),
    ...(finding instanceof ScriptedFinding && { script: finding.script }),
    exchanges: shown.map((exchange) => ({
      curl: curl(exchange, url),
      how: howSent(exchange) ?? null,
      preparation: exchange.isPreparation,
      status: exchange.reply.status,
      reply: exchange.reply.text.slice(0, 2_000),
      duration_ms: Math.round(exchange.reply.ms),
    })),
    exchanges_hidden: hidden,
  };
}
