import type { Flags, Values } from "./arguments/flag.ts";
import type { CommandOutput } from "./output/command-output.ts";
import type { Api } from "./service/api.ts";

/** The description of one verb of a noun. Parsing, help, completion and the reference page are created from it. */
export interface Command {
  /** What the command does: a sentence without its full stop. */
  readonly summary: string;
  /** Further information for people, in whole sentences. */
  readonly notes?: string;
  readonly flags: Flags;
  /** The flags of example command lines. The simplest example comes first. */
  readonly examples: readonly [string, ...string[]];
  /** Returns an error sentence if flags do not fit together, although each is valid alone. */
  readonly check?: (given: Readonly<Record<string, unknown>>) => string | undefined;
  readonly run: (api: Api, given: Readonly<Record<string, unknown>>) => Promise<CommandOutput>;
}

export interface Noun {
  /** What the noun means: a sentence without its full stop. */
  readonly summary: string;
  readonly verbs: Readonly<Record<string, Command>>;
}

export type Program = Readonly<Record<string, Noun>>;

/** Creates a command whose `run` gets the values of its flags with their types. */
export function command<const F extends Flags>(
  described: Omit<Command, "flags" | "run"> & {
    readonly flags: F;
    readonly run: (api: Api, given: Values<F>) => Promise<CommandOutput>;
  },
): Command {
  // The parser passes each command the values that its own flags have read, so the cast is safe.
  return { ...described, run: (api, given) => described.run(api, given as Values<F>) };
}
