/** A case is data and one function. It ends well, or throws what it found. */
import type { RuleId } from "./rules.ts";
import type { Trial } from "./trial.ts";

export interface Case {
  /** Unique in its category. */
  readonly id: string;
  /** What a right wallet does, in one sentence. */
  readonly title: string;
  readonly rule: RuleId;
  /** A recommendation: what it finds is a warning. Without this the rule is binding. */
  readonly level?: "should";
  readonly needs?: Needs;
  /** It runs alone after all the others: it looks at what they exchanged, or needs all connections for itself. */
  readonly isLast?: true;
  /** What to change in a wallet that fails. */
  readonly fix: string;
  readonly run: (it: Trial) => Promise<void>;
}

/** What a case can't do without. */
export interface Needs {
  /** Players of the merchant that nobody else uses meanwhile; 1 by default. */
  readonly players?: 1 | 2;
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
