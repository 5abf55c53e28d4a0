import { randomBytes } from "node:crypto";
import type { BookEvent } from "../model/book.ts";
import type { BoardChange, BoardEvent } from "./board-change.ts";
import { changeBetween } from "./board-diff.ts";

/** The number of a match's markets that the board shows. */
const BOARD_MARKETS = 2;
/**
 * The number of stored states, for about five minutes. A page that was disconnected for longer gets the whole board.
 */
const KEPT_MAX = 75;

/** The source of the matches: the book. */
export interface BoardSource {
  /** All matches that can be bet on, in the order of the board. */
  board(): readonly BookEvent[];
  /** One match, even a finished one. undefined: there is no match with this id. */
  event(id: string): BookEvent | undefined;
}

/** The matches that can be bet on, at one moment. */
interface BoardState {
  readonly events: readonly BookEvent[];
  /** The matches as the board shows them. */
  readonly board: readonly BoardEvent[];
}

/**
 * The last states of the board. So a page that was disconnected for a while gets only the changes since then. Each
 * state has an id that no other process uses.
 */
export class BoardHistory {
  readonly #source: BoardSource;
  readonly #process = randomBytes(4).toString("hex");
  readonly #states = new Map<string, BoardState>();
  /**
   * The changes up to the last state, as JSON, by the id of the earlier state. They are cached, because many pages need
   * the same changes.
   */
  readonly #changes = new Map<string, string | undefined>();
  #made = 0;
  #lastId = "";
  #last: BoardState;

  constructor(source: BoardSource) {
    this.#source = source;
    this.#last = this.#add(source.board());
  }

  get lastId(): string {
    return this.#lastId;
  }

  /** The matches on the board now, as it shows them. */
  get board(): readonly BoardEvent[] {
    return this.#last.board;
  }

  /** Reads the source. false: nothing has changed. */
  look(): boolean {
    const events = this.#source.board();
    if (changeBetween(this.#last.events, events) === undefined) return false;
    this.#last = this.#add(events);
    return true;
  }

  /**
   * The changes of the board since the state with this id, as the JSON of a {@link BoardChange}. undefined: nothing
   * changed. If there is no stored state with this id, the change has the whole board.
   */
  since(id: string): string | undefined {
    const before = this.#states.get(id);
    // All unknown ids share one entry of the cache.
    const key = before === undefined ? "" : id;
    if (!this.#changes.has(key)) {
      const change: BoardChange | undefined = changeBetween(before?.board, this.#last.board);
      this.#changes.set(key, change && JSON.stringify(change));
    }
    return this.#changes.get(key);
  }

  /** A match with all its markets, even if it is not on the board. undefined: there is no such match. */
  event(id: string): BookEvent | undefined {
    return this.#last.events.find((event) => event.id === id) ?? this.#source.event(id);
  }

  #add(events: readonly BookEvent[]): BoardState {
    const board = events.map((event) => ({
      ...event,
      markets: event.markets.slice(0, BOARD_MARKETS),
      more: event.markets.length - BOARD_MARKETS,
    }));
    const state = { events, board };
    this.#lastId = `${this.#process}-${++this.#made}`;
    this.#states.set(this.#lastId, state);
    this.#changes.clear();
    const [oldest] = this.#states.keys();
    if (this.#states.size > KEPT_MAX && oldest !== undefined) this.#states.delete(oldest);
    return state;
  }
}
