/** What a pass found, in the form that every report shows. The tools make it from passes of their own. */

export type Status = "passed" | "failed" | "warning" | "not_tried";
export type Level = "must" | "should";

/** A rule of the specification. */
export interface CitedRule {
  /** Its anchor. */
  readonly id: string;
  /** Page and anchor, from the project's root. */
  readonly address: string;
  /** In the specification's words; may have `code` marks. */
  readonly text: string;
}

/** Something that was sent and what came back. */
export interface ShownExchange {
  /** A line to read, or to run again. */
  readonly sent: string;
  /** What the line does not tell. */
  readonly notes: readonly string[];
  readonly answer: string;
  readonly ms: number;
  /** The same for machines. */
  readonly json: Readonly<Record<string, unknown>>;
}

interface ReportedFinding {
  readonly expected: string;
  readonly received: string;
  /** What to change. */
  readonly fix: string;
  /** To play again with --replay. */
  readonly script?: unknown;
}

export interface ReportedCase {
  readonly category: { readonly id: string; readonly title: string };
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  readonly rule: CitedRule;
  readonly status: Status;
  readonly ms: number;
  /** Of `failed` and `warning`. */
  readonly finding?: ReportedFinding;
  /** Of `not_tried`: why. */
  readonly why?: string;
  /** Of `not_tried`: it needs something that was not given. */
  readonly lacks?: true;
  /** Of `not_tried`: the subject did not do what the case's preparation asked for. */
  readonly unprepared?: true;
  readonly exchanges: readonly ShownExchange[];
  /** The one that shows the finding, when it is one. */
  readonly about?: ShownExchange;
}

export interface Report {
  readonly tool: "certify-wallet" | "certify-provider";
  readonly version: string;
  /** What is judged, as a word of a sentence. */
  readonly subject: "wallet" | "provider";
  /** What an exchange is called. */
  readonly exchangesAre: "callbacks" | "calls";
  /** When the pass began. */
  readonly at: Date;
  readonly ms: number;
  /** The subject in a few words. */
  readonly who: string;
  /** Nothing was left out by the options. */
  readonly isWhole: boolean;
  /** Names and values. */
  readonly facts: readonly (readonly [string, string])[];
  /** How many exchanges there were and how to repeat them, as sentences. */
  readonly totals: string;
  /** Under the certificate, with `code` marks. */
  readonly footnote: string;
  /** The tool's own fields of the JSON report. */
  readonly json: Readonly<Record<string, unknown>>;
  /** In the order in which they are shown. */
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

/** The exchanges of a case that a report shows: first and last ones, and the one with the finding. */
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
