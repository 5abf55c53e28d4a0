import { isCredit, NEVER } from "../../domain/transaction/transaction.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { ChangeStore, HourSum, NumberLine, UnnumberedRow } from "../../ports/transactions/change-store.ts";
import { Periodic } from "../runtime/periodic.ts";

const ROUND_EVERY_MS = 500;
/** At most this many rows of a merchant are numbered in one database transaction. */
const ROWS_AT_ONCE = 1_000;
/** The minimum time between two scans of all merchants. Rounds begin every 500 ms, so every second round scans. */
const SCAN_EVERY_MS = 750;
/** Merchants per statement of a scan. Such a statement takes about a millisecond. */
const MERCHANTS_AT_ONCE = 500;
/**
 * Merchants that are numbered at the same time. A slow one does not hold up the others, and most connections stay free
 * for bets.
 */
const CONCURRENT_MAX = 4;
const HOUR_MS = 3_600_000;

/**
 * Numbers changes in the order in which they became known and adds up the sums of the reports. This is not on the path
 * of a bet. In each round, merchants whose rows changed on this replica come first. Once a second all merchants are
 * scanned for rows that another replica left unnumbered. Replicas may compete. The rows of a replica that died are
 * found by the scan and get their due time.
 */
export class Sequencer {
  /** Merchants that have rows to number because of changes on this replica. */
  #dirty = new Set<number>();
  #scannedAt = Number.NEGATIVE_INFINITY;
  #scans = 0;
  readonly #periodic: Periodic;
  readonly #store: ChangeStore;
  readonly #merchantIds: () => readonly number[];
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;

  constructor(store: ChangeStore, merchantIds: () => readonly number[], clock: Clock, telemetry: Telemetry) {
    this.#store = store;
    this.#merchantIds = merchantIds;
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#periodic = new Periodic(
      clock,
      ROUND_EVERY_MS,
      (stop) => this.#round(stop),
      (cause) => telemetry.error("numbering changes", cause),
    );
  }

  start(): void {
    this.#periodic.start();
  }

  /** Resolves when the statements under way have ended. */
  stop(): Promise<void> {
    return this.#periodic.stop();
  }

  /** Notes that a row of this merchant changed on this replica. The next round numbers it. */
  changed(merchantId: number): void {
    this.#dirty.add(merchantId);
  }

  /**
   * A merchant with more rows than one database transaction takes goes on after the other merchants, without a pause.
   */
  async #round(stop: AbortSignal): Promise<void> {
    let more: readonly number[] = [];
    do {
      const dirty = new Set([...this.#dirty, ...more]);
      this.#dirty = new Set();
      more = await this.#numberEach(dirty, stop);
      if (this.#clock.monotonic() - this.#scannedAt >= SCAN_EVERY_MS)
        more = [...more, ...(await this.#numberWaiting(stop))];
    } while (more.length > 0);
  }

  /**
   * Scans all merchants and numbers their rows. Returns the merchants with more rows. Each scan begins with other
   * merchants than the last one.
   */
  async #numberWaiting(stop: AbortSignal): Promise<number[]> {
    this.#scannedAt = this.#clock.monotonic();
    const ids = this.#merchantIds();
    const batches = Array.from({ length: Math.ceil(ids.length / MERCHANTS_AT_ONCE) }, (_, i) =>
      ids.slice(i * MERCHANTS_AT_ONCE, (i + 1) * MERCHANTS_AT_ONCE),
    );
    const first = this.#scans++ % Math.max(1, batches.length);
    const more: number[] = [];
    for (const bite of [...batches.slice(first), ...batches.slice(0, first)]) {
      if (stop.aborted) break;
      more.push(...(await this.#numberEach(await this.#store.waiting(bite), stop)));
    }
    return more;
  }

  /** Numbers some rows of each of these merchants. Returns the merchants with more rows. */
  async #numberEach(merchantIds: Iterable<number>, stop: AbortSignal): Promise<number[]> {
    const waiting = new Set(merchantIds);
    const more: number[] = [];
    const work = async (): Promise<void> => {
      for (const merchantId of waiting) {
        if (stop.aborted) return;
        waiting.delete(merchantId);
        if (await this.#numberSome(merchantId)) more.push(merchantId);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_MAX }, work));
    return more;
  }

  /**
   * Numbers some rows of a merchant. `true`: there may be more. Never throws: the next scan finds rows that could not
   * be numbered.
   */
  async #numberSome(merchantId: number): Promise<boolean> {
    try {
      const { seq, rows } = await this.#store.unnumbered(merchantId, ROWS_AT_ONCE);
      if (rows.length === 0) return false;
      // Not applied: another replica was faster, or a row changed meanwhile. The next round tries again.
      const applied = await this.#store.number(merchantId, seq, numbered(rows), hourSums(rows));
      if (!applied) this.changed(merchantId);
      return applied && rows.length === ROWS_AT_ONCE;
    } catch (cause) {
      this.#telemetry.error(`numbering the changes of merchant ${merchantId}`, cause);
      return false;
    }
  }
}

/**
 * One line per row, in the same order. An orphaned credit becomes due now. An orphaned debit waits for its provider.
 */
export function numbered(rows: readonly UnnumberedRow[]): NumberLine[] {
  return rows.map((row) => {
    const line = { id: row.id, seen: row.status };
    return row.orphaned ? { ...line, nextAt: isCredit(row.action) ? row.readAt : NEVER } : line;
  });
}

/** The sums that these rows add to each hour, game and action. Success is final, so a sum only grows. */
export function hourSums(rows: readonly UnnumberedRow[]): HourSum[] {
  const sums = new Map<string, HourSum>();
  for (const row of rows) {
    if (row.status !== "success") continue;
    const hour = row.createdAt - (row.createdAt % HOUR_MS);
    const key = `${hour}/${row.gameId}/${row.action}`;
    const sum = sums.get(key) ?? { hour, gameId: row.gameId, action: row.action, count: 0, sumMinor: 0n };
    sums.set(key, { ...sum, count: sum.count + 1, sumMinor: sum.sumMinor + row.amountMinor });
  }
  return [...sums.values()];
}
