import type { ServerResponse } from "node:http";
import type { ApiCall } from "../../http/page-server.ts";
import { StreamLimit } from "../../http/stream-limit.ts";
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
  readonly #limit = new StreamLimit(STREAMS_MAX, STREAMS_PER_ADDRESS_MAX);
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

  /** Answers `GET /api/board`. Refuses when there are too many streams. */
  readonly open = ({ request, response, url }: ApiCall): undefined => {
    this.#limit.enter({ request, response });
    const after = request.headers["last-event-id"] ?? url.searchParams.get("after") ?? "";
    const follow = (url.searchParams.get("follow") ?? "").split(",", FOLLOWED_MAX).filter((id) => id !== "");
    response.once("close", () => this.#streams.delete(response));
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
