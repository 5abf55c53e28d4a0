import type { DbTime } from "../../domain/transaction/transaction.ts";
import type { WholeMs } from "../../domain/values/whole-ms.ts";
import type { OpenFault } from "./game-launcher.ts";

export const HOUR_MS = 3_600_000;
/** For how long results are stored, in ms. */
export const SOURCE_HOURS_MS = 7 * 24 * HOUR_MS;
/** The maximum of bytes of a stored message. */
export const MESSAGE_MAX_BYTES = 512;

/** How a source of a provider answered the launches of one hour. */
export interface SourceHour {
  readonly provider: string;
  readonly address: string;
  /** The beginning of the hour. */
  readonly at: WholeMs;
  readonly opened: number;
  readonly failed: number;
  /** The last launch that the source opened, and how long the call took; null: it opened none in this hour. */
  readonly lastOpened: { readonly at: WholeMs; readonly durationMs: WholeMs } | null;
  /** The last launch that failed; null: none failed in this hour. The message is for people. */
  readonly lastFailed: { readonly at: WholeMs; readonly fault: OpenFault; readonly message: string } | null;
}

/** How sources answered launches, by hour. Throws StoreUnavailable. */
export abstract class SourceHours {
  /**
   * Stores the results of one replica. Results of the same replica, source and hour are replaced, so a repeat is
   * harmless.
   *
   * @param replica - the id of the process.
   */
  abstract store(replica: string, hours: readonly SourceHour[]): Promise<void>;

  /**
   * The results of all replicas for these providers, in no order: an hour of a source may be there several times.
   *
   * @param from - the beginning of the first hour.
   */
  abstract read(providers: readonly string[], from: DbTime): Promise<SourceHour[]>;

  /** Deletes results older than 7 days, at most `limit`. Resolves to the number of deleted rows. */
  abstract forget(limit: number): Promise<number>;
}
