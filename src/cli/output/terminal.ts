/** The output of the command line. */
export interface Terminal {
  /** Prints only results, so that another program can read them from a pipe. */
  readonly out: (text: string) => void;
  /** Prints errors and hints. It never prints a secret. */
  readonly err: (text: string) => void;
  /** The number of characters in a line of `out`; null: `out` is not a terminal, and nothing is shortened. */
  readonly columns: number | null;
  /** Whether `out` may be coloured. */
  readonly colour: boolean;
}

export const bold = (terminal: Terminal, text: string): string =>
  terminal.colour ? `\u001b[1m${text}\u001b[22m` : text;
