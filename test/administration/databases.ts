/** Each test of the administration runs on both databases: SQLite in a file, and MariaDB. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import anyTest, { type ExecutionContext } from "ava";
import { PRODUCT } from "../../testbed/database/products.ts";
import { startDatabaseServer } from "../../testbed/database/server.ts";

type Run = (t: ExecutionContext, databaseUrl: string) => Promise<void>;

/**
 * Call it once at the top of a test file.
 *
 * @param test - declares a test: concurrent with the file's others by default.
 */
export function onBothDatabases(
  test: (title: string, run: (t: ExecutionContext) => Promise<void>) => void = anyTest,
): (title: string, run: Run) => void {
  const server = startDatabaseServer();
  anyTest.after.always(async () => (await server).stop());
  return (title, run) => {
    test(`SQLite: ${title}`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), "aggregator-"));
      t.teardown(() => rmSync(folder, { recursive: true, force: true }));
      await run(t, `sqlite:${join(folder, "aggregator.db")}`);
    });
    test(`${PRODUCT.name}: ${title}`, async (t) => run(t, await (await server).createDatabase()));
  };
}
