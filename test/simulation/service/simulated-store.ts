import { eachCall } from "../../../src/adapters/telemetry/each-call.ts";
import { keyText, type TxKey } from "../../../src/domain/values/identifiers.ts";
import { StoreUnavailable } from "../../../src/ports/store-unavailable.ts";
import type { Unnumbered } from "../../../src/ports/transactions/change-store.ts";
import type { LoggedTransaction, TransactionReader } from "../../../src/ports/transactions/transaction-reader.ts";
import { LineLocked, type LineResult, StoreFault } from "../../../src/ports/transactions/transaction-store.ts";
import { only } from "../../../testbed/in-process/only.ts";
import type { MemoryTransactionStore } from "../../../testbed/memory/transaction-store.ts";
import type { SeededRandom } from "../../../testbed/seeded-random.ts";
import type { Stores } from "../mirror/mirror.ts";
import type { Faults } from "../world/faults.ts";
import type { Fired } from "../world/fired.ts";
import type { Kernel } from "../world/kernel.ts";
import { type Links, linkToDatabase } from "../world/links.ts";
import type { Host, Life } from "../world/replica.ts";

const FAST_MS = { min: 1, max: 8 };
const SLOW_MS = { min: 500, max: 7_000 };
const SLUGGISH_MS = { min: 4_000, max: 40_000 };
/** After this time the caller no longer waits for a statement. The database may still run the statement later. */
const GIVEN_UP_MS = 4_000;
const DOWN_MS = { min: 200, max: 9_000 };
/** How much later the other copy of a statement arrives. Half of the copies arrive soon. */
const AGAIN_SOON_MS = { min: 1, max: 200 };
const AGAIN_MS = { min: 200, max: 90_000 };

/** The one database behind all replicas: its state, and the times when it is available. */
export class Database {
  /** The stores that run all statements. */
  readonly stores: Stores;
  readonly rows: MemoryTransactionStore["rows"];
  readonly now: MemoryTransactionStore["now"];
  /** The time at which the last statement in progress ends. */
  busyUntil = Number.NEGATIVE_INFINITY;
  #downUntil = Number.NEGATIVE_INFINITY;
  readonly #kernel: Kernel;
  readonly #faults: Faults;
  readonly #random: SeededRandom;
  readonly #fired: Fired;
  readonly #links: Links;
  readonly #onStatement: (replica: number) => void;

  /** @param onStatement - called when a statement begins, with its replica. */
  constructor(
    { rows, now }: Pick<MemoryTransactionStore, "rows" | "now">,
    stores: Stores,
    { kernel, faults, fired, links }: { kernel: Kernel; faults: Faults; fired: Fired; links: Links },
    random: SeededRandom,
    onStatement: (replica: number) => void,
  ) {
    this.rows = rows;
    this.now = now;
    this.stores = stores;
    this.#kernel = kernel;
    this.#faults = faults;
    this.#random = random;
    this.#fired = fired;
    this.#links = links;
    this.#onStatement = onStatement;
  }

  /** Once a second: the database may become unavailable for a while. */
  tick(): void {
    if (!this.#random.chance(this.#faults.dbDown)) return;
    this.goDown();
    this.#fired.count("dbDown");
  }

  goDown(): void {
    this.#downUntil = this.#kernel.now + this.#random.int(DOWN_MS.min, DOWN_MS.max);
  }

  heal(): void {
    this.#downUntil = Number.NEGATIVE_INFINITY;
  }

  /** Sends a statement of one replica, with the faults on its way. `without` makes one element of the batch fail. */
  send<T>(
    replica: Host,
    life: Life,
    name: string,
    execute: () => Promise<T>,
    without?: (fault: StoreFault) => Promise<T>,
  ): Promise<T> {
    const link = linkToDatabase(replica.number);
    return replica.call<T>(life, name, (done) => {
      let waiting = true;
      const end = (outcome: () => T) => {
        if (waiting) done(outcome);
        waiting = false;
        giveUp();
      };
      const giveUp = this.#kernel.after(GIVEN_UP_MS, () => end(failed("no answer in time")));
      const slow = this.#happens("dbSlow", name) ? this.#slow() : 0;
      // Either direction may be slow: the statement runs late, or its answer arrives late.
      const slowBack = slow > 0 && this.#random.chance(0.5);
      const arrivesIn = this.#fast() + (slowBack ? 0 : slow);
      this.busyUntil = Math.max(this.busyUntil, this.#kernel.now + arrivesIn);
      this.#kernel.after(arrivesIn, () =>
        this.#links.pass(link, name, () => {
          const back = (outcome: () => T) =>
            this.#kernel.after(this.#fast() + (slowBack ? slow : 0), () =>
              this.#links.pass(link, name, () => end(outcome)),
            );
          if (this.#kernel.now < this.#downUntil) {
            this.#fired.count("dbAway", name);
            return back(failed("away"));
          }
          if (this.#happens("dbRefused", name)) return back(failed("refused"));
          if (!waiting) this.#fired.count("dbLate", name);
          const fault = without === undefined ? undefined : this.#faultOfElement(name);
          const run = fault === undefined ? execute : () => without?.(fault) ?? execute();
          this.#onStatement(replica.number);
          if (this.#happens("dbAgain", name)) this.#again(replica.number, execute);
          void this.#kernel.hold(run()).then(
            (result) => back(this.#happens("dbLost", name) ? failed("executed, its answer lost") : () => result),
            (bug) => back(() => raise(bug)),
          );
        }),
      );
    });
  }

  /** As {@link send}, but for a batch. The database may refuse one element of the batch because of its content. */
  sendBatch<Line, Out>(
    replica: Host,
    life: Life,
    name: string,
    lines: readonly Line[],
    run: (lines: readonly Line[]) => Promise<LineResult<Out>[]>,
  ): Promise<LineResult<Out>[]> {
    const without = async (fault: StoreFault): Promise<LineResult<Out>[]> => {
      const at = this.#random.int(0, lines.length - 1);
      const outs = await run(lines.filter((_, i) => i !== at));
      return [...outs.slice(0, at), fault, ...outs.slice(at)];
    };
    return this.send(replica, life, lines.length > 1 ? `${name} of several` : name, () => run(lines), without);
  }

  /**
   * Runs a statement again later. The adapter repeats a statement when it gets no answer, and its first copy may reach
   * the database after any later statement.
   */
  #again(replica: number, execute: () => Promise<unknown>): void {
    const { min, max } = this.#random.chance(0.5) ? AGAIN_SOON_MS : AGAIN_MS;
    const inMs = this.#random.int(min, max);
    this.busyUntil = Math.max(this.busyUntil, this.#kernel.now + inMs);
    this.#kernel.after(inMs, () => {
      if (this.#kernel.now < this.#downUntil) return;
      this.#onStatement(replica);
      void this.#kernel.hold(execute());
    });
  }

  /** The rows that no other session has locked at this moment. */
  unlocked<Row>(rows: readonly Row[]): Row[] {
    return rows.filter(() => !this.#random.chance(this.#faults.dbLocked));
  }

  #faultOfElement(name: string): StoreFault | undefined {
    if (this.#happens("dbPoisoned", name)) return new StoreFault("refused for its content");
    return this.#happens("dbLocked", name) ? new LineLocked("another session has locked its row") : undefined;
  }

  #happens(fault: "dbRefused" | "dbLost" | "dbPoisoned" | "dbLocked" | "dbSlow" | "dbAgain", name: string): boolean {
    const happens = this.#random.chance(this.#faults[fault]);
    if (happens) this.#fired.count(fault, name);
    return happens;
  }

  #slow(): number {
    const { min, max } = this.#random.chance(0.3) ? SLUGGISH_MS : SLOW_MS;
    return this.#random.int(min, max);
  }

  #fast(): number {
    return this.#random.ms(FAST_MS);
  }
}

const raise = (cause: unknown): never => {
  throw cause;
};
const failed = (what: string) => (): never => raise(new StoreUnavailable(what));

/** Statements of the transaction store that are no batch. */
const SINGLE: ReadonlySet<string> = new Set(["merchantsDue", "due"]);

/** The stores as one life of a replica uses them: each statement goes through the database's faults. */
export function simulatedStores(database: Database, replica: Host): Stores & { readonly reader: TransactionReader } {
  const { life } = replica;
  const { transactions, changes, support, slips, rounds } = database.stores;
  const named = <S extends object>(store: S, nameOf: (method: string) => string): S =>
    eachCall(store, ({ method, run }) => database.send(replica, life, nameOf(method), () => run()));
  return {
    transactions: eachCall(transactions, ({ method, args, run }) =>
      SINGLE.has(method)
        ? database.send(replica, life, method, () => run())
        : database.sendBatch(
            replica,
            life,
            method,
            args[0] as readonly unknown[],
            (lines) => run([lines]) as Promise<LineResult<unknown>[]>,
          ),
    ),
    changes: eachCall(changes, ({ method, args, run }) =>
      database.send(replica, life, method, async () =>
        method === "unlocked" ? withoutLocked(database, args[0] as readonly Unnumbered[]) : run(),
      ),
    ),
    support: named(support, (method) => method),
    reader: only<TransactionReader>({
      find: (key) => database.send(replica, life, "find", async () => rowOf(database, key)),
    }),
    slips: named(slips, (method) => `slip ${method === "ofBet" ? "of bet" : method}`),
    rounds: named(rounds, (method) => `${method} ${method === "read" ? "round" : "rounds"}`),
  };
}

function rowOf({ rows, now }: Database, key: TxKey): LoggedTransaction | undefined {
  const row = rows.get(keyText(key));
  if (row === undefined || row.transaction.status === "void") return undefined;
  return {
    id: row.id,
    transaction: { ...row.transaction, readAt: now() },
    lastResult: row.attemptLog.at(-1)?.result ?? null,
    log: row.attemptLog,
  };
}

const withoutLocked = (database: Database, found: readonly Unnumbered[]): Unnumbered[] =>
  found
    .map((merchant) => ({ ...merchant, rows: database.unlocked(merchant.rows) }))
    .filter(({ rows }) => rows.length > 0);
