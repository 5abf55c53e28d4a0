import { applied, type BoardEvent, type BoardMessage, type BoardOpening } from "../stream/board-change.ts";

/** The server sends a message at least every 10 s. */
const SILENT_MS_MAX = 25_000;
/** Half of it is left to chance, so that not all pages come back at the same time when a server was gone. */
const AGAIN_MS = 3_000;

/** What a {@link LiveBoard} tells. */
interface BoardListener {
  /** The matches are those of the server now. */
  readonly onMessage: (hasChanges: boolean) => void;
  /** The connection was lost. It is tried again. */
  readonly onLost: () => void;
}

/** The board as the server has it, by one connection that goes on where the one before ended. */
export class LiveBoard {
  readonly #listener: BoardListener;
  #events: readonly BoardEvent[];
  /** The matches that this connection follows. undefined: it has not told them yet. */
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

  /** A followed match with all markets. "none": there is no such match. undefined: it is not known yet. */
  event(id: string): BoardEvent | "none" | undefined {
    if (this.#followed === undefined || !this.#wanted.has(id)) return undefined;
    return this.#followed.find((event) => event.id === id) ?? "none";
  }

  /** Follows these matches. The connection is only made anew when one of them is not followed yet. */
  follow(ids: ReadonlySet<string>): void {
    if (ids.isSubsetOf(this.#wanted)) return;
    this.#wanted = ids;
    if (this.#source !== undefined) this.open();
  }

  /** Connects, in place of a connection that is there. */
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
