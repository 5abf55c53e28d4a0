import type { SeededRandom } from "../../testbed/seeded-random.ts";

/** One kind of input, and every rule for the code that reads it. */
export interface Kind<I = unknown> {
  readonly name: string;
  /** The code that reads the input. */
  readonly reader: string;
  /** The number of inputs of this kind in each million inputs. */
  readonly perMillion: number;
  /** A valid input, or the beginning of one. */
  readonly generate: (random: SeededRandom) => I;
  /** Another input, similar to the given one. */
  readonly mutate: (random: SeededRandom, input: I) => I;
  /** The faults that were found when the input was read; empty: none. A thrown error is a fault, too. */
  readonly check: (input: I) => readonly string[] | Promise<readonly string[]>;
  /** Called from time to time and at the end: the faults in the database so far. */
  readonly audit?: () => Promise<readonly string[]>;
}

/** Kinds, and a function that closes their open resources. */
export interface Rig {
  readonly kinds: readonly Kind<never>[];
  readonly close: () => Promise<void>;
}

/** For lists of kinds with different inputs: the engine gives each kind its own inputs only. */
export const asKind = <I>(kind: Kind<I>): Kind<never> => kind as unknown as Kind<never>;
