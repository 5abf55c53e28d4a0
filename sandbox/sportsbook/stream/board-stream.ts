import type { ServerResponse } from "node:http";
import type { BoardEvent } from "./board-change.ts";
import { changeBetween } from "./board-diff.ts";
import type { BoardHistory } from "./board-history.ts";

/** After this time without a message a page gets an empty message, which shows that the connection is alive. */
const SILENT_MS = 10_000;
/** The connection of a page that reads nothing for this time is closed. */
const UNREAD_MS = 30_000;

/**
 * The stream of one page. For a slow page, at most one message waits in the socket's buffer: while it waits, nothing
 * else is written. Then the page gets all changes of the meantime in one message.
 */
export class BoardStream {
  readonly #history: BoardHistory;
  readonly #response: ServerResponse;
  readonly #follow: readonly string[];
  #sentId: string;
  #sentFollowed: readonly BoardEvent[] | undefined;
  #sentAt = 0;
  #isFull = false;

  /**
   * @param after - the id of the state that the page has, or any other text.
   * @param follow - ids of matches.
   */
  constructor(history: BoardHistory, response: ServerResponse, after: string, follow: readonly string[]) {
    this.#history = history;
    this.#response = response;
    this.#follow = follow;
    this.#sentId = after;
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" });
    response.on("drain", () => {
      this.#isFull = false;
      this.send();
    });
    this.#write(this.#message() ?? "{}");
  }

  /** Sends the changes since the last message. */
  send(): void {
    if (this.#isFull) return;
    const message = this.#message();
    if (message !== undefined) this.#write(message);
  }

  /** Call it regularly: it keeps the connection alive, or closes it if the page reads nothing. */
  watch(): void {
    const silent = Date.now() - this.#sentAt;
    if (this.#isFull && silent > UNREAD_MS) this.#response.destroy();
    else if (!this.#isFull && silent > SILENT_MS) this.#write("{}");
  }

  /** The JSON of a {@link BoardMessage}. undefined: nothing has changed. */
  #message(): string | undefined {
    const board = this.#history.since(this.#sentId);
    const events = this.#follow.map((id) => this.#history.event(id)).filter((event) => event !== undefined);
    const followed = this.#follow.length === 0 ? undefined : changeBetween(this.#sentFollowed, events);
    this.#sentFollowed = events;
    if (board === undefined && followed === undefined) return undefined;
    const parts = [board && `"board":${board}`, followed && `"followed":${JSON.stringify(followed)}`];
    return `{${parts.filter((part) => part !== undefined).join(",")}}`;
  }

  #write(message: string): void {
    this.#sentId = this.#history.lastId;
    this.#sentAt = Date.now();
    this.#isFull = !this.#response.write(`id: ${this.#sentId}\ndata: ${message}\n\n`);
  }
}
