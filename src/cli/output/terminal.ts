/** The output of the command line. */
export interface Terminal {
  /** Prints results only, so that they can be piped. */
  readonly out: (text: string) => void;
  /** Prints errors and hints. It never prints a secret. */
  readonly err: (text: string) => void;
  /** The number of characters in a line of `out`; null: it is no terminal, and nothing is cut. */
  readonly columns: number | null;
  /** Whether `out` may be coloured. */
  readonly colour: boolean;
}

export const bold = (terminal: Terminal, text: string): string =>
  terminal.colour ? `\u001b[1m${text}\u001b[22m` : text;
