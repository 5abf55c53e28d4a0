/** One edit of a source file as it is loaded; the file itself stays as it is. */
export interface Edit {
  /** Under src/. */
  readonly file: string;
  /** Found exactly once; white space counts as any white space. */
  readonly find: string;
  readonly replace: string;
}

/** A bug to plant. The simulation must notice it. */
export interface Mutant {
  readonly name: string;
  /** The mistake, as somebody would make it. */
  readonly mistake: string;
  readonly edits: readonly Edit[];
  /** `often`: in more than one seed of 40. `seldom`: within 10 000 seeds. `never`: see docs/simulation.md. */
  readonly shows: "often" | "seldom" | "never";
}

export const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace });
