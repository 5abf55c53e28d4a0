/** The time to import 20 000 games, and the number of database statements that calls from unknown callers cause. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import { callService } from "../../sandbox/merchant/service-client.ts";
import { type Database, openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { type Admin, adminOf, inPieces } from "../../testbed/callers/administration.ts";
import { Child } from "../../testbed/programs/child.ts";
import { untilReady } from "../../testbed/service/readiness.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { type Spread, spread } from "../report/statistics.ts";
import { type DatabaseKind, startDatabase } from "../stage/bench-database.ts";
import { benchEnvironment } from "../stage/programs.ts";

export const administration: Measurement = { name: "administration", run };

const GAMES = 20_000;
const STRANGERS = 2_000;
const AT_ONCE = 64;
const ROWS_PER_STATEMENT = 500;

async function run(bench: Bench): Promise<Section> {
  const mariadb = await measure(bench, "mariadb");
  const sqlite = await measure(bench, "sqlite");
  const both = { MariaDB: mariadb, SQLite: sqlite };
  return {
    title: "Administration",
    method: `A file of ${GAMES} games, streamed to \`npm run serve\` over Connect, into an empty catalog. Floor: the same rows by plain INSERTs of ${ROWS_PER_STATEMENT} in one transaction. \
Then ${STRANGERS} signed calls of unknown merchants and ${STRANGERS} calls with unknown keys, ${AT_ONCE} at once. Median (lowest-highest) of ${bench.options.runs} runs.`,
    tables: [
      {
        title: "",
        columns: ["", "import, s", "floor, s"],
        rows: Object.entries(both).map(([name, { imports, floors }]) => [
          name,
          spreadText(spread(imports)),
          spreadText(spread(floors)),
        ]),
      },
    ],
    targets: [
      ...Object.entries(both).map(([name, { imports }]) => ({
        what: `import, ${name}`,
        measured: spread(imports),
        bound: { atMost: 2 },
        unit: "s",
      })),
      {
        what: "reading statements per second that strangers add",
        measured: strangers(mariadb.reads),
        bound: { atMost: 12 },
        unit: "",
      },
    ],
    raw: both,
  };
}

interface Measured {
  readonly imports: number[];
  readonly floors: number[];
  /** Reading statements per second, with unknown callers and without callers. Only a database server counts them. */
  readonly reads: { readonly busy: number; readonly idle: number }[];
}

const strangers = (reads: Measured["reads"]): Spread => spread(reads.map(({ busy, idle }) => busy - idle));

async function measure(bench: Bench, kind: DatabaseKind): Promise<Measured> {
  const measured: Measured = { imports: [], floors: [], reads: [] };
  const server = await startDatabase(kind, bench.folder);
  try {
    for (let i = 0; i < bench.options.runs; i++) await once(bench, await server.create(), measured);
  } finally {
    await server.stop();
  }
  bench.log(`${kind}: imported in ${measured.imports.map(figure).join(", ")} s`);
  return measured;
}

async function once(bench: Bench, url: string, measured: Measured): Promise<void> {
  const { environment, restPort } = await benchEnvironment(url);
  const adminKey = randomBytes(32).toString("base64url");
  const service = new Child(
    ["src/main.ts", "--migrate"],
    { ...environment, ADMIN_KEY: adminKey },
    join(bench.folder, "administration.log"),
  );
  const database = openDatabase(url, { max: 1, decisiveMax: 1 });
  try {
    await untilReady(restPort, service);
    const ports = {
      ports: { rest: restPort, grpc: 0, internalGrpc: 0, internalHttp: Number(environment.INTERNAL_HTTP_PORT) },
    };
    const admin = adminOf(ports, adminKey);
    for (const code of ["ACME", "FLOOR"]) await admin.providers.createProvider({ code });
    measured.imports.push(await seconds(() => importGames(admin)));
    measured.floors.push(await seconds(() => plainInserts(database)));
    if (database.dialect.name === "mysql") {
      const idle = await readsPerSecond(database, () => new Promise((resolve) => setTimeout(resolve, 2_000)));
      const nobody = adminOf(ports, "nobody");
      const busy = await readsPerSecond(database, async () => {
        await inWaves(() =>
          callService(`http://127.0.0.1:${restPort}`, { code: "nobody", secret: "sk_nobody" }, "GET", "/v1/merchant"),
        );
        await inWaves(() => nobody.brands.listBrands({}).catch(expectUnauthenticated));
      });
      measured.reads.push({ busy, idle });
    }
  } finally {
    await database.close();
    await service.stop();
  }
}

const expectUnauthenticated = (cause: unknown): void => {
  if (ConnectError.from(cause).code !== Code.Unauthenticated) throw cause;
};

async function importGames({ catalog }: Admin): Promise<void> {
  const games = Array.from({ length: GAMES }, (_, n) => ({ provider: "ACME", code: `game-${n}`, ...DETAILS }));
  const { created } = await catalog.importGames(inPieces(JSON.stringify(games), "json"));
  if (created !== GAMES) throw new Error(`${created} games were made`);
}

const DETAILS = {
  name: "Solar Crown",
  type: "slot",
  demo_available: true,
  tags: ["new", "featured"],
  rtp: 96.2,
  volatility: "medium",
  free_rounds: false,
  jackpot: false,
  images: {
    thumb: "https://cdn.example/t.png",
    square: "https://cdn.example/s.png",
    background: "https://cdn.example/b.png",
  },
  platforms: ["desktop", "mobile"],
  languages: ["en"],
  blocked_countries: [],
  released_at: "2025-01-12T00:00:00.000Z",
};

async function plainInserts({ knex }: Database): Promise<void> {
  const { id } = await knex("providers").where({ code: "FLOOR" }).first("id");
  const columns = "provider_id, code, name, type, demo_available, active, details, updated_at, epoch";
  const details = JSON.stringify(DETAILS);
  await knex.transaction(async (db) => {
    for (let from = 0; from < GAMES; from += ROWS_PER_STATEMENT) {
      const rows = Array.from({ length: ROWS_PER_STATEMENT }, (_, n) => [
        id,
        `game-${from + n}`,
        "Solar Crown",
        1,
        1,
        1,
        details,
        0,
        0,
      ]);
      await db.raw(
        `INSERT INTO games (${columns}) VALUES ${rows.map(() => "(?,?,?,?,?,?,?,?,?)").join(",")}`,
        rows.flat(),
      );
    }
  });
}

async function seconds(run: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  await run();
  return (performance.now() - beganAt) / 1_000;
}

async function readsPerSecond({ knex }: Database, run: () => Promise<unknown>): Promise<number> {
  const selects = async (): Promise<number> => {
    const [rows] = await knex.raw("SHOW GLOBAL STATUS LIKE 'Com_select'");
    return Number(rows[0].Value);
  };
  const before = await selects();
  const took = await seconds(run);
  return ((await selects()) - before) / took;
}

async function inWaves(call: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < STRANGERS; done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, call));
}
