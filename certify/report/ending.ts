/** How the run of a case ends: it succeeds, or it throws one of these. */
import type { CitedRule, Ending, Level } from "./report.ts";

interface FindingTexts {
  readonly expected: string;
  readonly received: string;
  /** The change that the subject needs, if it is not the case's own. */
  readonly fix?: string;
  /** The broken rules, if they are not the case's own. */
  readonly rules?: readonly CitedRule[];
  /** A script to run with --replay. */
  readonly script?: unknown;
}

/** The subject broke a rule. */
export class Finding<Exchange> extends Error {
  override readonly name = "Finding";
  readonly texts: FindingTexts;
  /** The exchange that shows the finding, if one exchange alone shows it. */
  readonly exchange: Exchange | undefined;

  constructor(texts: FindingTexts, exchange?: Exchange) {
    super(`expected ${texts.expected}; received ${texts.received}`);
    this.texts = texts;
    this.exchange = exchange;
  }
}

/** The case could not begin: the subject did not do what the preparation needs. */
export class Unprepared extends Error {
  override readonly name = "Unprepared";
}

/** There is nothing to judge. `lacks`: the certificate is incomplete without the case. */
export class NotTried extends Error {
  override readonly name = "NotTried";
  readonly lacks: boolean;

  constructor(why: string, lacks: boolean) {
    super(why);
    this.lacks = lacks;
  }
}

/** `cause`: what the case has thrown; undefined when it succeeded. Throws a cause that is none of the classes above. */
export function endingOf<Exchange>(cause: unknown, level: Level): Ending<Finding<Exchange>> {
  if (cause === undefined) return { status: "passed" };
  if (cause instanceof Finding) return { status: level === "should" ? "warning" : "failed", finding: cause };
  if (cause instanceof Unprepared) return { status: "not_tried", why: cause.message, unprepared: true };
  if (cause instanceof NotTried)
    return { status: "not_tried", why: cause.message, ...(cause.lacks && { lacks: true as const }) };
  throw cause;
}

/** The ending as the report shows it. `rules` and `fix` are those of the case. Without `fix` each finding has its own. */
export function reportedEnding<Exchange>(
  { finding, ...ending }: Ending<Finding<Exchange>>,
  rules: readonly CitedRule[],
  fix = "",
): Ending & { readonly rules: readonly CitedRule[] } {
  if (finding === undefined) return { ...ending, rules };
  const { rules: broken = rules, ...texts } = finding.texts;
  return { ...ending, rules: broken, finding: { fix, ...texts } };
}
