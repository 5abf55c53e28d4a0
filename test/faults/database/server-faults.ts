/** Faults of the database's server. */
import { SERVICE } from "./stage.ts";
import type { Fault } from "./strike.ts";

const NOTICED_WITHIN_MS = 30_000;

export const killed = (lasts: Fault["lasts"] = 0): Fault => ({
  kind: lasts === 0 ? "kill -9 of mariadbd, started again" : "kill -9 of mariadbd",
  lasts,
  strike: ({ server }) => server.kill(),
  heal: async ({ server }) => {
    await server.restart();
    return 1;
  },
});

/**
 * The server starts again with fast, unsafe settings. The service makes the settings durable again if it has the right
 * to do so.
 */
const careless: Fault = {
  kind: "kill -9 of mariadbd, started again with innodb_flush_log_at_trx_commit=2",
  lasts: 0,
  strike: async (stage) => {
    await stage.ask(`GRANT SUPER ON *.* TO ${SERVICE}@localhost`);
    await stage.server.kill();
  },
  heal: async (stage) => {
    await stage.server.restart(["--innodb-flush-log-at-trx-commit=2"]);
    const value = async () =>
      Number((await stage.ask("SELECT @@GLOBAL.innodb_flush_log_at_trx_commit AS value"))[0]?.value);
    const until = performance.now() + NOTICED_WITHIN_MS;
    while ((await value()) !== 1 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 100));
    const noticed = (await value()) === 1;
    await stage.ask(`REVOKE SUPER ON *.* FROM ${SERVICE}@localhost`);
    await stage.killConnections();
    return noticed ? 1 : 0;
  },
};

const readOnly: Fault = {
  kind: "read_only",
  lasts: "until not ready",
  strike: async (stage) => void (await stage.ask("SET GLOBAL read_only = 1")),
  heal: async (stage) => {
    await stage.ask("SET GLOBAL read_only = 0");
    return 1;
  },
};

/** The migration of a newer release, while this release runs. */
const migration: Fault = {
  kind: "a newer release's migration",
  lasts: 2_000,
  strike: async (stage) => {
    await stage.ask("ALTER TABLE tx ADD COLUMN note VARBINARY(64) NULL, ADD INDEX tx_note (merchant_id, note)");
    await stage.ask("INSERT INTO schema_migrations (name, batch) VALUES ('999-later', 99)");
  },
  heal: async (stage) => {
    await stage.ask("ALTER TABLE tx DROP INDEX tx_note, DROP COLUMN note, ALGORITHM=COPY");
    await stage.ask("DELETE FROM schema_migrations WHERE name = '999-later'");
    return 1;
  },
};

export const serverFaults = (): readonly Fault[] => [
  killed(),
  killed("until not ready"),
  careless,
  readOnly,
  migration,
];
