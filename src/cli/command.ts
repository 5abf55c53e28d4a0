import type { Flags, Values } from "./arguments/flag.ts";
import type { Outcome } from "./output/outcome.ts";
import type { Api } from "./service/api.ts";

/** One verb of a noun. Parsing, help, completion and the reference page are made from this description. */
export interface Command {
  /** A sentence without its full stop. */
  readonly summary: string;
  /** What else people should know, in whole sentences. */
  readonly notes?: string;
  readonly flags: Flags;
  /** What follows the noun and the verb on lines that work, the plainest first. */
  readonly examples: readonly [string, ...string[]];
  /** What is wrong with flags that are right one by one, in a sentence. */
  readonly check?: (given: Readonly<Record<string, unknown>>) => string | undefined;
  readonly run: (api: Api, given: Readonly<Record<string, unknown>>) => Promise<Outcome>;
}

export interface Noun {
  /** A sentence without its full stop. */
  readonly summary: string;
  readonly verbs: Readonly<Record<string, Command>>;
}

export type Program = Readonly<Record<string, Noun>>;

/** A command whose `run` gets its flags with their types. */
export function command<const F extends Flags>(
  described: Omit<Command, "flags" | "run"> & { readonly flags: F; readonly run: (api: Api, given: Values<F>) => Promise<Outcome> },
): Command {
  // The parser gives every command what its own flags read.
  return { ...described, run: (api, given) => described.run(api, given as Values<F>) };
}
