import type { Flags, Values } from "./arguments/flag.ts";
import type { CommandOutput } from "./output/command-output.ts";
import type { Api } from "./service/api.ts";

/** The description of one verb of a noun. Parsing, help, completion and the reference page are made from it. */
export interface Command {
  /** A sentence without its full stop. */
  readonly summary: string;
  /** Further information for people, in whole sentences. */
  readonly notes?: string;
  readonly flags: Flags;
  /** The flags of example lines, the simplest line first. */
  readonly examples: readonly [string, ...string[]];
  /** Returns a sentence when flags that are valid alone do not fit together. */
  readonly check?: (given: Readonly<Record<string, unknown>>) => string | undefined;
  readonly run: (api: Api, given: Readonly<Record<string, unknown>>) => Promise<CommandOutput>;
}

export interface Noun {
  /** A sentence without its full stop. */
  readonly summary: string;
  readonly verbs: Readonly<Record<string, Command>>;
}

export type Program = Readonly<Record<string, Noun>>;

/** Makes a command whose `run` gets its flags with their types. */
export function command<const F extends Flags>(
  described: Omit<Command, "flags" | "run"> & {
    readonly flags: F;
    readonly run: (api: Api, given: Values<F>) => Promise<CommandOutput>;
  },
): Command {
  // The parser gives each command the values that its own flags have read, so that the cast is safe.
  return { ...described, run: (api, given) => described.run(api, given as Values<F>) };
}
