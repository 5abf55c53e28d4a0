import type { Game, GameChange, GamePosition, SettingsStore } from "../../ports/settings-store.ts";

/** The number of games in one read. */
const SLICE_GAMES = 250;
/**
 * Changes are small if all of them together have at most this many games. They are read with the other settings. One
 * change of an import has more games.
 */
const SMALL_CHANGE_GAMES = 100;

/** The changed games of one write, or of several writes. Not all of them have been read yet. */
interface UnreadChange {
  readonly upTo: bigint;
  after: GamePosition;
  /** About how many games of this change have not been read yet. */
  left: number;
  readonly read: PromiseWithResolvers<void>;
}

/**
 * Reads changed games in slices, one slice at a time. The change with the fewest games comes first. So if a single game
 * is made inactive during the import of a whole catalog, this is known after one more slice.
 */
export class GameChanges {
  readonly #store: SettingsStore;
  readonly #onGames: (games: readonly Game[]) => void;
  readonly #report: (cause: unknown) => void;
  readonly #unread = new Set<UnreadChange>();
  #reading: Promise<void> | null = null;
  #stopped = false;

  /**
   * @param onGames - called with each slice. If a game is passed twice, its newest state is passed last.
   * @param report - called with the error if a slice could not be read.
   */
  constructor(store: SettingsStore, onGames: (games: readonly Game[]) => void, report: (cause: unknown) => void) {
    this.#store = store;
    this.#onGames = onGames;
    this.#report = report;
  }

  /** Whether every change that was added has been read. */
  get isEmpty(): boolean {
    return this.#unread.size === 0;
  }

  /** Adds each write as a change of its own. {@link readSmall} and {@link readAll} read them. */
  add(changes: readonly GameChange[]): void {
    for (const { epoch, count } of changes) this.#add({ epoch, id: 0 }, epoch, count);
  }

  /** Adds all writes as one change. This is used at the start, when there may be thousands of writes. */
  addTogether(changes: readonly GameChange[], upTo: bigint): void {
    const count = changes.reduce((sum, change) => sum + change.count, 0);
    if (count > 0) this.#add({ epoch: 0n, id: 0 }, upTo, count);
  }

  #add(after: GamePosition, upTo: bigint, left: number): void {
    const read = Promise.withResolvers<void>();
    this.#unread.add({ after, upTo, left, read });
  }

  /**
   * Resolves when the small changes have been read. The read of the large changes goes on. Rejects if a read fails; the
   * next call reads the remaining games.
   */
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

  /** Like {@link readSmall}, but resolves when all changes that were added before this call have been read. */
  readAll(): Promise<void> {
    return this.#wait([...this.#unread]);
  }

  /** Stops reading after the present slice. */
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
    // The error is reported here, because often nothing waits for this promise.
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
