/** How often each fault happened in a run, and at which call: a fault that never happened was never tested. */
export class Fired {
  readonly counts = new Map<string, number>();
  /** By call and fault, as {@link cell} names them. */
  readonly cells = new Map<string, number>();

  /** @param at - the call that it hit. */
  count(fault: string, at?: string): void {
    add(this.counts, fault, 1);
    if (at !== undefined) add(this.cells, cell(at, fault), 1);
  }
}

export const cell = (at: string, fault: string): string => `${at}: ${fault}`;

/** Adds `n` to what is counted under the name. */
export const add = (counts: Map<string, number>, name: string, n: number): void =>
  void counts.set(name, (counts.get(name) ?? 0) + n);
