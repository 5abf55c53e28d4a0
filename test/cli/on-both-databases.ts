/** Runs each command with a service in a separate process, on both databases. */
import anyTest, { type ExecutionContext } from "ava";
import { PRODUCT } from "../../testbed/database/products.ts";
import { startDatabaseServer } from "../../testbed/database/server.ts";
import { type Administered, startAdministered } from "./service.ts";

const DATABASES = ["SQLite", PRODUCT.name] as const;
const undo: (() => unknown)[] = [];
const services = new Map<string, Administered>();
anyTest.before(async () => {
  const t = { teardown: (step: () => unknown) => undo.push(step) };
  const mariaDb = await startDatabaseServer();
  t.teardown(() => mariaDb.stop());
  for (const [database, url] of [["SQLite"], [PRODUCT.name, await mariaDb.createDatabase()]] as const) {
    const service = await startAdministered(t, {}, url);
    services.set(database, service);
    await service.done("brand create --code house --name 'House'");
  }
});
anyTest.after.always(async () => {
  for (const step of undo.reverse()) await step();
});

type Run = (t: ExecutionContext, service: Administered) => Promise<void>;

/** Commands that use the database: they run on both. */
export const test = (title: string, run: Run, databases: readonly string[] = DATABASES): void => {
  for (const database of databases) {
    anyTest(`${database}: ${title}`, async (t) => {
      const service = services.get(database);
      if (service === undefined) throw new Error(`no service on ${database}`);
      await run(t, service);
    });
  }
};
/** Commands that do not depend on the database. */
export const testOnce = (title: string, run: Run): void => test(title, run, ["SQLite"]);
