import type { SeededRandom } from "../../testbed/seeded-random.ts";

/** One sort of input and everything that is asked of whoever reads it. */
export interface Kind<I = unknown> {
  readonly name: string;
  /** What reads the input. */
  readonly reader: string;
  /** How many of each million inputs are of this kind. */
  readonly perMillion: number;
  /** A valid input, or one that begins as such. */
  readonly generate: (random: SeededRandom) => I;
  /** Another input, near the given one. */
  readonly mutate: (random: SeededRandom, input: I) => I;
  /** What is wrong with how the input was taken; empty: nothing. What it throws is wrong, too. */
  readonly check: (input: I) => readonly string[] | Promise<readonly string[]>;
  /** Asked now and then, and at the end: what the inputs so far have left behind that should not be there. */
  readonly audit?: () => Promise<readonly string[]>;
}

/** A kind and what it holds open. */
export interface Rig {
  readonly kinds: readonly Kind<never>[];
  readonly close: () => Promise<void>;
}

/** For lists of kinds of different inputs: the engine hands each kind its own inputs alone. */
export const asKind = <I>(kind: Kind<I>): Kind<never> => kind as unknown as Kind<never>;
