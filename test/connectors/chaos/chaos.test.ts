import test from "ava";
import { startDatabaseServer } from "../../../testbed/database/server.ts";
import { playChaos } from "./chaos.ts";
import { PROVIDERS } from "./scripts.ts";

for (const [api, start] of Object.entries(PROVIDERS))
  test.serial(`whatever is repeated, dropped or killed, the wallet has what the book of ${api} says`, async (t) => {
    const result = await playChaos(await start(t), { rounds: 60, seed: 1 });
    t.deepEqual(result.violations, []);
    t.true(result.calls > 150);
    t.true(result.kills >= 2);
  });

for (const api of ["evolution", "slotegrator"] as const)
  test.serial(`so it is when the replicas of ${api} and the service share one MariaDB`, async (t) => {
    const server = await startDatabaseServer();
    t.teardown(() => server.stop());
    const databaseUrl = await server.createDatabase("chaos");
    const provider = await PROVIDERS[api]?.(t, { databaseUrl, connectorDatabaseUrl: databaseUrl });
    if (provider === undefined) throw new Error(api);
    t.deepEqual((await playChaos(provider, { rounds: 40, seed: 2 })).violations, []);
  });
