import type { Call } from "../aggregator/session.ts";
import type { RuleId } from "../rules.ts";

/** The provider broke a rule. */
export class Finding extends Error {
  override readonly name = "Finding";
  readonly rule: RuleId;
  readonly expected: string;
  readonly received: string;
  /** The change that the provider needs. */
  readonly fix: string;
  /** The call that shows the finding, if a single call shows it. */
  readonly call: Call | undefined;

  constructor(
    rule: RuleId,
    { expected, received, fix }: { readonly expected: string; readonly received: string; readonly fix: string },
    call?: Call,
  ) {
    super(`expected ${expected}; received ${received}`);
    this.rule = rule;
    this.expected = expected;
    this.received = received;
    this.fix = fix;
    this.call = call;
  }
}
