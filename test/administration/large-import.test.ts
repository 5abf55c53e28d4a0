import anyTest from "ava";
import { adminOf, inPieces, startReplica } from "../../testbed/callers/administration.ts";
import { onBothDatabases } from "./databases.ts";

// The tests run one after the other, because the test counts all work of this process.
const test = onBothDatabases(anyTest.serial);

const GAMES = 8_000;
/** The limit for one turn of the event loop. One statement has 500 rows, and SQLite needs a JSON text for each cell. */
const LONGEST = 4_000;

test("importing a large catalog again delays no call: one turn of the event loop reads or writes only a few records", async (t, url) => {
  const { providers, catalog } = adminOf(await startReplica(t, url));
  await providers.createProvider({ code: "ACME" });
  const file = (name: string) =>
    JSON.stringify(
      Array.from({ length: GAMES }, (_, n) => ({
        provider: "ACME",
        code: `g-${n}`,
        name: `${name} ${n}`,
        type: "slot",
        tags: ["new"],
      })),
    );
  await catalog.importGames(inPieces(file("Old"), "json"));
  const again = file("New");
  // Each game is at least one JSON text in the file, in its row and in its audit entry.
  const records = { turn: 0, longest: 0, all: 0 };
  const { parse, stringify } = JSON;
  const counting =
    <Run extends (...args: never[]) => unknown>(run: Run) =>
    (...args: Parameters<Run>) => {
      records.turn += 1;
      records.all += 1;
      records.longest = Math.max(records.longest, records.turn);
      return run(...args);
    };
  let over = false;
  const turn = (): void => {
    records.turn = 0;
    if (!over) setImmediate(turn);
  };
  turn();
  Object.assign(JSON, { parse: counting(parse), stringify: counting(stringify) });
  try {
    t.like(await catalog.importGames(inPieces(again, "json")), { updated: GAMES, faultCount: 0 });
  } finally {
    over = true;
    Object.assign(JSON, { parse, stringify });
  }
  t.true(records.all >= 3 * GAMES, "every game was counted where it was read and written");
  t.is((await catalog.listGames({ q: `new ${GAMES - 1}` })).total, 1);
  t.true(records.longest <= LONGEST, `${records.longest} records in one turn`);
});
