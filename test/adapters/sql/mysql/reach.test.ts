import { connect, createServer, type Server } from "node:net";
import test from "ava";
import knex from "knex";
import { reachEveryAddress } from "../../../../src/adapters/sql/dialects/mysql/reach.ts";
import { startDatabaseServer } from "../../../../testbed/database/server.ts";
import { startSlowListener } from "../../../../testbed/programs/slow-listener.ts";

const server = startDatabaseServer();
test.after.always(async () => (await server).stop());

const four = (address: string) => ({ address, family: 4 as const });
const poolOf = (url: URL, port: number) =>
  knex({
    client: "mysql2",
    connection: {
      host: "db.example",
      port,
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: url.pathname.slice(1),
    },
    pool: { min: 0, max: 4 },
    acquireConnectionTimeout: 10_000,
    log: { warn: () => undefined, error: () => undefined },
  });

test("a database with two addresses is reached although one of them does not answer, and each connection has its own socket", async (t) => {
  const url = new URL(await (await server).createDatabase());
  const silent = await startSlowListener("127.0.0.1");
  t.teardown(() => silent.close());
  const proxy = await new Promise<Server>((resolve) => {
    const listener = createServer((client) => {
      const upstream = connect(url.searchParams.get("socketPath") ?? "");
      client.on("error", () => undefined).once("close", () => upstream.destroy());
      upstream.on("error", () => undefined).once("close", () => client.destroy());
      client.pipe(upstream).pipe(client);
    });
    listener.listen(silent.port, "127.0.0.2", () => resolve(listener));
  });
  t.teardown(() => proxy.close());
  const pool = poolOf(url, silent.port);
  t.teardown(() => pool.destroy());
  const asked: string[] = [];
  reachEveryAddress(pool, { host: "db.example", port: silent.port }, 5_000, async (host) => {
    asked.push(host);
    return [four("127.0.0.1"), four("127.0.0.2")];
  });
  const ids = await Promise.all(
    Array.from({ length: 4 }, async () => (await pool.raw("SELECT CONNECTION_ID() AS id, SLEEP(0.3)"))[0][0].id),
  );
  t.is(new Set(ids).size, 4);
  t.deepEqual(new Set(asked), new Set(["db.example"]));
});

test("a database whose addresses stay silent, or whose name is unknown, has the usual error code", async (t) => {
  const silent = await startSlowListener("127.0.0.1");
  t.teardown(() => silent.close());
  for (const [code, resolve] of [
    ["ETIMEDOUT", async () => [four("127.0.0.1")]],
    ["ECONNREFUSED", async () => [four("127.0.0.8"), four("127.0.0.9")]],
    ["ENOTFOUND", () => Promise.reject(Object.assign(new Error("x"), { code: "ENODATA" }))],
    ["EAI_AGAIN", () => Promise.reject(Object.assign(new Error("x"), { code: "ETIMEOUT" }))],
  ] as const) {
    const pool = poolOf(new URL("mysql://u:p@db.example/d"), silent.port);
    reachEveryAddress(pool, { host: "db.example", port: silent.port }, 500, resolve);
    await t.throwsAsync(pool.raw("SELECT 1"), { code }, code);
    await pool.destroy();
  }
});
