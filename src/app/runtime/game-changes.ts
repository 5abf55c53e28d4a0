import type { Game, GameChange, GamePosition, SettingsStore } from "../../ports/settings-store.ts";

/** Games of one read. */
const SLICE_GAMES = 250;
/** Changes of so many games in all are read together with the other settings. A part of an import is more. */
const SMALL_CHANGE_GAMES = 100;

/** Changed games of some writes that are not all read yet. */
interface UnreadChange {
  readonly upTo: bigint;
  after: GamePosition;
  /** About how many games are left. */
  left: number;
  readonly read: PromiseWithResolvers<void>;
}

/**
 * Reads changed games in slices, one slice at a time and the smallest change first: while an import of a whole catalog is read, a single game
 * that was made inactive is known after one slice more.
 */
export class GameChanges {
  readonly #store: SettingsStore;
  readonly #onGames: (games: readonly Game[]) => void;
  readonly #report: (cause: unknown) => void;
  readonly #unread = new Set<UnreadChange>();
  #reading: Promise<void> | null = null;
  #stopped = false;

  /**
   * @param take - is given each slice. A game that comes twice comes in its newest state last.
   * @param report - is told of each slice that could not be read.
   */
  constructor(store: SettingsStore, take: (games: readonly Game[]) => void, report: (cause: unknown) => void) {
    this.#store = store;
    this.#onGames = take;
    this.#report = report;
  }

  /** Every change that was added has been read. */
  get isEmpty(): boolean {
    return this.#unread.size === 0;
  }

  /** Adds each write as a change of its own. They are read by {@link readSmall} and {@link readAll}. */
  add(changes: readonly GameChange[]): void {
    for (const { epoch, count } of changes) this.#add({ epoch, id: 0 }, epoch, count);
  }

  /** Adds all writes as one change: for the start, when there may be thousands of them. */
  addTogether(changes: readonly GameChange[], upTo: bigint): void {
    const count = changes.reduce((sum, change) => sum + change.count, 0);
    if (count > 0) this.#add({ epoch: 0n, id: 0 }, upTo, count);
  }

  #add(after: GamePosition, upTo: bigint, left: number): void {
    const read = Promise.withResolvers<void>();
    this.#unread.add({ after, upTo, left, read });
  }

  /** Resolves when the small changes are read; large ones are read on behind it. Rejects when a read fails: what is left is read by the next call. */
  readSmall(): Promise<void> {
    const small: UnreadChange[] = [];
    let games = 0;
    for (const span of this.#bySize()) {
      games += span.left;
      if (games > SMALL_CHANGE_GAMES) break;
      small.push(span);
    }
    return this.#wait(small);
  }

  /** As {@link readSmall}, but resolves when all changes that were added before this call are read. */
  readAll(): Promise<void> {
    return this.#wait([...this.#unread]);
  }

  /** No further slice is read. */
  stop(): void {
    this.#stopped = true;
  }

  async #wait(spans: readonly UnreadChange[]): Promise<void> {
    if (this.isEmpty) return;
    this.#reading ??= this.#begin();
    await Promise.race([Promise.all(spans.map(({ read }) => read.promise)), this.#reading]);
  }

  #begin(): Promise<void> {
    const reading = this.#readSlices().finally(() => {
      this.#reading = null;
    });
    // Often nobody waits for it.
    reading.catch(this.#report);
    return reading;
  }

  #bySize(): UnreadChange[] {
    return [...this.#unread].sort((a, b) => a.left - b.left);
  }

  async #readSlices(): Promise<void> {
    for (let [span] = this.#bySize(); span !== undefined && !this.#stopped; [span] = this.#bySize()) {
      const { games, next } = await this.#store.games(span.after, span.upTo, SLICE_GAMES);
      this.#onGames(games);
      if (next !== null) {
        span.after = next;
        span.left = Math.max(1, span.left - games.length);
        continue;
      }
      this.#unread.delete(span);
      span.read.resolve();
    }
  }
}
