import anyTest from "ava";
import { ADMIN_KEY, adminOf, inPieces } from "../../testbed/callers/administration.ts";
import { startCuttingProxy } from "../../testbed/database/cutting-proxy.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import { startWorldOfProcesses } from "../../testbed/stage/world.ts";
import { onBothDatabases } from "./databases.ts";

// The tests run one after the other, because two imports would slow each other down.
const test = onBothDatabases(anyTest.serial);

const GAMES = 40_000;

/** A catalog file like those of providers: each game has a kilobyte of pictures, lists and names. */
const catalogFile = (word: string): string =>
  JSON.stringify(
    Array.from({ length: GAMES }, (_, n) => ({
      provider: "ACME",
      code: `g-${n}`,
      name: `${word} ${n}`,
      type: "slot",
      demo_available: true,
      images: {
        thumb: `https://cdn.example/${n}/t.png`,
        square: `https://cdn.example/${n}/s.png`,
        background: `https://cdn.example/${n}/b.png`,
      },
      tags: ["new", "fruit"],
      rtp: 96.5,
      volatility: "high",
      platforms: ["desktop", "mobile"],
      languages: ["pt", "es", "en"],
      names: { pt: `Jogo ${n}`, es: `Juego ${n}` },
    })),
  );

test("no bet is refused while a catalog of 40 000 games is imported twice", async (t, databaseUrl) => {
  const world = await startWorldOfProcesses(t, { databaseUrl, env: { ADMIN_KEY } });
  const others: Replica[] = [];
  // A SQLite file belongs to one process. On MariaDB a second replica is far from the database: it needs seconds
  // to load the whole catalog.
  if (!databaseUrl.startsWith("sqlite:")) {
    const proxy = await startCuttingProxy(databaseUrl);
    t.teardown(() => proxy.close());
    proxy.line({ latencyMs: 25 });
    others.push(await world.start({ DATABASE_URL: proxy.through(databaseUrl) }));
  }
  const { catalog } = adminOf({ ports: world.first.ports } as never);
  const sessionId = await world.session();
  const answers = new Map<string, number>();
  let over = false;
  const bets = [world.first, ...others].flatMap((replica, r) =>
    // A bet that gets OVERLOADED from a busy machine is sent again, because the import did not cause this refusal.
    [0, 1].map(async (player) => {
      for (let n = 0; !over; n++) {
        const answer = await world.request(
          "bet",
          { sessionId, txId: `b-${r}-${player}-${n}`, amountMinor: 1n },
          replica,
        );
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    }),
  );
  try {
    t.like(await catalog.importGames(inPieces(catalogFile("Old"), "json")), { created: GAMES, faultCount: 0 });
    t.like(await catalog.importGames(inPieces(catalogFile("New"), "json")), { updated: GAMES, faultCount: 0 });
    // The distant replica still loads the catalog.
    if (others.length > 0) await new Promise((resolve) => setTimeout(resolve, 3_000));
  } finally {
    over = true;
  }
  await Promise.all(bets);
  t.deepEqual([...answers.keys()], ["success"], JSON.stringify([...answers]));
  t.is((await catalog.listGames({ q: `new ${GAMES - 1}` })).total, 1);
  const changes = await world.database.knex("games").select("epoch").count({ n: "*" }).groupBy("epoch");
  t.true(
    Math.max(...changes.map(({ n }) => Number(n))) <= 250,
    "no transaction held the database for longer than so many games take",
  );
});
