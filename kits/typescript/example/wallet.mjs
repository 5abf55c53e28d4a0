// A wallet program. The kits' README lists its environment variables.
import { createServer } from "node:http";
import { MemoryStorage, Wallet } from "game-aggregator-kit";
import { walletListener } from "game-aggregator-kit/node";
import { SqlStorage, sqlite } from "game-aggregator-kit/sql";

const { PORT = "3000", MERCHANTS = "[]", PLAYERS = "[]", DATABASE = "" } = process.env;
const players = JSON.parse(PLAYERS).map(({ merchant, id, balance_minor, blocked }) => ({
  merchant,
  id,
  player: { balance: BigInt(balance_minor), blocked: blocked === true },
}));

async function openStorage() {
  if (DATABASE === "") {
    const storage = new MemoryStorage();
    for (const { merchant, id, player } of players) storage.setPlayer(merchant, id, player);
    return storage;
  }
  // A Node without node:sqlite can use better-sqlite3 in the same way.
  const { DatabaseSync } = await import("node:sqlite");
  const storage = new SqlStorage(sqlite(new DatabaseSync(DATABASE)));
  await storage.createTables();
  for (const { merchant, id, player } of players) await storage.addPlayer(merchant, id, player);
  return storage;
}

const wallet = new Wallet({ merchants: JSON.parse(MERCHANTS), storage: await openStorage() });
const listener = walletListener(wallet);
const server = createServer((request, response) => {
  if (new URL(request.url ?? "/", "http://wallet").pathname === "/wallet") listener(request, response);
  else response.writeHead(404).end();
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${PORT}/wallet`));
process.once("SIGTERM", () => {
  server.close();
  server.closeIdleConnections();
});
