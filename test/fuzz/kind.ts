import type { SeededRandom } from "../../testbed/seeded-random.ts";

/** One kind of input, and every rule for the code that reads it. */
export interface Kind<I = unknown> {
  readonly name: string;
  /** The code that reads the input. */
  readonly reader: string;
  /** How many of each million inputs are of this kind. */
  readonly perMillion: number;
  /** A valid input, or one that begins as such. */
  readonly generate: (random: SeededRandom) => I;
  /** Another input, near the given one. */
  readonly mutate: (random: SeededRandom, input: I) => I;
  /** The faults in how the input was read; empty: none. A throw is a fault, too. */
  readonly check: (input: I) => readonly string[] | Promise<readonly string[]>;
  /** Called now and then and at the end: the faults that the inputs have left in the database so far. */
  readonly audit?: () => Promise<readonly string[]>;
}

/** Kinds, and the end of what they hold open. */
export interface Rig {
  readonly kinds: readonly Kind<never>[];
  readonly close: () => Promise<void>;
}

/** For lists of kinds of different inputs: the engine hands each kind its own inputs alone. */
export const asKind = <I>(kind: Kind<I>): Kind<never> => kind as unknown as Kind<never>;
