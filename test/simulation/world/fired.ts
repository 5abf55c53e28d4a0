/** Counts how often each fault happened in a run, and at which call. A fault that never happened was not tested. */
export class Fired {
  readonly counts = new Map<string, number>();
  /** The counts by call and fault. {@link cell} creates the keys. */
  readonly cells = new Map<string, number>();

  /** @param at - the call that the fault hit. */
  count(fault: string, at?: string): void {
    add(this.counts, fault, 1);
    if (at !== undefined) add(this.cells, cell(at, fault), 1);
  }
}

export const cell = (at: string, fault: string): string => `${at}: ${fault}`;

/** Adds `n` to the count with this name. */
export const add = (counts: Map<string, number>, name: string, n: number): void =>
  void counts.set(name, (counts.get(name) ?? 0) + n);
