/** Locks of other sessions that block the service's statements. */
import type { Knex } from "knex";
import { openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { SERVICE } from "./stage.ts";
import type { Fault } from "./strike.ts";
import { betInUnknownSessions } from "./unknown-sessions.ts";

/** Twice the service's innodb_lock_wait_timeout. */
const HELD_MS = 4_000;
const DEADLOCK_ROWS = 40;
/** After this time the sequencer waits for the locked rows. */
const NUMBERED_MS = 300;
/** The smallest max_connections that MariaDB accepts. */
const CONNECTIONS_MIN = 10;
const KILL_EVERY_MS = 100;
const RECORD_CHANGED = 1020;

/**
 * The fault of a transaction of another session that stays open.
 *
 * @param isolation - serializable also locks the gaps between rows.
 */
const held = (kind: string, isolation: "read committed" | "serializable"): Fault => {
  let stranger: Knex.Transaction;
  return {
    kind,
    lasts: HELD_MS,
    strike: async ({ installation: { database } }) => {
      stranger = await database.knex.transaction({ isolationLevel: isolation });
      await stranger.raw("SET SESSION innodb_lock_wait_timeout = 50");
      await stranger.raw("SELECT id FROM tx FOR UPDATE");
    },
    heal: async () => {
      await stranger.rollback();
      return 1;
    },
  };
};

/** Locks the newest rows in the reverse order of the settles. */
async function againstSettles(trx: Knex.Transaction): Promise<void> {
  const newest = (await trx.raw("SELECT id FROM tx ORDER BY id DESC LIMIT ?", [DEADLOCK_ROWS]))[0] as { id: string }[];
  const [keys] = await trx.raw(
    `SELECT id FROM tx WHERE id IN (${newest.map(({ id }) => id).join(",") || 0}) ORDER BY merchant_id DESC, tx_id DESC`,
  );
  for (const { id } of keys as { id: string }[]) await trx.raw("UPDATE tx SET round_id = round_id WHERE id = ?", [id]);
}

/** The sequencer locks the merchant's last number first, and then its rows. */
async function againstNumbering(trx: Knex.Transaction): Promise<void> {
  await trx.raw("SELECT id FROM tx WHERE feed_seq IS NULL FOR UPDATE");
  await pause(NUMBERED_MS);
  await trx.raw("SELECT seq FROM feed_head FOR UPDATE");
}

/**
 * The fault of another session that locks rows in the reverse order. It has changed so many rows that MariaDB rolls
 * back the service's transaction, and not its own.
 */
const deadlocks = (kind: string, cross: (trx: Knex.Transaction) => Promise<void>): Fault => {
  let isOver = false;
  let ends: Promise<unknown> = Promise.resolve();
  let before = 0;
  let itsOwn = 0;
  const one = async (trx: Knex.Transaction): Promise<void> => {
    await trx.raw("UPDATE ballast SET n = n + 1");
    await cross(trx);
    throw new Done();
  };
  return {
    kind,
    lasts: 4_000,
    strike: async (stage) => {
      const { knex } = stage.installation.database;
      await knex.raw("CREATE TABLE IF NOT EXISTS ballast (n INT NOT NULL)");
      await knex.raw("INSERT INTO ballast SELECT 1 FROM information_schema.columns LIMIT 2000");
      before = await stage.counter("Innodb_deadlocks");
      const again = async (): Promise<void> => {
        while (!isOver)
          await knex.transaction(one).catch((cause) => {
            if ((cause as { errno?: number }).errno === 1213) itsOwn += 1;
          });
      };
      ends = Promise.all([again(), again()]);
    },
    heal: async (stage) => {
      isOver = true;
      await ends;
      const count = (await stage.counter("Innodb_deadlocks")) - before - itsOwn;
      await stage.ask("DROP TABLE ballast");
      return count;
    },
  };
};

class Done extends Error {}

/** The server returns this error for one statement in three, by a counter that a rollback does not reset. */
const refused = (kind: string, errno: number): Fault => ({
  kind,
  lasts: 3_000,
  strike: async (stage) => {
    await stage.ask("CREATE TABLE fired (n INT) ENGINE=MyISAM");
    for (const when of ["INSERT", "UPDATE"]) {
      const signal = `INSERT INTO fired VALUES (1); SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = 'forced'`;
      await stage.ask(
        `CREATE TRIGGER refuse_${when} BEFORE ${when} ON tx FOR EACH ROW BEGIN IF RAND() < 0.15 THEN ${signal}; END IF; END`,
      );
    }
  },
  heal: async (stage) => {
    for (const when of ["INSERT", "UPDATE"]) await stage.ask(`DROP TRIGGER refuse_${when}`);
    const [found] = await stage.ask("SELECT COUNT(*) AS n FROM fired");
    await stage.ask("DROP TABLE fired");
    return Number(found?.n);
  },
});

const killed = (what: "CONNECTION" | "QUERY"): Fault => {
  let isOver = false;
  let count = 0;
  let ends: Promise<void> = Promise.resolve();
  return {
    kind: what === "QUERY" ? "statements under way KILLed" : "connections KILLed",
    lasts: 2_000,
    strike: async (stage) => {
      const again = async (): Promise<void> => {
        for (; !isOver; await pause(what === "QUERY" ? 1 : KILL_EVERY_MS)) count += await stage.killConnections(what);
      };
      ends = again();
    },
    heal: async () => {
      isOver = true;
      await ends;
      return count;
    },
  };
};

const nobodyElse = (): Fault => {
  let strangers: readonly { close(): Promise<void> }[] = [];
  let before = 0;
  return {
    kind: "max_connections reached (1040)",
    lasts: 3_000,
    strike: async (stage) => {
      before = await stage.counter("Connection_errors_max_connections");
      await stage.ask(`SET GLOBAL max_connections = ${CONNECTIONS_MIN}`);
      await stage.killConnections();
      const opened = Array.from({ length: 2 * CONNECTIONS_MIN }, () =>
        openDatabase(stage.rootUrl.replace("//root@", `//${SERVICE}@`), { max: 1, decisiveMax: 1 }),
      );
      // Opens connections until no connection is left. The service competes for the same connections.
      await Promise.all(opened.map((one) => one.knex.raw("SELECT 1").catch(() => {})));
      strangers = opened;
    },
    heal: async (stage) => {
      const count = (await stage.counter("Connection_errors_max_connections")) - before;
      await stage.ask("SET GLOBAL max_connections = 200");
      await Promise.all(strangers.map((one) => one.close()));
      return count;
    },
  };
};

/**
 * Reads of sessions wait for their table. Each read holds one of the few connections for reads on which decisions
 * depend.
 */
const exhausted = (): Fault => {
  let stranger: Knex.Transaction;
  let calls: Promise<unknown> = Promise.resolve();
  let isOver = false;
  return {
    kind: "pool of the reads that decide exhausted",
    lasts: 3_000,
    strike: async (stage) => {
      stranger = await stage.installation.database.knex.transaction();
      await stranger.raw("LOCK TABLES sessions WRITE");
      calls = betInUnknownSessions(stage, () => isOver);
    },
    heal: async (stage) => {
      const [found] = await stage.ask(
        `SELECT COUNT(*) AS n FROM information_schema.processlist WHERE user = '${SERVICE}' AND state = 'Waiting for table metadata lock'`,
      );
      isOver = true;
      await stranger.raw("UNLOCK TABLES");
      await stranger.rollback();
      await calls;
      return Number(found?.n);
    },
  };
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const lockFaults = (): readonly Fault[] => [
  held("all rows locked for twice the lock wait time-out", "read committed"),
  held("all rows and the gaps between them locked for twice the lock wait time-out", "serializable"),
  deadlocks("deadlocks (1213) of settles", againstSettles),
  deadlocks("deadlocks (1213) inside the transaction that numbers changes", againstNumbering),
  refused("record changed since last read (1020)", RECORD_CHANGED),
  killed("CONNECTION"),
  killed("QUERY"),
  exhausted(),
  nobodyElse(),
];
