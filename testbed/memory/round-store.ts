import type { DbTime } from "../../src/domain/transaction/transaction.ts";
import {
  type EndLine,
  type ListedRound,
  type RoundKey,
  type RoundListQuery,
  RoundStore,
  type StoredRound,
} from "../../src/ports/transactions/round-store.ts";

interface Row extends RoundKey, StoredRound {}

/** Rounds in a map, with the same contract as the database's store. */
export class MemoryRoundStore extends RoundStore {
  readonly #rows = new Map<string, Row>();
  readonly #now: () => DbTime;

  readonly #stored: (row: Row) => void;

  /** @param stored - called for each row that is written. */
  constructor(now: () => DbTime, stored: (row: Row) => void = () => {}) {
    super();
    this.#now = now;
    this.#stored = stored;
  }

  override async end(lines: readonly EndLine[]): Promise<void> {
    for (const line of lines) this.store(line, line.openedAt, true);
  }

  override async read(key: RoundKey): Promise<StoredRound | undefined> {
    const row = this.#rows.get(textOf(key));
    return row && { openedAt: row.openedAt, endedAt: row.endedAt };
  }

  override async list(query: RoundListQuery, limit: number): Promise<ListedRound[]> {
    const { merchantId, state, openedBefore = Number.POSITIVE_INFINITY, endedSince = 0, after } = query;
    const position = ({ openedAt, endedAt, providerId, roundId }: Row): Position =>
      state === "open" ? [openedAt, openedAt, providerId, roundId] : [endedAt ?? 0, openedAt, providerId, roundId];
    const from: Position | undefined = after && [after.at, after.openedAt, after.providerId, after.roundId];
    return [...this.#rows.values()]
      .filter((row) => row.merchantId === merchantId && (row.endedAt === null) === (state === "open"))
      .filter((row) => row.openedAt < openedBefore && (state === "open" || (row.endedAt ?? 0) >= endedSince))
      .filter((row) => from === undefined || compare(position(row), from) > 0)
      .sort((a, b) => compare(position(a), position(b)))
      .slice(0, limit)
      .map(({ providerId, roundId, openedAt, endedAt }) => ({ providerId, roundId, openedAt, endedAt }));
  }

  isEnded(key: RoundKey): boolean {
    return (this.#rows.get(textOf(key))?.endedAt ?? null) !== null;
  }

  /** All rounds. */
  all(): Row[] {
    return [...this.#rows.values()];
  }

  /** Stores that a round was seen, and perhaps ended. Its first end and its earliest beginning stay. */
  store({ merchantId, providerId, roundId }: RoundKey, openedAt: DbTime | null, ended: boolean): void {
    const now = this.#now();
    const known = this.#rows.get(textOf({ merchantId, providerId, roundId }));
    const row = {
      merchantId,
      providerId,
      roundId,
      openedAt: Math.min(openedAt ?? now, known?.openedAt ?? Number.POSITIVE_INFINITY),
      endedAt: known?.endedAt ?? (ended ? now : null),
    };
    this.#rows.set(textOf(row), row);
    this.#stored(row);
  }
}

type Position = readonly [number, number, number, string];

function compare(a: Position, b: Position): number {
  for (const [i, one] of a.entries()) {
    const other = b[i] as typeof one;
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

const textOf = ({ merchantId, providerId, roundId }: RoundKey): string => `${merchantId}/${providerId}/${roundId}`;
