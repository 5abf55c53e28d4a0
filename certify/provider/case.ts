/** A case is data and one function. The function succeeds, or throws its finding. */
import type { Level } from "../report/report.ts";
import type { RuleId } from "./rules.ts";
import type { Trial } from "./trial.ts";

export interface Case {
  /** Unique in its category. */
  readonly id: string;
  /** What a correct provider does, in one sentence. */
  readonly title: string;
  /** The rule that the case checks. A finding may name another rule. */
  readonly rule: RuleId;
  /** `should`: the rule is a recommendation, so a finding is a warning. */
  readonly level: Level;
  /**
   * `alone`: the case cuts connections, which would disturb other cases. `last`: the case checks the calls of all other
   * cases.
   */
  readonly when: "any time" | "alone" | "last";
  readonly run: (it: Trial) => Promise<void>;
}

export interface Category {
  readonly id: string;
  readonly title: string;
  readonly cases: readonly Case[];
}
