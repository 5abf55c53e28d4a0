import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import test from "ava";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { startDatabaseServer } from "../../../../testbed/database/server.ts";
import { freePort } from "../../../../testbed/programs/ports.ts";
import { type Leaf, makeAuthority, makeLeaf } from "../../wallet-http/certificates.ts";

const authority = makeAuthority("the database's authority");
setDefaultCACertificates([...getCACertificates("default"), authority.pem]);

/** A server that listens on 127.0.0.1 with this certificate. Its only database is called `aggregator`. */
async function start(t: { teardown(undo: () => unknown): void }, { cert, key }: Leaf) {
  const folder = mkdtempSync(join(tmpdir(), "certificates-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "cert.pem"), cert);
  writeFileSync(join(folder, "key.pem"), key);
  const port = await freePort();
  const server = await startDatabaseServer([
    "--skip-networking=OFF",
    "--bind-address=127.0.0.1",
    `--port=${port}`,
    `--ssl-cert=${join(folder, "cert.pem")}`,
    `--ssl-key=${join(folder, "key.pem")}`,
  ]);
  t.teardown(server.stop);
  const local = openDatabase(await server.createDatabase("aggregator"));
  await local.knex.raw("CREATE USER 'aggregator'@'%'");
  await local.knex.raw("GRANT ALL ON aggregator.* TO 'aggregator'@'%'");
  await local.close();
  return async (host: string, search = "?ssl=true"): Promise<string> => {
    const database = openDatabase(`mysql://aggregator@${host}:${port}/aggregator${search}`);
    try {
      const [rows] = await database.knex.raw("SHOW SESSION STATUS LIKE 'Ssl_version'");
      return rows[0].Value;
    } catch (error) {
      return String(error);
    } finally {
      await database.close();
    }
  };
}

test("with ssl=true the connection is encrypted, and the server's certificate must have the host's name", async (t) => {
  const ask = await start(t, makeLeaf("localhost", authority));
  t.regex(await ask("localhost"), /^TLSv1/);
  t.regex(await ask("127.0.0.1"), /^TLSv1/, "the authority alone is verified for an address");
  t.is(await ask("localhost", ""), "", "not encrypted without ssl=true");
});

for (const [what, leaf] of [
  ["has another name", makeLeaf("db.example", authority)],
  ["has an unknown authority", makeLeaf("localhost", makeAuthority("somebody"))],
  ["has expired", makeLeaf("localhost", authority, true)],
] as const)
  test(`with ssl=true a server whose certificate ${what} is refused`, async (t) => {
    const ask = await start(t, leaf);
    const answer = await ask("localhost");
    t.notRegex(answer, /^(TLS|$)/);
    t.regex(answer, /altnames|certificate/i);
  });
