import { keyText, type TxKey } from "../../../domain/values/identifiers.ts";
import { LineLocked, type LineResult } from "../../../ports/transactions/transaction-store.ts";
import type { Database } from "../connection/database.ts";
import { rows } from "../connection/execute.ts";
import { RowsLocked } from "../connection/retry.ts";

/** For this time after a merchant's row was locked, the merchant's lines run apart from other merchants' lines. */
const APART_MS = 30_000;
const PATIENCE_MS = 500;
/** A statement of the service may have locked a row for a moment, so a locked row is looked at twice. */
const LOOKS = 2;
const BETWEEN_LOOKS_MS = 20;
/** Lines that share their batch with no other merchant wait this long for locked rows. */
const ALONE_MS = 3_000;

/** One kind of batch. */
export interface Batch<Line, Out> {
  /** The rows that a line changes. The first row's merchant is the line's merchant. */
  readonly keysOf: (line: Line) => readonly [TxKey, ...TxKey[]];
  /**
   * Throws RowsLocked if another session has locked a row.
   *
   * @param again - these lines may have been applied already.
   */
  readonly run: (lines: readonly Line[], again: boolean) => Promise<LineResult<Out>[]>;
  /** The results of lines whose rows exist, and are locked. By default each gets a {@link LineLocked}. */
  readonly existing?: (lines: readonly Line[]) => Promise<LineResult<Out>[]>;
}

/**
 * Keeps a row that another session has locked from failing the other lines of its batch. A statement waits for such a
 * row, and all its lines with it. So after such a wait the lines are sorted: first a statement that waits for no lock
 * finds the locked rows, then the lines of merchants without such a row run together, and those of each other merchant
 * run apart. For some time after that, these merchants' lines run apart from the beginning, so nobody waits for their
 * rows again.
 */
export class LockedRows {
  readonly #database: Database;
  /** Merchants with a locked row, and until when their lines run apart, by performance.now(). */
  readonly #apart = new Map<number, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * How long a statement of a batch is repeated after a conflict before the conflict counts as a locked row, in ms. It is
   * shorter than the server waits for a lock, and long enough for repeats after deadlocks. Undefined: the database locks
   * no single rows.
   */
  get patienceMs(): number | undefined {
    return this.#database.dialect.sql.locking.skipping === "" ? undefined : PATIENCE_MS;
  }

  async run<Line, Out>(lines: readonly Line[], batch: Batch<Line, Out>): Promise<LineResult<Out>[]> {
    const merchantOf = (line: Line): number => batch.keysOf(line)[0].merchantId;
    let again = false;
    if (this.#apart.size === 0) {
      try {
        return await batch.run(lines, again);
      } catch (error) {
        if (!(error instanceof RowsLocked)) throw error;
      }
      again = true;
      const [first, ...others] = new Set(lines.map(merchantOf));
      if (first !== undefined && others.length === 0) return this.#patiently(lines, batch, first);
      const locked = await this.#lockedOf(lines.flatMap(batch.keysOf));
      for (const line of lines)
        if (batch.keysOf(line).some((key) => locked.has(keyText(key)))) this.#setApart(merchantOf(line));
    }
    return inGroups(
      lines,
      (line) => (this.#isApart(merchantOf(line)) ? merchantOf(line) : undefined),
      async (group, merchantId) => {
        if (merchantId !== undefined) return this.#alone(group, batch, merchantId);
        try {
          return await batch.run(group, again);
        } catch (error) {
          if (!(error instanceof RowsLocked)) throw error;
          // A gap between rows is locked, or a row was locked since the look.
          return inGroups(group, merchantOf, (own, id) => this.#alone(own, batch, id));
        }
      },
    );
  }

  /**
   * Runs the lines of a batch that no other merchant shares. Then lines whose rows are locked may wait some time, because
   * nobody else waits with them.
   */
  async #patiently<Line, Out>(
    lines: readonly Line[],
    batch: Batch<Line, Out>,
    merchantId: number,
  ): Promise<LineResult<Out>[]> {
    const until = performance.now() + ALONE_MS;
    const results = new Map<Line, LineResult<Out>>();
    for (let left = lines; left.length > 0; ) {
      const outs = await this.#alone(left, batch, merchantId);
      left.forEach((line, i) => void results.set(line, outs[i] as LineResult<Out>));
      left = performance.now() < until ? left.filter((line) => results.get(line) instanceof LineLocked) : [];
      if (left.length > 0) await pause(BETWEEN_LOOKS_MS);
    }
    return lines.map((line) => results.get(line) as LineResult<Out>);
  }

  /** Runs lines of one merchant without those whose rows are locked. */
  async #alone<Line, Out>(
    lines: readonly Line[],
    { keysOf, run, existing }: Batch<Line, Out>,
    merchantId: number,
  ): Promise<LineResult<Out>[]> {
    const locked = await this.#lockedOf(lines.flatMap(keysOf));
    if (locked.size > 0) this.#setApart(merchantId);
    const faults = (these: readonly Line[], cause?: unknown) => these.map(() => fault(cause));
    return inGroups(
      lines,
      (line) => keysOf(line).some((key) => locked.has(keyText(key))),
      async (group, isLocked) => {
        if (isLocked) return existing?.(group) ?? faults(group);
        try {
          return await run(group, true);
        } catch (error) {
          if (!(error instanceof RowsLocked)) throw error;
          this.#setApart(merchantId);
          return faults(group, error);
        }
      },
    );
  }

  /** Those of the rows that exist and that another session has locked for longer than most statements take. */
  async #lockedOf(keys: readonly TxKey[]): Promise<ReadonlySet<string>> {
    let locked = keys;
    for (let looks = 0; looks < LOOKS && locked.length > 0; looks++) {
      if (looks > 0) await pause(BETWEEN_LOOKS_MS);
      const free = new Set((await this.#found(locked, this.#database.dialect.sql.locking.skipping)).map(keyText));
      locked = looks === 0 ? await this.#found(keys, "") : locked;
      locked = locked.filter((key) => !free.has(keyText(key)));
    }
    return new Set(locked.map(keyText));
  }

  async #found(keys: readonly TxKey[], locking: string): Promise<readonly TxKey[]> {
    const { byIndex } = this.#database.dialect.sql;
    const found = await rows(this.#database, {
      sql: `SELECT merchant_id, tx_id FROM tx ${byIndex("key")}
        WHERE ${keys.map(() => "(merchant_id = ? AND tx_id = ?)").join(" OR ")} ${locking}`,
      bindings: keys.flatMap(({ merchantId, txId }) => [merchantId, txId]),
    });
    return found.map((row) => ({ merchantId: Number(row.merchant_id), txId: row.tx_id as TxKey["txId"] }));
  }

  #setApart(merchantId: number): void {
    this.#apart.set(merchantId, performance.now() + APART_MS);
  }

  #isApart(merchantId: number): boolean {
    const until = this.#apart.get(merchantId);
    if (until === undefined || performance.now() < until) return until !== undefined;
    this.#apart.delete(merchantId);
    return false;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const fault = (cause: unknown): LineLocked =>
  new LineLocked("another session has locked a row of this line", { cause });

/** Runs each group of lines, all at once. The results are in the order of the lines. */
async function inGroups<Line, Group, Out>(
  lines: readonly Line[],
  groupOf: (line: Line) => Group,
  run: (lines: readonly Line[], group: Group) => Promise<readonly Out[]>,
): Promise<Out[]> {
  const results = new Map<Line, Out>();
  await Promise.all(
    [...Map.groupBy(lines, groupOf)].map(async ([group, those]) => {
      const outs = await run(those, group);
      those.forEach((line, i) => void results.set(line, outs[i] as Out));
    }),
  );
  return lines.map((line) => results.get(line) as Out);
}
