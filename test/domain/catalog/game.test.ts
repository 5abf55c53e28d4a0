import test from "ava";
import { readGame } from "../../../src/domain/catalog/game.ts";

const fields = (faults: readonly { readonly field: string }[]) => faults.map(({ field }) => field);

test("a game's times are stored in UTC with milliseconds; a day is stored as its beginning", (t) => {
  const released = (released_at: string) => {
    const read = readGame({ provider: "ACME", code: "a", name: "A", type: "slot", released_at });
    return "game" in read ? read.game.details.released_at : fields(read.faults);
  };
  t.is(released("2025-01-12"), "2025-01-12T00:00:00.000Z");
  t.is(released("2025-01-12T01:30:00+02:00"), "2025-01-11T23:30:00.000Z");
  // Only years of four digits are accepted, in UTC, too. Otherwise the stored time could not be imported again.
  for (const none of [
    "0000-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "2025-13-01",
    "2025-02-30",
    "2025-01-12T00:00:00",
    "12.1.2025",
  ])
    t.deepEqual(released(none), ["released_at"], none);
});

test("a game's code is refused if no path can have it", (t) => {
  for (const [code, found] of [
    [".", ["code"]],
    ["..", ["code"]],
    ["...", []],
    ["%2e", []],
  ] as const) {
    const read = readGame({ provider: "ACME", code, name: "A", type: "slot" });
    t.deepEqual("game" in read ? [] : fields(read.faults), found, code);
  }
});
