import type { ServerResponse } from "node:http";
import { type ApiCall, Refused } from "../../http/page-server.ts";
import type { BoardEvent } from "./board-change.ts";
import { BoardHistory, type BoardSource } from "./board-history.ts";
import { BoardStream } from "./board-stream.ts";

/** The interval between two reads of the matches. A page gets new odds at most this much later. */
const LOOK_EVERY_MS = 500;
const STREAMS_MAX = 5_000;
/** Many players of one mobile network share an address. */
const STREAMS_PER_ADDRESS_MAX = 250;
/** A slip has twenty lines, and one more match may be open. */
const FOLLOWED_MAX = 21;

/**
 * Sends the board to all open pages, as server-sent events: `GET /api/board`. The address has parameters:
 *
 * - `after`: the id of the state that the page has. A Last-Event-ID header replaces it. The page gets the changes since
 *   this state, or the whole board if the state is too old.
 * - `follow`: ids of matches, separated by commas. The page gets these matches with all markets.
 *
 * The data of each event is a {@link BoardMessage}.
 */
export class BoardStreams {
  readonly #history: BoardHistory;
  readonly #streams = new Map<ServerResponse, BoardStream>();
  readonly #countByAddress = new Map<string, number>();
  readonly #looking: NodeJS.Timeout;

  constructor(source: BoardSource) {
    this.#history = new BoardHistory(source);
    this.#looking = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  /** The matches on the board now. */
  get board(): readonly BoardEvent[] {
    return this.#history.board;
  }

  /** The whole board, as the JSON of a {@link BoardOpening}. */
  opening(): string {
    return `{"id":"${this.#history.lastId}","board":${this.#history.since("")}}`;
  }

  /** Answers `GET /api/board`. Throws {@link Refused} when there are too many streams. */
  readonly open = ({ request, response, url }: ApiCall): undefined => {
    const address = request.socket.remoteAddress ?? "";
    const count = this.#countByAddress.get(address) ?? 0;
    if (count >= STREAMS_PER_ADDRESS_MAX || this.#streams.size >= STREAMS_MAX)
      throw new Refused(429, "TOO_MANY_STREAMS", "Too many pages are open. Close some, or try again later.");
    const after = request.headers["last-event-id"] ?? url.searchParams.get("after") ?? "";
    const follow = (url.searchParams.get("follow") ?? "").split(",", FOLLOWED_MAX).filter((id) => id !== "");
    this.#countByAddress.set(address, count + 1);
    response.once("close", () => {
      this.#streams.delete(response);
      const left = (this.#countByAddress.get(address) ?? 1) - 1;
      if (left > 0) this.#countByAddress.set(address, left);
      else this.#countByAddress.delete(address);
    });
    this.#streams.set(response, new BoardStream(this.#history, response, String(after), follow));
    return undefined;
  };

  /** Reads the matches, and sends the changes. The class calls this method itself twice a second. */
  look(): void {
    const hasChanged = this.#history.look();
    for (const stream of this.#streams.values()) {
      if (hasChanged) stream.send();
      stream.watch();
    }
  }

  /** Ends all streams. */
  close(): void {
    clearInterval(this.#looking);
    for (const response of this.#streams.keys()) response.end();
  }
}
