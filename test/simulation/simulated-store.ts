import type { MemoryChangeStore } from "../../src/adapters/memory/change-store.ts";
import type { MemoryTransactionStore } from "../../src/adapters/memory/transaction-store.ts";
import { ChangeStore } from "../../src/ports/change-store.ts";
import { SlipStore } from "../../src/ports/slip-store.ts";
import { StoreUnavailable } from "../../src/ports/store-unavailable.ts";
import { type Outcome, StoreFault, TransactionStore } from "../../src/ports/transaction-store.ts";
import type { Faults } from "./faults.ts";
import type { Kernel } from "./kernel.ts";
import type { Host, Life } from "./replica.ts";
import type { SeededRandom } from "./seeded-random.ts";

const FAST_MS = { min: 1, max: 8 };
const SLOW_MS = { min: 500, max: 7_000 };
const DOWN_MS = { min: 200, max: 9_000 };

/** The one database behind all replicas: its state, and when it can be reached. */
export class Database {
  readonly transactions: MemoryTransactionStore;
  readonly changes: MemoryChangeStore;
  /** Faults that really happened, by name. */
  readonly fired = new Map<string, number>();
  #downUntil = Number.NEGATIVE_INFINITY;
  readonly #kernel: Kernel;
  readonly #faults: Faults;
  readonly #random: SeededRandom;
  readonly #onStatement: () => void;

  constructor(transactions: MemoryTransactionStore, changes: MemoryChangeStore, kernel: Kernel, faults: Faults, random: SeededRandom, onStatement: () => void) {
    this.transactions = transactions;
    this.changes = changes;
    this.#kernel = kernel;
    this.#faults = faults;
    this.#random = random;
    this.#onStatement = onStatement;
  }

  /** Once a second: the database may go away for a while. */
  tick(): void {
    if (!this.#random.chance(this.#faults.dbDown)) return;
    this.#downUntil = this.#kernel.now + this.#random.int(DOWN_MS.min, DOWN_MS.max);
    this.#count("dbDown");
  }

  heal(): void {
    this.#downUntil = Number.NEGATIVE_INFINITY;
  }

  /** A statement of one replica, with whatever happens to it on its way. `poison` gives a line of the batch up. */
  send<T>(replica: Host, life: Life, execute: () => Promise<T>, poison?: () => Promise<T>): Promise<T> {
    return replica.call<T>(life, (done) => {
      const slow = this.#happens("dbSlow") ? this.#random.int(SLOW_MS.min, SLOW_MS.max) : 0;
      this.#kernel.after(this.#fast() + slow, () => {
        const back = (outcome: () => T) => this.#kernel.after(this.#fast(), () => done(outcome));
        if (this.#kernel.now < this.#downUntil || this.#happens("dbRefused")) return back(failed("refused"));
        const run = poison !== undefined && this.#happens("dbPoisoned") ? poison : execute;
        this.#onStatement();
        void run().then(
          (result) => back(this.#happens("dbLost") ? failed("executed, its answer lost") : () => result),
          (bug) => back(() => raise(bug)),
        );
      });
    });
  }

  /** As {@link send}, for a batch: one of its lines may be refused for its own content. */
  sendBatch<Line, Out>(replica: Host, life: Life, lines: readonly Line[], run: (lines: readonly Line[]) => Promise<Outcome<Out>[]>): Promise<Outcome<Out>[]> {
    const poisoned = async (): Promise<Outcome<Out>[]> => {
      const at = this.#random.int(0, lines.length - 1);
      const outs = await run(lines.filter((_, i) => i !== at));
      return [...outs.slice(0, at), new StoreFault("refused for its content"), ...outs.slice(at)];
    };
    return this.send(replica, life, () => run(lines), poisoned);
  }

  #happens(fault: "dbRefused" | "dbLost" | "dbPoisoned" | "dbSlow"): boolean {
    const happens = this.#random.chance(this.#faults[fault]);
    if (happens) this.#count(fault);
    return happens;
  }

  #count(fault: string): void {
    this.fired.set(fault, (this.fired.get(fault) ?? 0) + 1);
  }

  #fast(): number {
    return this.#random.int(FAST_MS.min, FAST_MS.max);
  }
}

const raise = (cause: unknown): never => {
  throw cause;
};
const failed = (what: string) => (): never => raise(new StoreUnavailable(what));

/** The transaction store as one life of one replica reaches it. */
export class SimulatedTransactionStore extends TransactionStore {
  readonly #send: <Line, Out>(lines: readonly Line[], run: (lines: readonly Line[]) => Promise<Outcome<Out>[]>) => Promise<Outcome<Out>[]>;
  readonly #one: <T>(run: () => Promise<T>) => Promise<T>;
  readonly #store: TransactionStore;

  constructor(database: Database, replica: Host) {
    super();
    const { life } = replica;
    this.#store = database.transactions;
    this.#send = (lines, run) => database.sendBatch(replica, life, lines, run);
    this.#one = (run) => database.send(replica, life, run);
  }

  override read: TransactionStore["read"] = (keys) => this.#send(keys, (some) => this.#store.read(some));
  override claim: TransactionStore["claim"] = (lines) => this.#send(lines, (some) => this.#store.claim(some));
  override takeOver: TransactionStore["takeOver"] = (lines) => this.#send(lines, (some) => this.#store.takeOver(some));
  override adopt: TransactionStore["adopt"] = (lines) => this.#send(lines, (some) => this.#store.adopt(some));
  override mark: TransactionStore["mark"] = (lines) => this.#send(lines, (some) => this.#store.mark(some));
  override settle: TransactionStore["settle"] = (lines) => this.#send(lines, (some) => this.#store.settle(some));
  override schedule: TransactionStore["schedule"] = (lines) => this.#send(lines, (some) => this.#store.schedule(some));
  override due: TransactionStore["due"] = (merchantIds, limit) => this.#one(() => this.#store.due(merchantIds, limit));
}

/** The change store as one life of one replica reaches it. */
export class SimulatedChangeStore extends ChangeStore {
  readonly #one: <T>(run: () => Promise<T>) => Promise<T>;
  readonly #store: ChangeStore;

  constructor(database: Database, replica: Host) {
    super();
    const { life } = replica;
    this.#store = database.changes;
    this.#one = (run) => database.send(replica, life, run);
  }

  override unnumbered: ChangeStore["unnumbered"] = (merchantId, limit) => this.#one(() => this.#store.unnumbered(merchantId, limit));
  override number: ChangeStore["number"] = (merchantId, seq, lines, sums) => this.#one(() => this.#store.number(merchantId, seq, lines, sums));
}

/** The slip store as one life of one replica reaches it. */
export class SimulatedSlipStore extends SlipStore {
  readonly #one: <T>(run: () => Promise<T>) => Promise<T>;
  readonly #store: SlipStore;

  constructor(store: SlipStore, database: Database, replica: Host) {
    super();
    const { life } = replica;
    this.#store = store;
    this.#one = (run) => database.send(replica, life, run);
  }

  override open: SlipStore["open"] = (...asked) => this.#one(() => this.#store.open(...asked));
  override read: SlipStore["read"] = (...asked) => this.#one(() => this.#store.read(...asked));
  override take: SlipStore["take"] = (...asked) => this.#one(() => this.#store.take(...asked));
  override record: SlipStore["record"] = (...asked) => this.#one(() => this.#store.record(...asked));
  override due: SlipStore["due"] = (...asked) => this.#one(() => this.#store.due(...asked));
}
