import { inspect } from "node:util";
import { SeededRandom } from "../../testbed/seeded-random.ts";
import { Coverage } from "./coverage.ts";
import type { Kind } from "./kind.ts";

/** The result of one kind. */
export interface Outcome {
  readonly kind: string;
  readonly reader: string;
  readonly inputs: number;
  /** The number of inputs that ran code in a new way, and were mutated further. */
  readonly kept: number;
  /** The number of combinations of blocks while coverage was measured. */
  readonly blocks: number;
  readonly faults: readonly Fault[];
  readonly seconds: number;
}

interface Fault {
  /** The value for `--input`. Empty: an audit found the fault long after its input. */
  readonly input: string;
  readonly shown: string;
  readonly what: string;
}

/** The number of inputs whose coverage is read one by one. It is limited, because a read takes 4 ms. */
const WATCHED_MAX = 2_000;
const CORPUS_MAX = 1_000;
/** The number of concurrent inputs, if the reader is asynchronous. */
const AT_ONCE = 64;
const AUDIT_EVERY = 20_000;
const FAULTS_MAX = 5;

/** An input and its descent: the numbers of its ancestors and its own. */
interface Grown<I> {
  readonly line: readonly number[];
  readonly input: I;
}

/**
 * Sends `count` inputs of a kind. Each input is generated from (seed, kind, number), and in about half of the cases by
 * mutation of an earlier input. Its name has its own number and the numbers of its ancestors, for example `12` or
 * `12.907.3312`. So the input can be made again without the whole run.
 */
export async function fuzzKind<I>(kind: Kind<I>, seed: number, count: number): Promise<Outcome> {
  const began = performance.now();
  const choose = new SeededRandom(seed, streamOf(kind.name));
  const corpus: Grown<I>[] = [];
  const faults: Fault[] = [];
  const watched = Math.min(WATCHED_MAX, Math.ceil(count / 4));
  const found = (grown: Grown<I>, what: readonly string[]): void => {
    for (const one of what)
      if (faults.length < FAULTS_MAX) faults.push({ input: grown.line.join("."), shown: show(grown.input), what: one });
  };
  const next = (number: number): Grown<I> => {
    const parent = corpus.length > 0 && choose.chance(0.5) ? choose.pick(corpus) : undefined;
    const line = [...(parent?.line ?? []), number];
    return { line, input: grow(kind, seed, line, parent) };
  };

  let sent = 0;
  const coverage = new Coverage();
  for (; sent < watched && faults.length < FAULTS_MAX; sent++) {
    const grown = next(sent);
    found(grown, await verdict(kind, grown.input));
    if (coverage.sawNew() && corpus.length < CORPUS_MAX) corpus.push(grown);
  }
  coverage.stop();

  for (let audited = 0; sent < count && faults.length < FAULTS_MAX; ) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - sent) }, (_, i) => next(sent + i));
    sent += some.length;
    // A synchronous answer is not awaited, because millions of turns of the event loop would cost more than the checks.
    const verdicts = some.map(({ input }) => verdict(kind, input));
    const settled = verdicts.some((one) => one instanceof Promise)
      ? await Promise.all(verdicts)
      : (verdicts as string[][]);
    for (const [i, what] of settled.entries()) if (what.length > 0) found(some[i] as Grown<I>, what);
    if (sent - audited >= AUDIT_EVERY || sent === count) {
      audited = sent;
      for (const what of [...polluted(), ...((await kind.audit?.()) ?? [])])
        faults.push({ input: "", shown: "", what });
    }
  }
  return {
    kind: kind.name,
    reader: kind.reader,
    inputs: sent,
    kept: corpus.length,
    blocks: coverage.size,
    faults,
    seconds: (performance.now() - began) / 1_000,
  };
}

/** Makes one input of a run again, by its name. */
export async function replay<I>(
  kind: Kind<I>,
  seed: number,
  name: string,
): Promise<{ readonly shown: string; readonly faults: readonly string[] }> {
  const line = name.split(".").map(Number);
  let grown: Grown<I> | undefined;
  for (let end = 1; end <= line.length; end++)
    grown = { line: line.slice(0, end), input: grow(kind, seed, line.slice(0, end), grown) };
  if (grown === undefined) throw new Error(`${name} names no input`);
  return {
    shown: show(grown.input),
    faults: [...(await verdict(kind, grown.input)), ...((await kind.audit?.()) ?? [])],
  };
}

const MUTATIONS_MAX = 4;

function grow<I>(kind: Kind<I>, seed: number, line: readonly number[], parent: Grown<I> | undefined): I {
  const random = new SeededRandom(seed, streamOf(kind.name) ^ Math.imul((line.at(-1) ?? 0) + 1, 0x9e37_79b1));
  let input = parent === undefined ? kind.generate(random) : parent.input;
  // A new input is valid in a third of the cases.
  const mutations = parent === undefined && random.chance(1 / 3) ? 0 : random.int(1, MUTATIONS_MAX);
  for (let i = 0; i < mutations; i++) input = kind.mutate(random, input);
  return input;
}

function verdict<I>(kind: Kind<I>, input: I): readonly string[] | Promise<readonly string[]> {
  try {
    const faults = kind.check(input);
    return faults instanceof Promise ? faults.catch(thrown) : faults;
  } catch (cause) {
    return thrown(cause);
  }
}

const thrown = (cause: unknown): string[] => [
  `threw ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`,
];

const show = (input: unknown): string =>
  inspect(input, { depth: 6, maxStringLength: 2_000, maxArrayLength: 200, breakLength: 160 });

const CLEAN = [Object.prototype, Array.prototype, String.prototype, Function.prototype].map(
  (one) => [one, Reflect.ownKeys(one).length] as const,
);

/** The faults of built-in prototypes: no input may write to them. */
const polluted = (): string[] =>
  CLEAN.filter(([one, keys]) => Reflect.ownKeys(one).length !== keys).map(
    ([one]) => `a built-in prototype has other keys: ${Reflect.ownKeys(one).map(String)}`,
  );

/** FNV-1a: each kind has its own stream of random numbers. */
const streamOf = (name: string): number =>
  [...name].reduce((hash, char) => Math.imul(hash ^ char.charCodeAt(0), 0x0100_0193), 0x811c_9dc5 | 0);
