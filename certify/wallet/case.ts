/** A case is data and one function. The function succeeds, or throws its finding. */
import type { RuleId } from "./rules.ts";
import type { Trial } from "./trial.ts";

export interface Case {
  /** Unique in its category. */
  readonly id: string;
  /** What a correct wallet does, in one sentence. */
  readonly title: string;
  readonly rule: RuleId;
  /** "should": the rule is a recommendation, so a finding is a warning. Absent: the rule is binding. */
  readonly level?: "should";
  readonly needs?: Needs;
  /**
   * The case runs alone, before or after all others: it makes what comes back at the end, checks the others' exchanges,
   * or needs all connections.
   */
  readonly order?: "first" | "last";
  /** The wallet may break the rule if `--allow` names the case. Then a finding is a warning. */
  readonly isAllowable?: true;
  /** The change that a failing wallet needs. */
  readonly fix: string;
  readonly run: (it: Trial) => Promise<void>;
}

/** The things without which a case cannot run. */
export interface Needs {
  /**
   * How many players of the merchant who are not blocked; by default 1, or none beside a blocked one. No other case uses
   * them meanwhile.
   */
  readonly players?: 0 | 1 | 2;
  readonly blocked?: true;
  readonly other?: true;
  /** A currency with these decimals. */
  readonly decimals?: 0 | 2;
}

export interface Category {
  readonly id: string;
  readonly title: string;
  readonly cases: readonly Case[];
}
