/** The results of a row's runs. */
export interface Tally {
  readonly id: string;
  readonly what: string;
  fired: number;
  /**
   * The number of runs that don't count, because on a slow machine the call timed out before its fault came. Such runs
   * are repeated.
   */
  late: number;
  /** The number of runs with each outcome, for example `pending (timeout), then success`. */
  readonly outcomes: Map<string, number>;
  readonly violations: string[];
}

export const newTally = (id: string, what: string): Tally => ({
  id,
  what,
  fired: 0,
  late: 0,
  outcomes: new Map(),
  violations: [],
});

export const count = (tally: Tally, outcome: string): void =>
  void tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);

/** The table in Markdown, with each violation below it. */
export function report(tallies: readonly Tally[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const lines = tallies.map(({ id, what, fired, late, outcomes, violations }) => {
    const texts = [...outcomes]
      .map(([outcome, times]) => (outcomes.size === 1 ? outcome : `${times} x ${outcome}`))
      .join("; ");
    return `| ${id} | ${cell(what)} | ${fired}${late > 0 ? ` (${late} late)` : ""} | ${cell(texts)} | ${violations.length} |`;
  });
  const faults = tallies.flatMap(({ id, what, violations }) =>
    violations.map((violation) => `- ${id}, ${what}: ${violation}`),
  );
  return [
    "| row | what was done | fired | what it became | violations |",
    "|---|---|---|---|---|",
    ...lines,
    "",
    ...faults,
  ].join("\n");
}
