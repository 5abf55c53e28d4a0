/**
 * `npm run connector-chaos -- <api> --rounds N`: the chaos judge, as large as wanted. Ends with 1 on a violation.
 * `--database mariadb`: service and connector share one MariaDB instead of having SQLite files.
 */
import { parseArgs } from "node:util";
import { startDatabaseServer } from "../../../testbed/database/server.ts";
import { playChaos } from "./chaos.ts";
import { PROVIDERS } from "./scripts.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    players: { type: "string", default: "16" },
    "kill-every": { type: "string", default: "100" },
    minutes: { type: "string" },
    database: { type: "string", default: "sqlite" },
  },
});
const [api = ""] = positionals;
const start = PROVIDERS[api];
const [rounds, seed, players, killEvery] = [values.rounds, values.seed, values.players, values["kill-every"]].map(
  Number,
);
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
const numbers = [rounds, seed, players, killEvery, minutes ?? 1];
if (start === undefined || !numbers.every((n) => (n ?? 0) > 0) || !["sqlite", "mariadb"].includes(values.database)) {
  console.error(
    `npm run connector-chaos -- <${Object.keys(PROVIDERS).join(" | ")}> --rounds 1000 --seed 1 --players 16 --kill-every 100 [--minutes M] [--database sqlite | mariadb]`,
  );
  process.exit(2);
}
// When this process ends, it also ends all children and removes all folders.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
const ends: (() => void | Promise<void>)[] = [];
const scope = { teardown: (end: () => void | Promise<void>) => void ends.unshift(end) };
const provider = await start(scope, values.database === "mariadb" ? await shared() : {});
const began = performance.now();
const { violations, ...counts } = await playChaos(provider, {
  ...{ rounds: rounds ?? 0, seed: seed ?? 0, players: players ?? 0, killEvery: killEvery ?? 0 },
  ...(minutes !== undefined && { minutes }),
  progress: (text) => console.error(`${new Date().toISOString().slice(11, 19)} ${api}: ${text}`),
});
const seconds = Math.round((performance.now() - began) / 1_000);
console.log(`${api} on ${values.database}: ${JSON.stringify(counts)} in ${seconds} s, ${violations.length} violations`);
for (const violation of violations) console.log(violation);
for (const end of ends) await end();
process.exit(violations.length === 0 ? 0 : 1);

async function shared() {
  const server = await startDatabaseServer();
  scope.teardown(() => server.stop());
  const databaseUrl = await server.createDatabase("chaos");
  return { databaseUrl, connectorDatabaseUrl: databaseUrl };
}
