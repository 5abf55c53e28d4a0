import { keyText, type TxKey } from "../domain/identifiers.ts";
import type { Transaction } from "../domain/transaction.ts";
import type { Clock } from "../ports/clock.ts";
import {
  type AdoptLine,
  type Claimed,
  type ClaimLine,
  type MarkLine,
  type ScheduleLine,
  type SettleLine,
  StoreFault,
  type TakeOverLine,
  type TransactionStore,
} from "../ports/transaction-store.ts";
import { Coalescer } from "./coalescer.ts";

const byKey = (line: { readonly key: TxKey }): string => keyText(line.key);
const byContent = (line: ClaimLine): string => keyText(line.content);

/** The transaction store, one line at a time: concurrent calls of each kind share a statement. */
export class Rows {
  readonly #reads: Coalescer<TxKey, Transaction | undefined>;
  readonly #claims: Coalescer<ClaimLine, Claimed>;
  readonly #takeOvers: Coalescer<TakeOverLine, Transaction | undefined>;
  readonly #adopts: Coalescer<AdoptLine, Transaction | undefined>;
  readonly #marks: Coalescer<MarkLine, boolean>;
  readonly #settles: Coalescer<SettleLine, boolean>;
  readonly #schedules: Coalescer<ScheduleLine, boolean>;
  readonly #store: TransactionStore;

  constructor(store: TransactionStore, clock: Clock) {
    this.#store = store;
    this.#reads = new Coalescer<TxKey, Transaction | undefined>((keys) => store.read(keys), keyText, clock);
    this.#claims = new Coalescer<ClaimLine, Claimed>((lines) => store.claim(lines), byContent, clock);
    this.#takeOvers = new Coalescer<TakeOverLine, Transaction | undefined>((lines) => store.takeOver(lines), byKey, clock);
    this.#adopts = new Coalescer<AdoptLine, Transaction | undefined>((lines) => store.adopt(lines), byContent, clock);
    this.#marks = new Coalescer<MarkLine, boolean>((lines) => store.mark(lines), byKey, clock);
    this.#settles = new Coalescer<SettleLine, boolean>((lines) => store.settle(lines), byKey, clock);
    this.#schedules = new Coalescer<ScheduleLine, boolean>((lines) => store.schedule(lines), byKey, clock);
  }

  read(key: TxKey): Promise<Transaction | undefined> {
    return this.#reads.add(key);
  }

  claim(line: ClaimLine): Promise<Claimed> {
    return this.#claims.add(line);
  }

  /** Two rows in one statement: a reversal and the original nobody has seen. Too rare to share. */
  async claimBoth(lines: readonly [ClaimLine, ClaimLine]): Promise<[Claimed, Claimed]> {
    const [first, second] = await this.#store.claim(lines);
    if (first === undefined || second === undefined) throw new Error("two lines get two answers");
    if (first instanceof StoreFault) throw first;
    if (second instanceof StoreFault) throw second;
    return [first, second];
  }

  takeOver(line: TakeOverLine): Promise<Transaction | undefined> {
    return this.#takeOvers.add(line);
  }

  adopt(line: AdoptLine): Promise<Transaction | undefined> {
    return this.#adopts.add(line);
  }

  mark(line: MarkLine): Promise<boolean> {
    return this.#marks.add(line);
  }

  settle(line: SettleLine): Promise<boolean> {
    return this.#settles.add(line);
  }

  schedule(line: ScheduleLine): Promise<boolean> {
    return this.#schedules.add(line);
  }
}
