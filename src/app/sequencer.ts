import { isCredit, NEVER } from "../domain/transaction.ts";
import type { ChangeStore, HourSum, NumberLine, UnnumberedRow } from "../ports/change-store.ts";
import type { Clock } from "../ports/clock.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { Periodic } from "./periodic.ts";

const ROUND_EVERY_MS = 500;
const ROWS_PER_ROUND = 1_000;
const HOUR_MS = 3_600_000;
/** Every so many rounds all merchants are visited, for rows that another replica left behind; between, those at work here. */
const FULL_EVERY_ROUNDS = 4;

/**
 * Numbers changes in the order in which they became known and adds up what the reports need, off the path of a bet. Replicas
 * may compete; a replica that dies loses nothing, its rows are found here and given their due time.
 */
export class Sequencer {
  #dirty = new Set<number>();
  #rounds = 0;
  readonly #periodic: Periodic;
  readonly #store: ChangeStore;
  readonly #merchantIds: () => readonly number[];

  constructor(store: ChangeStore, merchantIds: () => readonly number[], clock: Clock, telemetry: Telemetry) {
    this.#store = store;
    this.#merchantIds = merchantIds;
    this.#periodic = new Periodic(
      clock,
      ROUND_EVERY_MS,
      () => this.#round(),
      (cause) => telemetry.error("numbering changes", cause),
    );
  }

  start(): void {
    this.#periodic.start();
  }

  stop(): Promise<void> {
    return this.#periodic.stop();
  }

  /** A row of this merchant changed here: number it in the next round. */
  changed(merchantId: number): void {
    this.#dirty.add(merchantId);
  }

  async #round(): Promise<void> {
    const all = this.#rounds++ % FULL_EVERY_ROUNDS === 0;
    const dirty = this.#dirty;
    this.#dirty = new Set();
    for (const merchantId of all ? this.#merchantIds() : dirty) {
      while (await this.#numberSome(merchantId));
    }
  }

  /** `true`: there may be more. */
  async #numberSome(merchantId: number): Promise<boolean> {
    const { seq, rows } = await this.#store.unnumbered(merchantId, ROWS_PER_ROUND);
    if (rows.length === 0) return false;
    // Not applied: another replica was faster, or a row changed; the next round looks again.
    const applied = await this.#store.number(merchantId, seq, numbered(rows), hourSums(rows));
    if (!applied) this.changed(merchantId);
    return applied && rows.length === ROWS_PER_ROUND;
  }
}

/** The rows in their order; an orphaned credit is due now, an orphaned debit waits for its provider. */
export function numbered(rows: readonly UnnumberedRow[]): NumberLine[] {
  return rows.map((row) => {
    const line = { id: row.id, seen: row.status };
    return row.orphaned ? { ...line, nextAt: isCredit(row.action) ? row.readAt : NEVER } : line;
  });
}

/** What each (hour, game, action) gains by these rows. Success is terminal, so a sum only ever grows. */
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
