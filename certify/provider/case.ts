/** A case is data and one function. It ends well, or throws what it found. */
import type { Level } from "../report/report.ts";
import type { RuleId } from "./rules.ts";
import type { Trial } from "./trial.ts";

export interface Case {
  /** Unique in its category. */
  readonly id: string;
  /** What a right provider does, in one sentence. */
  readonly title: string;
  /** The rule that it is about. A finding may name another one. */
  readonly rule: RuleId;
  /** `should`: a recommendation, so what it finds is a warning. */
  readonly level: Level;
  /** `alone`: it cuts connections, which other cases' calls would feel. `last`: it looks at the calls of all others. */
  readonly when: "any time" | "alone" | "last";
  readonly run: (it: Trial) => Promise<void>;
}

export interface Category {
  readonly id: string;
  readonly title: string;
  readonly cases: readonly Case[];
}
