/** An edit of a source file while it is loaded. The file itself is not changed. */
export interface Edit {
  /** The file's path under src/. */
  readonly file: string;
  /** This text must occur exactly once. White space in it matches any white space. */
  readonly find: string;
  readonly replace: string;
}

/** A bug to plant. The simulation must notice it. */
export interface Mutant {
  readonly name: string;
  /** A description of the mistake, as a developer might make it. */
  readonly mistake: string;
  readonly edits: readonly Edit[];
  /**
   * How often the simulation notices the bug. `often`: in more than one seed of 40. `seldom`: at least once in 10 000
   * seeds. `never`: see docs/simulation.md.
   */
  readonly shows: "often" | "seldom" | "never";
}

export const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace });
