import { get, type IncomingMessage } from "node:http";
import { applied, type BoardEvent, type BoardMessage } from "../../sandbox/sportsbook/stream/board-change.ts";

/** A player's page without a user interface: it reads the board's stream and applies each message. */
export class Player {
  board: readonly BoardEvent[] = [];
  lastId = "";
  isOpen = false;
  /** The arrival time of each message by its id, in ms of the monotonic clock. */
  readonly heard = new Map<string, number>();
  readonly #response: IncomingMessage;
  #text = "";

  private constructor(response: IncomingMessage) {
    this.#response = response;
    this.isOpen = true;
    response.setEncoding("utf8").on("data", (chunk: string) => this.#take(chunk));
    response.on("close", () => (this.isOpen = false));
    response.on("error", () => undefined);
  }

  /**
   * @param localAddress - an address of this machine. It is given because a sportsbook limits the streams of an
   * address.
   */
  static open(sportsbook: string, localAddress: string): Promise<Player> {
    return new Promise((resolve, reject) => {
      get(`${sportsbook}/api/board`, { localAddress, agent: false }, (response) => {
        if (response.statusCode === 200) resolve(new Player(response));
        else reject(new Error(`the stream was refused: ${response.statusCode}`));
      }).on("error", reject);
    });
  }

  /** The number of bytes received over this connection, including the bytes of HTTP itself. */
  get bytes(): number {
    return this.#response.socket.bytesRead;
  }

  close(): void {
    this.#response.destroy();
  }

  #take(chunk: string): void {
    this.#text += chunk;
    const messages = this.#text.split("\n\n");
    this.#text = messages.pop() ?? "";
    for (const text of messages) {
      const [, id = "", data = "{}"] = /^id: (.*)\ndata: (.*)$/.exec(text) ?? [];
      const { board } = JSON.parse(data) as BoardMessage;
      if (board === undefined) continue;
      this.board = applied(this.board, board);
      this.lastId = id;
      this.heard.set(id, performance.now());
    }
  }
}
