import test from "ava";
import { Book } from "../../../sandbox/sportsbook/model/book.ts";
import { FIXTURES_PER_LEAGUE } from "../../../sandbox/sportsbook/model/fixture.ts";
import { LEAGUES } from "../../../sandbox/sportsbook/model/leagues.ts";

const OPENED = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

function bookAt(seed: number): { book: Book; pass(ms: number): void } {
  let now = OPENED;
  return { book: new Book(seed, () => now), pass: (ms) => void (now += ms) };
}

test("two books with the same seed always have the same board, and a book with another seed has another board", (t) => {
  const [one, same, other] = [bookAt(7), bookAt(7), bookAt(8)];
  t.deepEqual(one.book.board(), same.book.board());
  t.notDeepEqual(one.book.board(), other.book.board());
  one.pass(30 * MINUTE);
  // The result must not depend on how often the other book was read in the meantime.
  for (let look = 0; look < 6; look++) {
    same.pass(5 * MINUTE);
    same.book.board();
  }
  t.deepEqual(one.book.board(), same.book.board());
});

test("the board always has all its matches, some of them live and some upcoming, and no team plays against itself", (t) => {
  const { book, pass } = bookAt(3);
  for (let i = 0; i < 15; i++) {
    const board = book.board();
    t.is(board.length, LEAGUES.length * FIXTURES_PER_LEAGUE);
    t.true(board.every(({ home, away }) => home !== away));
    t.true(board.some(({ phase }) => phase === "live") && board.some(({ phase }) => phase === "upcoming"));
    pass(3 * MINUTE + 7_000);
  }
});

test("a score never falls, and a match that is over is settled by its last score and offers no more bets", (t) => {
  const { book, pass } = bookAt(11);
  const watched = new Map(book.board().map((event) => [event.id, event]));
  for (let i = 0; i < 30; i++) {
    pass(24_000);
    for (const [id, before] of watched) {
      const now = book.event(id);
      t.true(now !== undefined && now.score.home >= before.score.home && now.score.away >= before.score.away, id);
      if (now !== undefined) watched.set(id, now);
    }
  }
  const over = [...watched.values()].filter(({ phase }) => phase === "finished");
  t.true(over.length >= LEAGUES.length);
  for (const { id, markets, score } of over) {
    t.deepEqual(markets, []);
    const winner = score.home > score.away ? "home" : score.home < score.away ? "away" : "draw";
    const kind = id.startsWith("liga-do-sol") ? "result" : undefined;
    if (kind !== undefined) t.is(book.outcome(`${id}:result:0:${winner}`)?.outcome, "won");
    t.is(book.selection(`${id}:total:10:over`)?.odds, null);
  }
});

test("odds move with time", (t) => {
  const { book, pass } = bookAt(5);
  const prices = () =>
    book.board().flatMap(({ markets }) => markets.flatMap(({ offers }) => offers.map(({ odds }) => odds)));
  const before = prices();
  pass(40_000);
  t.notDeepEqual(prices(), before);
});

test("a match can be ended by hand once, if it exists", (t) => {
  const { book } = bookAt(7);
  const [event] = book.board();
  const id = event?.id ?? "";
  t.is(book.outcome(`${id}:result:0:away`), undefined, "not decided yet");
  t.true(book.finish(id, { home: 0, away: 2 }));
  t.deepEqual(book.outcome(`${id}:result:0:away`), { outcome: "won", score: { home: 0, away: 2 } });
  t.false(book.finish(id, { home: 5, away: 2 }));
  t.false(book.finish("no-such-9", { home: 5, away: 2 }));
  t.false(book.board().some((one) => one.id === id));
  t.deepEqual(book.event(id)?.score, { home: 0, away: 2 });
});
