import { applied, type BoardEvent, type BoardMessage, type BoardOpening } from "../stream/board-change.ts";

/** The server sends a message at least every 10 s. */
const SILENT_MS_MAX = 25_000;
/**
 * The pause before a new connection. Half of it is random, so that after an outage not all pages connect at the same
 * time.
 */
const AGAIN_MS = 3_000;

/** The events of a {@link LiveBoard}. */
interface BoardListener {
  /** The matches are now the same as on the server. */
  readonly onMessage: (hasChanges: boolean) => void;
  /** The connection was lost. {@link LiveBoard} will connect again. */
  readonly onLost: () => void;
}

/**
 * A copy of the server's board, kept current over a connection. A new connection continues where the earlier connection
 * ended.
 */
export class LiveBoard {
  readonly #listener: BoardListener;
  #events: readonly BoardEvent[];
  /** The matches that this connection follows. undefined: the server has not sent them yet. */
  #followed: readonly BoardEvent[] | undefined;
  #wanted: ReadonlySet<string> = new Set();
  #lastId: string;
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ id, board }: BoardOpening, listener: BoardListener) {
    this.#listener = listener;
    this.#lastId = id;
    this.#events = applied([], board);
  }

  /** The matches on the board, with their first markets. */
  get events(): readonly BoardEvent[] {
    return this.#events;
  }

  /** A followed match with all markets. "none": there is no such match. undefined: the server has not sent it yet. */
  event(id: string): BoardEvent | "none" | undefined {
    if (this.#followed === undefined || !this.#wanted.has(id)) return undefined;
    return this.#followed.find((event) => event.id === id) ?? "none";
  }

  /** Follows these matches. A new connection is opened only if one of them is not followed yet. */
  follow(ids: ReadonlySet<string>): void {
    if (ids.isSubsetOf(this.#wanted)) return;
    this.#wanted = ids;
    if (this.#source !== undefined) this.open();
  }

  /** Opens a connection and closes an earlier one. */
  open(): void {
    this.close();
    const follow = [...this.#wanted].map(encodeURIComponent).join(",");
    const source = new EventSource(`/api/board?after=${encodeURIComponent(this.#lastId)}&follow=${follow}`);
    this.#source = source;
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      this.#wait(SILENT_MS_MAX, () => this.#lost());
      this.#take(JSON.parse(data) as BoardMessage, lastEventId);
    };
    source.onerror = () => this.#lost();
    this.#wait(SILENT_MS_MAX, () => this.#lost());
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
    this.#followed = undefined;
  }

  #take({ board, followed }: BoardMessage, id: string): void {
    this.#lastId = id;
    if (board !== undefined) this.#events = applied(this.#events, board);
    this.#followed = applied(this.#followed ?? [], followed ?? {});
    this.#listener.onMessage(board !== undefined || followed !== undefined);
  }

  #lost(): void {
    this.close();
    this.#wait(AGAIN_MS * (0.5 + Math.random()), () => this.open());
    this.#listener.onLost();
  }

  #wait(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
  }
}
