/** The results of a row's runs. */
export interface Tally {
  readonly id: string;
  readonly what: string;
  fired: number;
  /**
   * Runs that don't count: the machine was so slow that the call ran out of time before its fault came. They are made
   * again.
   */
  late: number;
  /** How often each came about, `pending (timeout), then success` for example. */
  readonly became: Map<string, number>;
  readonly violations: string[];
}

export const newTally = (id: string, what: string): Tally => ({
  id,
  what,
  fired: 0,
  late: 0,
  became: new Map(),
  violations: [],
});

export const count = (tally: Tally, became: string): void =>
  void tally.became.set(became, (tally.became.get(became) ?? 0) + 1);

/** The table in Markdown, and under it each violation. */
export function report(tallies: readonly Tally[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const lines = tallies.map(({ id, what, fired, late, became, violations }) => {
    const outcomes = [...became]
      .map(([outcome, times]) => (became.size === 1 ? outcome : `${times} x ${outcome}`))
      .join("; ");
    return `| ${id} | ${cell(what)} | ${fired}${late > 0 ? ` (${late} late)` : ""} | ${cell(outcomes)} | ${violations.length} |`;
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
