import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import test, { type ExecutionContext } from "ava";
import { startPageServer } from "../../../../sandbox/http/page-server.ts";
import { Book, type BookEvent } from "../../../../sandbox/sportsbook/model/book.ts";
import {
  applied,
  type BoardEvent,
  type BoardMessage,
  type BoardOpening,
} from "../../../../sandbox/sportsbook/stream/board-change.ts";
import type { BoardSource } from "../../../../sandbox/sportsbook/stream/board-history.ts";
import { BoardStreams } from "../../../../sandbox/sportsbook/stream/board-streams.ts";

const TICK_MS = 4_000;

/** A book with its own clock, and a real server for the book's streams. */
class Station {
  readonly book: Book;
  readonly streams: BoardStreams;
  readonly responses: ServerResponse[] = [];
  url = "";
  #now = 0;
  #server!: Server;

  private constructor(source?: BoardSource) {
    this.book = new Book(7, () => this.#now);
    this.streams = new BoardStreams(source ?? this.book);
  }

  /** @param source - replaces the book. */
  static async open(t: ExecutionContext, source?: BoardSource): Promise<Station> {
    const station = new Station(source);
    const { server, port } = await startPageServer(
      { api: { "GET /api/board": station.streams.open }, folders: {}, csp: "default-src 'none'" },
      0,
      "127.0.0.1",
    );
    server.on("request", (_, response) => station.responses.push(response));
    station.#server = server;
    station.url = `http://127.0.0.1:${port}/api/board`;
    t.teardown(() => station.close());
    return station;
  }

  /** Lets `ticks` ticks of the book pass, and sends the changes of each tick. */
  pass(ticks: number): void {
    for (let i = 0; i < ticks; i++) {
      this.#now += TICK_MS;
      this.streams.look();
    }
  }

  /** The board that a page gets if it opens now. */
  get opening(): BoardOpening {
    return JSON.parse(this.streams.opening()) as BoardOpening;
  }

  get board(): readonly BoardEvent[] {
    return applied([], this.opening.board);
  }

  close(): Promise<void> {
    this.streams.close();
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** A page. It applies all messages in the order of their arrival. */
class Reader {
  readonly messages: { readonly id: string; readonly message: BoardMessage }[] = [];
  board: readonly BoardEvent[] = [];
  followed: readonly BoardEvent[] = [];
  ended = false;
  readonly #response: IncomingMessage;
  #text = "";

  private constructor(response: IncomingMessage, board: readonly BoardEvent[]) {
    this.board = board;
    this.#response = response;
    response.setEncoding("utf8").on("data", (chunk: string) => this.#take(chunk));
    response.on("close", () => (this.ended = true));
    response.on("error", () => undefined);
  }

  static async open(
    url: string,
    headers: Record<string, string> = {},
    board: readonly BoardEvent[] = [],
  ): Promise<Reader> {
    const [response] = (await once(get(url, { headers, agent: new Agent() }), "response")) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    return new Reader(response, board);
  }

  get lastId(): string {
    return this.messages.at(-1)?.id ?? "";
  }

  /** Waits until the last message has this id. */
  async until(id: string): Promise<void> {
    while (this.lastId !== id) {
      if (this.ended) throw new Error("the stream ended");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  close(): void {
    this.#response.destroy();
  }

  #take(chunk: string): void {
    this.#text += chunk;
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end === -1) return;
      const [, id = "", data = ""] = /^id: (.*)\ndata: (.*)$/.exec(this.#text.slice(0, end)) ?? [];
      this.#text = this.#text.slice(end + 2);
      const message = JSON.parse(data) as BoardMessage;
      this.messages.push({ id, message });
      if (message.board !== undefined) this.board = applied(this.board, message.board);
      if (message.followed !== undefined) this.followed = applied(this.followed, message.followed);
    }
  }
}

test.serial(
  "a page that has the board gets only changes, message after message, and has the server's board after each message",
  async (t) => {
    const station = await Station.open(t);
    const { id, board } = station.opening;
    const reader = await Reader.open(`${station.url}?after=${id}`, {}, applied([], board));
    await reader.until(id);
    t.deepEqual(reader.messages[0]?.message.board, undefined, "nothing has changed since");
    // During these ticks matches begin and end.
    for (let i = 0; i < 60; i++) {
      station.pass(1);
      await reader.until(station.opening.id);
      assert.deepEqual(reader.board, station.board);
    }
    t.is(new Set(reader.messages.map((one) => one.id)).size, reader.messages.length, "no message came twice");
    t.true(reader.messages.some(({ message }) => message.board?.gone !== undefined));
    t.true(reader.messages.every(({ message }) => message.board?.whole === undefined));
  },
);

for (const [how, request] of [
  ["the header Last-Event-ID", (id: string) => ["?after=old", { "last-event-id": id }] as const],
  ["the address", (id: string) => [`?after=${id}`, {}] as const],
] as const)
  test.serial(
    `after a gap a page that sends its last id by ${how} gets everything that it missed in one message`,
    async (t) => {
      const station = await Station.open(t);
      const first = await Reader.open(`${station.url}?after=${station.opening.id}`, {}, station.board);
      station.pass(3);
      await first.until(station.opening.id);
      first.close();
      station.pass(40);
      const [query, headers] = request(first.lastId);
      const again = await Reader.open(station.url + query, headers, first.board);
      await again.until(station.opening.id);
      t.is(again.messages.length, 1);
      t.is(again.messages[0]?.message.board?.whole, undefined, "it is not the whole board");
      t.deepEqual(again.board, station.board);
    },
  );

test.serial("a page whose last id is too old, of another process or missing gets the whole board", async (t) => {
  const station = await Station.open(t);
  const old = station.opening.id;
  station.pass(80);
  for (const query of [`?after=${old}`, "?after=00000000-1", ""]) {
    const stale = [{ ...station.board[0], id: "a-match-that-is-over" } as BoardEvent];
    const reader = await Reader.open(station.url + query, {}, stale);
    await reader.until(station.opening.id);
    t.true(reader.messages[0]?.message.board?.whole);
    t.deepEqual(reader.board, station.board);
  }
});

test.serial(
  "a page gets the matches that it follows with all markets, even an ended match, and no match that does not exist",
  async (t) => {
    const station = await Station.open(t);
    const id = station.book.board()[0]?.id ?? "";
    const reader = await Reader.open(`${station.url}?after=${station.opening.id}&follow=${id},no-such-match`);
    await reader.until(station.opening.id);
    t.deepEqual(reader.followed, [station.book.event(id)] as BoardEvent[]);
    t.true((reader.followed[0]?.markets.length ?? 0) > 2);
    station.pass(5);
    await reader.until(station.opening.id);
    t.deepEqual(reader.followed, [station.book.event(id)] as BoardEvent[]);
    t.true(station.book.finish(id, { home: 5, away: 4 }));
    station.streams.look();
    await reader.until(station.opening.id);
    t.like(reader.followed[0], { id, phase: "finished", score: { home: 5, away: 4 }, markets: [] });
  },
);

test.serial(
  "for a page that reads nothing, the server holds less than 200 kB, and the page gets the present odds when it reads again",
  async (t) => {
    let odds = 101;
    const [known] = new Book(7, () => 0).board();
    const offers = () =>
      Array.from({ length: 4_000 }, (_, i) => ({ id: `m:total:0:${i}`, pick: "over" as const, odds }));
    const match = (): BookEvent => ({
      ...(known as BookEvent),
      id: "m",
      markets: [{ id: "m:total:0", kind: "total", line: 0, offers: offers() }],
    });
    const station = await Station.open(t, { board: () => [match()], event: match });
    const { port, pathname } = new URL(station.url);
    const socket = connect(Number(port), "127.0.0.1").pause();
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\n\r\n`);
    while (station.responses.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const [response] = station.responses as [ServerResponse];
    const change = async (): Promise<void> => {
      odds++;
      station.streams.look();
      await new Promise((resolve) => setImmediate(resolve));
    };
    // Whether the buffers of both sockets are full. They hold some megabytes.
    const isFull = async (): Promise<boolean> => {
      if (response.writableNeedDrain) await new Promise((resolve) => setTimeout(resolve, 100));
      return response.writableNeedDrain;
    };
    for (let i = 0; i < 3_000 && !(await isFull()); i++) await change();
    const waiting = response.writableLength;
    t.true(waiting > 0 && waiting < 200_000, `${waiting} bytes wait`);
    for (let i = 0; i < 50; i++) await change();
    t.is(response.writableLength, waiting, "nothing was added to what waits");
    let read = "";
    socket
      .setEncoding("utf8")
      .on("data", (chunk: string) => (read += chunk))
      .resume();
    // The page missed fewer states than the server keeps, so one message has all changes.
    const last = `id: ${station.opening.id}\ndata: {"board":{"odds":{"m":[${odds},`;
    while (!read.includes(last)) await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
  },
);

test.serial(
  "an address may have 250 streams at once and gets 429 for a further one, and another address still gets an answer",
  async (t) => {
    const station = await Station.open(t);
    const readers = await Promise.all(Array.from({ length: 250 }, () => Reader.open(station.url)));
    await t.throwsAsync(Reader.open(station.url), { message: "status 429" });
    const closed = once(station.responses[0] as ServerResponse, "close");
    readers[0]?.close();
    await Promise.race([closed, Promise.all(station.responses.slice(0, 250).map((one) => once(one, "close")))]);
    await once(get(station.url, { localAddress: "127.0.0.2" }), "response");
    for (const reader of readers) reader.close();
  },
);

test.serial("closing the streams ends every connection", async (t) => {
  const station = await Station.open(t);
  const readers = await Promise.all([1, 2, 3].map(() => Reader.open(station.url)));
  station.streams.close();
  while (readers.some(({ ended }) => !ended)) await new Promise((resolve) => setTimeout(resolve, 5));
  t.pass();
});
