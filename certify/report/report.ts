/** The results of a pass, in the form that every report uses. Each tool converts its own pass into it. */

export type Status = "passed" | "failed" | "warning" | "not_tried";
export type Level = "must" | "should";

/** A rule of the specification. */
export interface CitedRule {
  /** The rule's anchor. */
  readonly id: string;
  /** Page and anchor, from the project's root. */
  readonly address: string;
  /** A short text of the rule. It may have `code` marks. */
  readonly text: string;
}

/** A sent message and its reply. */
export interface ShownExchange {
  /** A line to read, or to run in a shell. */
  readonly sent: string;
  /** Facts that the line does not show. */
  readonly notes: readonly string[];
  readonly answer: string;
  readonly ms: number;
  /** The exchange for programs. */
  readonly json: Readonly<Record<string, unknown>>;
}

interface ReportedFinding {
  readonly expected: string;
  readonly received: string;
  /** The change that the subject needs. */
  readonly fix: string;
  /** The script to run with --replay. */
  readonly script?: unknown;
}

/** How the run of a case ended. */
export interface Ending<Found = ReportedFinding> {
  readonly status: Status;
  /** Present only for `failed` and `warning`. */
  readonly finding?: Found;
  /** The reason; present only for `not_tried`. */
  readonly why?: string;
  /** The certificate is incomplete without the case; present only for `not_tried`. */
  readonly lacks?: true;
  /** The subject did not do what the case's preparation needs; present only for `not_tried`. */
  readonly unprepared?: true;
}

export interface ReportedCase extends Ending {
  readonly category: { readonly id: string; readonly title: string };
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  /** At least one: the broken rules, or those that the case checks. */
  readonly rules: readonly CitedRule[];
  readonly ms: number;
  readonly exchanges: readonly ShownExchange[];
  /** The exchange that shows the finding, if one exchange alone shows it. */
  readonly about?: ShownExchange;
}

export interface Report {
  readonly tool: "certify-wallet" | "certify-provider";
  readonly version: string;
  /** The kind of subject, as a word of a sentence. */
  readonly subject: "wallet" | "provider";
  /** The word for exchanges. */
  readonly exchangesAre: "callbacks" | "calls";
  /** The time at which the pass began. */
  readonly at: Date;
  readonly ms: number;
  /** A short name of the subject. */
  readonly who: string;
  /** Whether all cases were selected. */
  readonly isFullRun: boolean;
  /** Pairs of a name and a value. */
  readonly facts: readonly (readonly [string, string])[];
  /** The number of exchanges and how to repeat them, as sentences. */
  readonly totals: string;
  /** A text below the certificate, with `code` marks. */
  readonly footnote: string;
  /** The tool's own fields of the JSON report. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The cases in display order. */
  readonly cases: readonly ReportedCase[];
}

export const nameOf = ({ category, id }: Pick<ReportedCase, "category" | "id">): string => `${category.id}/${id}`;

/** The cases by category, in their order. */
export function byCategory(cases: readonly ReportedCase[]): (readonly [ReportedCase["category"], ReportedCase[]])[] {
  const ids = [...new Set(cases.map(({ category }) => category.id))];
  return ids.map((id) => {
    const own = cases.filter(({ category }) => category.id === id);
    return [(own[0] as ReportedCase).category, own] as const;
  });
}

/** The exchanges of a case that a report shows: the first and last exchanges, and the exchange with the finding. */
export function shownExchanges(
  { exchanges, about }: Pick<ReportedCase, "exchanges" | "about">,
  most: number,
): { readonly shown: readonly ShownExchange[]; readonly hidden: number } {
  if (exchanges.length <= most) return { shown: exchanges, hidden: 0 };
  const head = exchanges.slice(0, Math.ceil(most / 2));
  const tail = exchanges.slice(head.length).slice(-(most - head.length));
  const isHidden = about !== undefined && !head.includes(about) && !tail.includes(about);
  const shown = [...head, ...(isHidden ? [about] : []), ...tail];
  return { shown, hidden: exchanges.length - shown.length };
}
