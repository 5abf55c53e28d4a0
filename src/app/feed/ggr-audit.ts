import type { DbTime } from "../../domain/transaction/transaction.ts";
import { toDecimal } from "../../domain/values/money.ts";
import { wholeMs } from "../../domain/values/whole-ms.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { GgrAudits } from "../../ports/transactions/ggr-audits.ts";
import type { GgrDifference, GgrStore } from "../../ports/transactions/ggr-store.ts";
import { Periodic } from "../runtime/periodic.ts";

const EVERY_MS = 600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * A day is checked this long after its end. By then few of the day's calls are still in progress, and there is little
 * traffic at night.
 */
const AUDIT_DELAY_MS = 3 * HOUR_MS;
/**
 * The duration of a claim. It is longer than the check of one merchant's day takes on a slow database. When the claim
 * of a dead replica has expired, another replica can take it.
 */
const CLAIM_MS = 1_800_000;
const RENEW_MS = 60_000;

/**
 * Every night, stores the sums by game of the days that lack them, and compares the reports' sums of yesterday (UTC)
 * with the transactions themselves. A difference means a bug of this service. One replica at a time does this, merchant
 * after merchant. Each checked day of a merchant is recorded, so it is checked only once, however often replicas start.
 * If the check of a merchant fails, the next round repeats it.
 */
export class GgrAudit {
  readonly #store: GgrStore;
  readonly #audits: GgrAudits;
  readonly #id: string;
  readonly #merchants: () => readonly Merchant[];
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #periodic: Periodic;
  #claimedAt = Number.NEGATIVE_INFINITY;

  /** @param id - an id that no other replica has or had. */
  constructor(
    store: GgrStore,
    audits: GgrAudits,
    id: string,
    merchants: () => readonly Merchant[],
    clock: Clock,
    telemetry: Telemetry,
  ) {
    this.#store = store;
    this.#audits = audits;
    this.#id = id;
    this.#merchants = merchants;
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#periodic = new Periodic(
      clock,
      EVERY_MS,
      (stop) => this.#round(stop),
      (cause) => telemetry.error("the nightly comparison of sums", cause),
    );
  }

  start(): void {
    this.#periodic.start();
  }

  /** Resolves when the check of the present merchant has ended. Another replica checks the other merchants. */
  stop(): Promise<void> {
    return this.#periodic.stop();
  }

  async #round(stop: AbortSignal): Promise<void> {
    const now = await this.#claim();
    if (now === null) return;
    try {
      const end = now - AUDIT_DELAY_MS;
      await this.#auditDay(end - (end % DAY_MS) - DAY_MS, stop);
    } finally {
      await this.#audits.release(this.#id);
    }
  }

  async #auditDay(day: DbTime, stop: AbortSignal): Promise<void> {
    const audited = await this.#audits.audited(day);
    for (const merchant of this.#merchants()) {
      if (stop.aborted) return;
      if (audited.has(merchant.id)) continue;
      if (!(await this.#sumGames(merchant, day, stop))) return;
      const difference = await this.#differenceOf(merchant, day);
      // Another replica has the claim now. That replica checks this merchant again, and raises the alert.
      if (!(await this.#keepClaim())) return;
      if (difference === undefined) continue;
      if (difference !== null)
        this.#telemetry.alert("ggr_differs", {
          merchant: merchant.code,
          day: dateOf(day),
          difference: difference.text,
          ggr: `${toDecimal(difference.ggrMinor, merchant.currency)} ${merchant.currency}`,
        });
      await this.#audits.record(merchant.id, wholeMs(day));
    }
  }

  /**
   * Stores the sums by game of all days until this one that lack them: usually this day, and older days in which a
   * transaction became a success since. If it fails, reports of these days read the transactions.
   *
   * @returns false: the replica must stop, or another one has the claim.
   */
  async #sumGames({ id, code }: Merchant, day: DbTime, stop: AbortSignal): Promise<boolean> {
    try {
      for (const incomplete of await this.#store.incompleteDays(id, day + DAY_MS)) {
        if (stop.aborted || !(await this.#keepClaim())) return false;
        await this.#store.sumGames(id, incomplete);
      }
    } catch (cause) {
      this.#telemetry.error(`the sums by game of merchant ${code}`, cause);
    }
    return true;
  }

  /** Renews the claim after a while. `false`: another replica has it. */
  async #keepClaim(): Promise<boolean> {
    return this.#clock.monotonic() - this.#claimedAt <= RENEW_MS || (await this.#claim()) !== null;
  }

  /** null: there is no difference; undefined: the check failed. */
  async #differenceOf({ id, code }: Merchant, day: DbTime): Promise<GgrDifference | null | undefined> {
    try {
      return await this.#store.difference(id, day, day + DAY_MS);
    } catch (cause) {
      this.#telemetry.error(`the nightly comparison of sums of merchant ${code}`, cause);
      return undefined;
    }
  }

  async #claim(): Promise<DbTime | null> {
    this.#claimedAt = this.#clock.monotonic();
    return this.#audits.claim(this.#id, wholeMs(CLAIM_MS));
  }
}

const dateOf = (day: DbTime): string => Temporal.Instant.fromEpochMilliseconds(day).toString().slice(0, 10);
