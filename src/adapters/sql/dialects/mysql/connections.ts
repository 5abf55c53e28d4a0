import { isIP, type Socket } from "node:net";
import type { Knex } from "knex";
import knex from "knex";
import { readMysqlUrl } from "../../../../domain/access/database-url.ts";
import {
  type Connections,
  POOL_SETTINGS,
  type PoolSizes,
  RECURRING_MAX,
  SELECTING_LIMIT_MS,
  SELECTING_MAX,
  SILENCE_MS,
} from "../../connection/connections.ts";
import { PREPARED_MAX } from "./prepared-texts.ts";
import { reachEveryAddress } from "./reach.ts";
import { prepareSession, type SessionConnection, type SessionKind } from "./session.ts";

const CONNECT_TIMEOUT_MS = 3_000;
const LOCK_WAIT_S = 2;
/**
 * Claims and settles of several merchants share a statement, so all of them wait for a row that another session has
 * locked. A whole second is the shortest time that MySQL can wait.
 */
const SHORT_LOCK_WAIT_S = 1;

/** The part of mysql2's connection that is used here. */
interface Connection extends SessionConnection {
  readonly stream: Socket;
  destroy(): void;
}

export function openMysql(url: string, pools: PoolSizes): Connections {
  const connection = connectionOf(url);
  const sockets = new Set<Socket>();
  const open = (max: number, kind: Partial<SessionKind> = {}): Knex => {
    const pool = knex({
      ...POOL_SETTINGS,
      client: "mysql2",
      connection,
      pool: {
        min: 0,
        max,
        afterCreate: (raw: Connection, done: (error: Error | null) => void) => {
          sockets.add(raw.stream);
          raw.stream.once("close", () => sockets.delete(raw.stream));
          begin(raw, connection.database, {
            statementLimitMs: 0,
            seesAllWrites: false,
            lockWaitS: LOCK_WAIT_S,
            ...kind,
          }).then(() => done(null), done);
        },
      },
    });
    const { host, port = 3306 } = connection;
    if (host !== undefined) reachEveryAddress(pool, { host, port }, CONNECT_TIMEOUT_MS);
    return pool;
  };
  const {
    recurringMax = RECURRING_MAX,
    selectingMax = SELECTING_MAX,
    selectingLimitMs = SELECTING_LIMIT_MS,
    silenceMs = SILENCE_MS,
  } = pools;
  const writes = open(pools.max);
  const recurring = open(recurringMax, { lockWaitS: SHORT_LOCK_WAIT_S });
  const decisive = open(pools.decisiveMax, { seesAllWrites: true });
  const selecting = open(selectingMax, { seesAllWrites: true, statementLimitMs: selectingLimitMs });
  const cut = () => {
    for (const socket of sockets)
      socket.destroy(Object.assign(new Error("the connection was cut: the service stops"), { code: "ECONNRESET" }));
  };
  const close = async (withinMs?: number) => {
    const late = withinMs === undefined ? undefined : setTimeout(cut, withinMs);
    await Promise.all([writes, recurring, decisive, selecting].map((pool) => pool.destroy()));
    clearTimeout(late);
  };
  return {
    knex: writes,
    recurring,
    decisive,
    selecting,
    snapshots: writes,
    auditSnapshots: selecting,
    selectingLimitMs,
    silenceMs,
    close,
  };
}

function connectionOf(url: string): Knex.MySql2ConnectionConfig & { readonly database: string } {
  const { user, password, database, host, port, socketPath, ssl } = readMysqlUrl(url);
  return {
    ...(socketPath === undefined ? { host, port } : { socketPath }),
    user,
    password,
    database,
    // The driver compares the certificate with a name only. For an address it would ask for a certificate of localhost.
    // knex' types do not know this option.
    ...(ssl ? { ssl: { rejectUnauthorized: true, verifyIdentity: isIP(host) === 0 } as object } : {}),
    charset: "utf8mb4",
    connectTimeout: CONNECT_TIMEOUT_MS,
    supportBigNumbers: true,
    bigNumberStrings: true,
    // PreparedTexts limits the number of statements of the whole pool. The driver's own limit per connection must not
    // be lower.
    maxPreparedStatements: PREPARED_MAX,
    // A VARBINARY column is text that is compared byte by byte, so it becomes a string. A BINARY column is bytes, and
    // stays a Buffer.
    typeCast: ((field: Field, next: () => unknown) =>
      field.type === "VAR_STRING" ? field.string("utf8") : next()) as never,
    // By default mysql2 sets the flag FOUND_ROWS. Then every compare-and-set that found its row would seem to have
    // succeeded, changed or not.
    flags: "-FOUND_ROWS",
  };
}

interface Field {
  readonly type: string;
  string(encoding: "utf8"): string | null;
}

/**
 * Prepares the session of a new connection within a time limit, because the connection counts in the pool until it is
 * ready or has failed.
 */
async function begin(raw: Connection, database: string, kind: SessionKind): Promise<void> {
  const { stream } = raw;
  stream.on("timeout", () =>
    stream.destroy(Object.assign(new Error("the database sent nothing within the time limit"), { code: "ETIMEDOUT" })),
  );
  stream.setTimeout(CONNECT_TIMEOUT_MS);
  try {
    await prepareSession(raw, database, kind);
    stream.setTimeout(0);
  } catch (error) {
    // The pool forgets a connection that failed here, and would leave it open.
    raw.destroy();
    throw error;
  }
}
