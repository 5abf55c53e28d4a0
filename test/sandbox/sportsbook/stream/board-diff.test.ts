import assert from "node:assert/strict";
import test from "ava";
import fc from "fast-check";
import { Book } from "../../../../sandbox/sportsbook/model/book.ts";
import { applied, type BoardChange, type BoardEvent } from "../../../../sandbox/sportsbook/stream/board-change.ts";
import { changeBetween } from "../../../../sandbox/sportsbook/stream/board-diff.ts";

const sent = (change: BoardChange | undefined): BoardChange => JSON.parse(JSON.stringify(change ?? {}));

/**
 * An event with few possible values, so that two lists have matches, markets and odds in common. Fields may be missing
 * or nested.
 */
const event = (id: string): fc.Arbitrary<BoardEvent> =>
  fc
    .record(
      {
        id: fc.constant(id),
        phase: fc.constantFrom("upcoming", "live"),
        score: fc.record({ home: fc.nat(2), away: fc.nat(2) }),
        clock: mostly(
          { minute: 1 },
          fc.constant(null),
          fc.record({ minute: fc.nat(2) }),
          fc.record({ set: fc.nat(2) }),
        ),
        markets: fc
          .tuple(mostly(["home", "away"], fc.constant(["home"]), fc.constant([])), mostly(1, fc.nat(2)))
          .chain(([picks, line]) =>
            fc
              .tuple(...picks.map(() => fc.option(fc.integer({ min: 101, max: 103 }))))
              .map((odds) => [
                { id: "result", line, offers: picks.map((pick, i) => ({ id: pick, odds: odds[i] ?? null })) },
              ]),
          ),
      },
      { requiredKeys: ["id", "phase", "score", "clock", "markets"] },
    )
    .chain((value) => mostly(value, fc.constant({ ...value, more: 1 })))
    .map((value) => JSON.parse(JSON.stringify(value)) as BoardEvent);

const mostly = <T>(usual: T, ...others: readonly fc.Arbitrary<T | unknown>[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(usual) },
    ...others.map((arbitrary) => ({ weight: 1, arbitrary })),
  ) as fc.Arbitrary<T>;

const list = fc
  .oneof(fc.subarray(["a", "b", "c", "d", "e"]), fc.shuffledSubarray(["a", "b", "c"]))
  .chain((ids) => fc.tuple(...ids.map(event)))
  .map((events) => events as readonly BoardEvent[]);

test("for any two lists, the change between them turns the first list into the second, in the same order", (t) => {
  let partial = 0;
  fc.assert(
    fc.property(list, list, (before, after) => {
      const change = sent(changeBetween(before, after));
      if (change.fields !== undefined || change.odds !== undefined) partial++;
      assert.deepEqual(applied(before, change), after);
    }),
    { numRuns: 1_000 },
  );
  t.true(partial > 100, `${partial} changes were less than whole matches`);
});

test("if only fields and odds of a list changed, the change has no whole matches", (t) => {
  fc.assert(
    fc.property(list, fc.integer({ min: 104, max: 999 }), (before, odds) => {
      const after = before.map((event) => ({
        ...event,
        score: { home: 9, away: event.score.away },
        markets: event.markets.map((market) => ({
          ...market,
          offers: market.offers.map((offer) => ({ ...offer, odds })),
        })),
      }));
      const change = sent(changeBetween(before, after));
      assert.deepEqual([change.whole, change.new, change.gone], [undefined, undefined, undefined]);
      assert.deepEqual(applied(before, change), after);
      for (const fields of Object.values(change.fields ?? {})) assert.deepEqual(fields, { score: { home: 9 } });
    }),
  );
  t.pass();
});

test("equal lists have no change, and without an earlier list the change has everything", (t) => {
  fc.assert(
    fc.property(list, (events) => {
      assert.equal(changeBetween(events, structuredClone(events)), undefined);
      assert.deepEqual(applied([], sent(changeBetween(undefined, events))), events);
    }),
  );
  t.pass();
});

test("in an hour of the sportsbook's matches each change gives the next board, and all changes together are below 900,000 bytes", (t) => {
  let now = 0;
  const book = new Book(7, () => now);
  const board = (): readonly BoardEvent[] =>
    book.board().map((match) => ({ ...match, markets: match.markets.slice(0, 2), more: match.markets.length - 2 }));
  let known = board();
  let bytes = 0;
  for (; now < 3_600_000; now += 4_000) {
    const next = board();
    const text = JSON.stringify(changeBetween(known, next) ?? {});
    bytes += Buffer.byteLength(text);
    known = applied(known, JSON.parse(text) as BoardChange);
    assert.deepEqual(known, next);
  }
  t.log(`${bytes} bytes of JSON`);
  t.true(bytes > 100_000, "the odds moved");
  t.true(bytes < 900_000, `${bytes} bytes`);
});
