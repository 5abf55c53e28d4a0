import { stuckChange } from "../../domain/transaction/stuck.ts";
import { isCredit, NEVER } from "../../domain/transaction/transaction.ts";
import { wholeMs } from "../../domain/values/whole-ms.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type {
  ChangeStore,
  HourSum,
  Numbering,
  NumberLine,
  SeenRound,
  Unnumbered,
  UnnumberedRow,
} from "../../ports/transactions/change-store.ts";
import { Periodic } from "../runtime/periodic.ts";

const ROUND_EVERY_MS = 500;
/** At most this many rows are numbered in one database transaction. */
const ROWS_AT_ONCE = 1_000;
/**
 * At most this many merchants are numbered in one database transaction. A transaction of its own for each merchant is
 * seven statements. With 200 merchants this was a third of the database's work.
 */
const MERCHANTS_TOGETHER = 32;
/**
 * The minimum time between two scans of all merchants. A round begins every 500 ms, so every second round has a scan.
 */
const SCAN_EVERY_MS = 750;
/** The number of merchants in one statement of a scan. Such a statement takes about a millisecond. */
const SCANNED_AT_ONCE = 500;
/** The number of database transactions at the same time. So most connections stay free for bets. */
const CONCURRENT_MAX = 4;
const HOUR_MS = 3_600_000;

/**
 * Numbers changes in the order in which they became known, and adds up the sums of the reports. No bet waits for this.
 * In each round, merchants whose rows changed on this replica come first. Once a second all merchants are scanned for
 * rows that another replica left without a number. Several replicas may do this at the same time. The scan also finds
 * the rows of a dead replica, and gives them their due time.
 */
export class Sequencer {
  /** The merchants whose rows have changed on this replica since they were numbered. */
  #dirty = new Set<number>();
  /** The merchants with unnumbered changes of this replica, and since when their changes wait, by Clock.monotonic(). */
  readonly #waitingSince = new Map<number, number>();
  /**
   * The merchants whose last numbering failed, or left something out because another session had it locked. They are
   * numbered alone and wait for no lock, so they delay no other merchant.
   */
  readonly #apart = new Set<number>();
  #scannedAt = Number.NEGATIVE_INFINITY;
  readonly #madeAt: number;
  #scans = 0;
  readonly #periodic: Periodic;
  readonly #store: ChangeStore;
  readonly #merchantIds: () => readonly number[];
  readonly #endingProviderIds: () => readonly number[];
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;

  /** @param endingProviderIds - the providers that end their rounds. */
  constructor(
    store: ChangeStore,
    merchantIds: () => readonly number[],
    clock: Clock,
    telemetry: Telemetry,
    endingProviderIds: () => readonly number[] = () => [],
  ) {
    this.#store = store;
    this.#merchantIds = merchantIds;
    this.#endingProviderIds = endingProviderIds;
    this.#clock = clock;
    this.#madeAt = clock.monotonic();
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

  /** Resolves when the statements in progress have ended. */
  stop(): Promise<void> {
    return this.#periodic.stop();
  }

  /** Records that a row of this merchant has changed on this replica. The next round numbers the row. */
  changed(merchantId: number): void {
    this.#dirty.add(merchantId);
    if (!this.#waitingSince.has(merchantId)) this.#waitingSince.set(merchantId, this.#clock.monotonic());
  }

  /** For how long the oldest change on this replica has waited for its number, in ms. */
  get lagMs(): number {
    const now = this.#clock.monotonic();
    return now - Math.min(now, ...this.#waitingSince.values());
  }

  /** The time since the last scan began, in ms; before the first scan, since the start of the process. */
  get scanAgeMs(): number {
    return this.#clock.monotonic() - Math.max(this.#scannedAt, this.#madeAt);
  }

  /**
   * If a merchant has more rows than fit into one database transaction, its next transaction follows after the other
   * merchants, without a pause.
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
   * Scans all merchants and numbers their rows. Returns the merchants that have further rows. Each scan begins with
   * another merchant than the last scan.
   */
  async #numberWaiting(stop: AbortSignal): Promise<number[]> {
    this.#scannedAt = this.#clock.monotonic();
    const ids = this.#merchantIds();
    const batches = inGroups(ids, SCANNED_AT_ONCE);
    const first = this.#scans++ % Math.max(1, batches.length);
    const more: number[] = [];
    for (const bite of [...batches.slice(first), ...batches.slice(0, first)]) {
      if (stop.aborted) break;
      more.push(...(await this.#numberEach(await this.#store.waiting(bite), stop)));
    }
    return more;
  }

  /** Numbers some rows of each of these merchants. Returns the merchants that may have further rows. */
  async #numberEach(merchantIds: Iterable<number>, stop: AbortSignal): Promise<number[]> {
    const ids = [...merchantIds];
    const together = ids.filter((id) => !this.#apart.has(id));
    const alone = ids.filter((id) => this.#apart.has(id));
    const waiting = [...inGroups(together, MERCHANTS_TOGETHER), ...alone];
    const more: number[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && !stop.aborted; next = waiting.shift())
        more.push(
          ...(typeof next === "number" ? await this.#numberAlone(next) : await this.#numberTogether(next, stop)),
        );
    };
    await Promise.all(Array.from({ length: CONCURRENT_MAX }, work));
    return more;
  }

  /**
   * Numbers some rows of these merchants, in as few database transactions as possible. If a transaction fails, each of
   * its merchants is numbered alone, so that a merchant with a locked or broken row delays no other merchant. Returns
   * the merchants that may have further rows. Never throws: the next round tries again.
   */
  async #numberTogether(merchantIds: readonly number[], stop: AbortSignal): Promise<number[]> {
    const begun = this.#clock.monotonic();
    const failed = new Set(merchantIds);
    const more: number[] = [];
    try {
      const found = await this.#unnumbered(merchantIds);
      for (const merchantId of merchantIds) {
        if (found.some((unnumbered) => unnumbered.merchantId === merchantId)) continue;
        failed.delete(merchantId);
        this.#numberedSince(begun, merchantId);
      }
      for (const part of inParts(found)) {
        // `false` if another replica was faster, or if a row changed meanwhile or is locked.
        if (stop.aborted || !(await this.#store.number(part.map(numberingOf)))) continue;
        for (const { merchantId, rows } of part) {
          failed.delete(merchantId);
          if (rows.length === ROWS_AT_ONCE) more.push(merchantId);
          else this.#numberedSince(begun, merchantId);
        }
      }
    } catch {
      // Each merchant's own error is reported when it is numbered alone.
    }
    for (const merchantId of failed) {
      this.#apart.add(merchantId);
      if (merchantIds.length === 1 || stop.aborted) this.changed(merchantId);
      else more.push(...(await this.#numberAlone(merchantId)));
    }
    return more;
  }

  /**
   * Numbers some rows of one merchant, without those that another session has locked. So it waits for no lock. Returns
   * the merchant if it may have further rows. Never throws: the next round tries again.
   */
  async #numberAlone(merchantId: number): Promise<readonly number[]> {
    const begun = this.#clock.monotonic();
    try {
      const found = await this.#unnumbered([merchantId]);
      const free = await this.#store.unlocked(found);
      const done = free.length === 0 || (await this.#store.number(free.map(numberingOf)));
      if (!done || countOf(free) < countOf(found)) this.changed(merchantId);
      else {
        this.#apart.delete(merchantId);
        if (countOf(found) === ROWS_AT_ONCE) return [merchantId];
        this.#numberedSince(begun, merchantId);
      }
    } catch (cause) {
      this.#telemetry.error(`numbering the changes of merchant ${merchantId}`, cause);
      this.changed(merchantId);
    }
    return [];
  }

  #unnumbered(merchantIds: readonly number[]): Promise<Unnumbered[]> {
    return this.#store.unnumbered(merchantIds, ROWS_AT_ONCE, this.#endingProviderIds());
  }

  /** Records that all changes before this moment have their numbers. Later changes may still wait. */
  #numberedSince(moment: number, merchantId: number): void {
    if (this.#dirty.has(merchantId)) this.#waitingSince.set(merchantId, moment);
    else this.#waitingSince.delete(merchantId);
  }
}

const countOf = (found: readonly Unnumbered[]): number => found.reduce((sum, { rows }) => sum + rows.length, 0);

/** Consecutive groups of at most `size` items. */
function inGroups<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** The merchants in consecutive parts, each with at most {@link ROWS_AT_ONCE} rows together. */
function inParts(found: readonly Unnumbered[]): Unnumbered[][] {
  const parts: Unnumbered[][] = [];
  let rows = ROWS_AT_ONCE;
  for (const unnumbered of found) {
    rows += unnumbered.rows.length;
    if (rows <= ROWS_AT_ONCE) parts.at(-1)?.push(unnumbered);
    else {
      parts.push([unnumbered]);
      rows = unnumbered.rows.length;
    }
  }
  return parts;
}

/** A line for each row, in the order of their numbers, and the sums and rounds of these rows. */
export const numberingOf = ({ merchantId, seq, rows }: Unnumbered): Numbering => ({
  merchantId,
  seq,
  lines: numbered(rows),
  sums: hourSums(rows),
  rounds: seenRounds(rows),
});

/**
 * One line for each row, in the same order. An orphaned row is one whose process died. An orphaned credit becomes due
 * now. An orphaned debit gets no due time, because its provider repeats it.
 */
export function numbered(rows: readonly UnnumberedRow[]): NumberLine[] {
  return rows.map((row) => {
    const stuck = stuckChange(row);
    const line = {
      id: row.id,
      seen: row.status,
      ...(stuck && { stuck }),
      ...(row.kind !== null && { hasKind: true as const }),
    };
    return row.orphaned ? { ...line, nextAt: wholeMs(isCredit(row.action) ? row.readAt : NEVER) } : line;
  });
}

/**
 * The amounts that these rows add to the sums of each hour, game, action and kind. A success is final, so a sum only grows.
 */
export function hourSums(rows: readonly UnnumberedRow[]): HourSum[] {
  const sums = new Map<string, HourSum>();
  for (const row of rows) {
    if (row.status !== "success") continue;
    const hour = wholeMs(row.createdAt - (row.createdAt % HOUR_MS));
    const { gameId, action, kind } = row;
    const key = `${hour}/${gameId}/${action}/${kind}`;
    const sum = sums.get(key) ?? { hour, gameId, action, kind, count: 0, sumMinor: 0n };
    sums.set(key, { ...sum, count: sum.count + 1, sumMinor: sum.sumMinor + row.amountMinor });
  }
  return [...sums.values()];
}

/**
 * The rounds of these rows. A round opens with a bet that was not rejected. A success that ends its round ends it here
 * once more, because the process that would have ended it may have died.
 */
function seenRounds(rows: readonly UnnumberedRow[]): SeenRound[] {
  const rounds = new Map<string, SeenRound>();
  for (const { round, action, status, createdAt } of rows) {
    if (round === undefined || !(round.ended || (action === "bet" && status !== "failed"))) continue;
    const key = `${round.providerId}/${round.roundId}`;
    const seen = rounds.get(key);
    rounds.set(key, {
      ...round,
      openedAt: wholeMs(Math.min(createdAt, seen?.openedAt ?? createdAt)),
      ended: round.ended || seen?.ended === true,
    });
  }
  return [...rounds.values()];
}
