import test from "ava";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { rows } from "../../../../src/adapters/sql/connection/execute.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { startDatabaseServer } from "../../../../testbed/database/server.ts";
import { freePort } from "../../../../testbed/programs/ports.ts";

const USER = "p@y:er/%25 é";
const PASSWORD = "p@ss:w/rd#%?&[x] é+%41";
const DATABASE = "game-100% a";

test(`${PRODUCT.name}: a URL with encoded characters connects by IPv4, by IPv6, by name and by socket`, async (t) => {
  const port = await freePort();
  const server = await startDatabaseServer(["--skip-networking=0", "--bind-address=*", `--port=${port}`]);
  t.teardown(() => server.stop());
  const root = openDatabase(server.url("mysql"));
  t.teardown(() => root.close());
  await root.knex.raw("CREATE DATABASE ??", [DATABASE]);
  for (const host of ["127.0.0.1", "::1", "localhost"]) {
    await root.knex.raw("CREATE USER ?@? IDENTIFIED BY ?", [USER, host, PASSWORD]);
    await root.knex.raw("GRANT ALL ON *.* TO ?@?", [USER, host]);
  }
  const who = `${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}`;
  const database = encodeURIComponent(DATABASE);
  const socketPath = new URL(server.url("x")).searchParams.get("socketPath");
  for (const url of [
    `mysql://${who}@127.0.0.1:${port}/${database}`,
    `mysql://${who}@[::1]:${port}/${database}`,
    `mysql://${who}@localhost:${port}/${database}`,
    `mysql://${who}@/${database}?socketPath=${socketPath}`,
    // Characters that are not ambiguous need not be encoded.
    `mysql://${encodeURIComponent(USER)}:${PASSWORD.replaceAll("%", "%25").replace("#", "%23").replace("?", "%3F").replace("/", "%2F")}@[::1]:${port}/${database}`,
  ]) {
    const opened = openDatabase(url, { max: 1, decisiveMax: 1 });
    const [row] = await rows(opened, { sql: "SELECT DATABASE() AS name", bindings: [] });
    t.is(row?.name, DATABASE, url);
    await opened.close();
  }
});
