/** The candidate that is most similar to `typed`; undefined: no candidate is similar. */
function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const close = Math.max(1, Math.floor(typed.length / 3));
  const rated = candidates.map((candidate) => ({
    candidate,
    edits: candidate.startsWith(typed) ? 0 : distance(typed, candidate),
  }));
  return rated.filter(({ edits }) => edits <= close).sort((a, b) => a.edits - b.edits)[0]?.candidate;
}

/** The text " Did you mean X?"; empty: no candidate is similar. */
export function didYouMean(typed: string, candidates: readonly string[]): string {
  const found = nearest(typed, candidates);
  return found === undefined ? "" : ` Did you mean ${found}?`;
}

/**
 * The number of letters that must be inserted, removed, changed or swapped with their neighbour to get from `a` to `b`
 * (restricted Damerau-Levenshtein distance).
 */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const edits = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits.push(at(i - 2, j - 2) + 1);
      row.push(Math.min(...edits));
    }
  }
  return at(a.length, b.length);
}
