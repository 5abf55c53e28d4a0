/** Where the command line writes. */
export interface Terminal {
  /** Results, and nothing else: what is piped on. */
  readonly out: (text: string) => void;
  /** Everything else: errors, hints. Never a secret. */
  readonly err: (text: string) => void;
  /** How many characters a line of `out` holds; null: it is no terminal, nothing is cut. */
  readonly columns: number | null;
  /** Whether `out` may be coloured. */
  readonly colour: boolean;
}

export const bold = (terminal: Terminal, text: string): string => (terminal.colour ? `\u001b[1m${text}\u001b[22m` : text);
