import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { SecretBox } from "../../src/adapters/sql/settings/secret-box.ts";
import { SqlSettingsStore } from "../../src/adapters/sql/settings/settings-store.ts";
import type { ProviderCode } from "../../src/domain/values/identifiers.ts";
import { type DatabaseServer, startDatabaseServer } from "../../testbed/database/server.ts";
import type { Directory } from "../../testbed/directory/directory.ts";
import { invent, seed } from "../../testbed/directory/seed.ts";
import { DAY_MS, MONTH_DAYS, type PlannedGame, planHistory } from "./plan.ts";
import { writeHistory } from "./write-history.ts";

/** The data of a history besides its rows. They are stored in a file beside the database. */
export interface History {
  readonly transactions: number;
  /** The first merchant is the busiest. The first few merchants have sessions. */
  readonly directory: Directory;
  /** The key that decrypts the merchants' secrets, in base64. */
  readonly masterKey: string;
  /** The busiest merchant's month, ms since 1970. */
  readonly month: { readonly from: number; readonly to: number };
}

export interface HistorySize {
  readonly transactions: number;
  readonly merchants: number;
  /** The same seed gives the same history. */
  readonly seed: number;
}

const DATABASE = "history";
const PLAYING = 8;
const PROVIDERS = 12;
const GAMES_EACH = 25;
/** Options for writing the history. After a crash the history can be written again. */
const UNSAFE = ["--innodb-flush-log-at-trx-commit=2", "--innodb-doublewrite=0", "--innodb-sort-buffer-size=64M"];
const SIZES = ["--innodb-log-file-size=1G", "--local-infile=1"];

/** Starts a database server with the history in this folder. */
export async function startHistory(
  folder: string,
  bufferPool: string,
): Promise<{ server: DatabaseServer; url: string; history: History }> {
  const history = readHistory(folder);
  if (history === undefined) throw new Error(`${folder} has no history: npm run bench:seed -- --datadir ${folder}`);
  const server = await startDatabaseServer([...SIZES, `--innodb-buffer-pool-size=${bufferPool}`], folder);
  return { server, url: await server.createDatabase(DATABASE), history };
}

/** undefined: the folder has no history. */
export function readHistory(folder: string): History | undefined {
  const file = fileOf(folder);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as History) : undefined;
}

const fileOf = (folder: string): string => join(folder, "history.json");

/** Writes a history into an empty folder. */
export async function makeHistory(folder: string, size: HistorySize, log: (text: string) => void): Promise<History> {
  if (existsSync(join(folder, "data"))) throw new Error(`${folder} is not empty`);
  const server = await startDatabaseServer([...SIZES, ...UNSAFE, "--innodb-buffer-pool-size=2G"], folder);
  try {
    const url = await server.createDatabase(DATABASE);
    const masterKey = randomBytes(32);
    const walletUrl = "http://127.0.0.1:9/wallet";
    const directory = invent([
      { merchants: PLAYING, sessionsEach: 64, walletUrl },
      { merchants: size.merchants - PLAYING, sessionsEach: 0, walletUrl },
    ]);
    log(`${size.merchants} merchants, ${PROVIDERS} providers with ${GAMES_EACH} games each`);
    await seed(url, masterKey, directory);
    const database = openDatabase(url);
    try {
      const games = await addGames(database, masterKey);
      const ids = directory.merchants.map((merchant) => merchant.id);
      const plan = planHistory(size.transactions, ids, games, Date.now(), size.seed);
      const transactions = await writeHistory(database, url, plan, log);
      const month = { from: plan.until - MONTH_DAYS * DAY_MS, to: plan.until };
      const history: History = { transactions, directory, masterKey: masterKey.toString("base64"), month };
      writeFileSync(fileOf(folder), JSON.stringify(history, null, 1));
      return history;
    } finally {
      await database.close();
    }
  } finally {
    log("the database is closed ...");
    await server.stop();
  }
}

async function addGames(database: Database, masterKey: Uint8Array): Promise<PlannedGame[]> {
  const settings = new SqlSettingsStore(database, new SecretBox([masterKey]));
  for (let n = 1; n <= PROVIDERS; n++) {
    const code = `GAMES${n}` as ProviderCode;
    // Every fourth provider has live tables instead of slots.
    const type = n % 4 === 0 ? "live" : "slot";
    await settings.save({ kind: "provider", provider: { code, name: code, active: true, sources: [], keys: [] } });
    const games = Array.from(
      { length: GAMES_EACH },
      (_, i) => ({ code: `game-${n}-${i + 1}`, name: `Game ${i + 1}`, type, active: true, details: {} }) as const,
    );
    await settings.save({
      kind: "games",
      provider: code,
      games: games.map((game) => ({ ...game, demoAvailable: false })),
    });
  }
  const { games } = await settings.games({ epoch: 0n, id: 0 }, (await settings.epoch()).epoch, 100_000);
  const rows = await database.knex("games").select("id", "type");
  const types = new Map(rows.map(({ id, type }) => [Number(id), Number(type)]));
  return games
    .filter(({ provider }) => provider.startsWith("GAMES"))
    .map(({ id, code, providerId, provider }) => ({ id, code, providerId, provider, type: types.get(id) ?? 0 }));
}
