import { Finding } from "../../report/ending.ts";
import type { Call } from "../aggregator/session.ts";
import { citedRule, type RuleId } from "../rules.ts";

/** A provider broke this rule. Each finding has its own fix. */
export class ProviderFinding extends Finding<Call> {
  constructor(
    rule: RuleId,
    texts: { readonly expected: string; readonly received: string; readonly fix: string },
    call?: Call,
  ) {
    super({ ...texts, rules: [citedRule(rule)] }, call);
  }
}
