/**
 * The durable state of connectors, in tables of their own. All replicas of a connector share it. Every row has the name
 * of its API, so several connectors may share a database. Ids of providers are stored as hashes, and session ids are
 * encrypted.
 */
import { type Database, openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { decisiveRows, deleteRows, write } from "../../src/adapters/sql/connection/execute.ts";
import type { Cell, Row } from "../../src/adapters/sql/connection/statement.ts";
import {
  big,
  createTable,
  int,
  key,
  longText,
  nullable,
  type Table,
  text,
} from "../../src/adapters/sql/schema/table.ts";
import { SecretBox } from "../../src/adapters/sql/settings/secret-box.ts";
import { type Currency, isCurrency } from "../../src/domain/values/money.ts";
import { sha256 } from "./verify.ts";

/** A player, with the id that the provider knows. */
export interface Player {
  /** The id that the provider gets. */
  readonly alias: string;
  readonly playerRef: string;
  readonly currency: Currency;
  readonly country: string;
  readonly language: string;
  /** The game of the session, or of the player's last launch. */
  readonly game: string;
}

export interface Session extends Player {
  readonly sessionId: string;
  /** Whether a newer token has replaced this one. Such a token is good for settlements, but not for bets. */
  readonly isReplaced: boolean;
}

/**
 * A note about a transaction that the service does not store, or does not store completely: an amount of 0, or an
 * amount with a part below the minor unit.
 */
export interface Note {
  /** The hash of the transaction's content. */
  readonly digest: string;
  readonly kind: "bet" | "win";
  readonly alias: string;
  /** For a bet of 0: the hash of the id that settled or reversed it; null: nothing has. */
  readonly closedBy: string | null;
  readonly closedAs: "settled" | "reversed" | null;
}

export interface Task {
  readonly id: string;
  readonly playerRef: string;
  readonly game: string;
  readonly attempts: number;
}

const PERSON = {
  api: key(32),
  alias: key(64),
  player_ref: key(64),
  currency: text(3),
  country: text(2),
  language: text(16),
  game: text(128),
  session: text(512),
};
const PLAYERS: Table = {
  name: "connector_players",
  columns: { ...PERSON, updated_at: big() },
  primary: ["api", "alias"],
};
const SESSIONS: Table = {
  name: "connector_sessions",
  columns: { ...PERSON, token: key(64), replaced: int(), created_at: big() },
  primary: ["api", "token"],
  indexes: { created: ["created_at"] },
};
const NOTES: Table = {
  name: "connector_notes",
  columns: {
    api: key(32),
    tx: key(64),
    digest: key(64),
    kind: text(8),
    alias: key(64),
    rest: text(40),
    closed_by: nullable(key(64)),
    closed_as: nullable(text(8)),
    created_at: big(),
  },
  primary: ["api", "tx"],
  indexes: { created: ["created_at"] },
};
/** `state`: armed (it will be reversed at its time), closed (nothing is to be done), debt (people must look). */
const TASKS: Table = {
  name: "connector_tasks",
  columns: {
    api: key(32),
    tx: key(64),
    state: key(8),
    request: longText(),
    attempts: int(),
    due_at: big(),
    created_at: big(),
  },
  primary: ["api", "tx"],
  indexes: { due: ["api", "state", "due_at"], created: ["created_at"] },
};
const PURGED = [SESSIONS, NOTES, TASKS] as const;
const PURGE_ROWS = 500;

export class Store {
  readonly #database: Database;
  readonly #api: string;
  readonly #box: SecretBox;

  private constructor(database: Database, api: string, box: SecretBox) {
    this.#database = database;
    this.#api = api;
    this.#box = box;
  }

  /** Opens the database and creates the tables that are missing. */
  static async open(url: string, api: string, masterKey: Uint8Array): Promise<Store> {
    const database = openDatabase(url, { max: 8, decisiveMax: 8 });
    for (const table of [PLAYERS, SESSIONS, NOTES, TASKS]) await createTable(database.knex, database.dialect, table);
    return new Store(database, api, new SecretBox([masterKey]));
  }

  close(): Promise<void> {
    return this.#database.close(2_000);
  }

  /** Throws if the database does not answer. */
  async ping(): Promise<void> {
    await this.#rows("SELECT 1 AS one", []);
  }

  /** Stores the session of a launch or of a rotation. Each token names it; the player's newest session is this one. */
  async addSession({ sessionId, ...player }: Omit<Session, "isReplaced">, token: string): Promise<void> {
    const { nowMs, keepExisting, updateExisting, inserted } = this.#database.dialect.sql;
    const hash = sha256(token);
    const about = [player.alias, player.playerRef, player.currency, player.country, player.language, player.game];
    await this.#write(
      `INSERT INTO connector_sessions (api, token, alias, player_ref, currency, country, language, game, session, replaced, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ${nowMs}) ${keepExisting("connector_sessions.token")}`,
      [this.#api, hash, ...about, this.#box.seal(sessionId, hash)],
    );
    const changed = ["player_ref", "currency", "country", "language", "game", "session", "updated_at"];
    await this.#write(
      `INSERT INTO connector_players (api, alias, player_ref, currency, country, language, game, session, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${nowMs}) ${updateExisting("api, alias")} ${changed.map((name) => `${name} = ${inserted(name)}`).join(", ")}`,
      [this.#api, ...about, this.#box.seal(sessionId, player.alias)],
    );
  }

  async session(token: string): Promise<Session | undefined> {
    const hash = sha256(token);
    const [row] = await this.#rows("SELECT * FROM connector_sessions WHERE api = ? AND token = ?", [this.#api, hash]);
    return row && { ...playerOf(row), sessionId: this.#open(row, hash), isReplaced: Number(row.replaced) === 1 };
  }

  /** Marks a token as replaced: from now on it is good for settlements only. */
  async replaceToken(token: string): Promise<void> {
    await this.#write("UPDATE connector_sessions SET replaced = 1 WHERE api = ? AND token = ?", [
      this.#api,
      sha256(token),
    ]);
  }

  /** The player with the newest session of the player. */
  async player(alias: string): Promise<Session | undefined> {
    const [row] = await this.#rows("SELECT * FROM connector_players WHERE api = ? AND alias = ?", [this.#api, alias]);
    return row && { ...playerOf(row), sessionId: this.#open(row, alias), isReplaced: false };
  }

  /** Notes a transaction unless there is a note under its id already. Returns the note that is stored. */
  async note(
    tx: string,
    { digest, kind, alias }: Pick<Note, "digest" | "kind" | "alias">,
    rest: string,
  ): Promise<Note> {
    const { nowMs, keepExisting } = this.#database.dialect.sql;
    await this.#write(
      `INSERT INTO connector_notes (api, tx, digest, kind, alias, rest, created_at) VALUES (?, ?, ?, ?, ?, ?, ${nowMs}) ${keepExisting("connector_notes.tx")}`,
      [this.#api, sha256(tx), digest, kind, alias, rest],
    );
    return (await this.noteOf(tx)) ?? { digest, kind, alias, closedBy: null, closedAs: null };
  }

  async noteOf(tx: string): Promise<Note | undefined> {
    const [row] = await this.#rows("SELECT * FROM connector_notes WHERE api = ? AND tx = ?", [this.#api, sha256(tx)]);
    return (
      row && {
        digest: String(row.digest),
        kind: row.kind as Note["kind"],
        alias: String(row.alias),
        closedBy: row.closed_by === null ? null : String(row.closed_by),
        closedAs: row.closed_as as Note["closedAs"],
      }
    );
  }

  /** Settles or reverses a bet of 0, if nothing has done so yet. Returns whether `by` is what did it. */
  async closeNote(tx: string, by: string, as: "settled" | "reversed"): Promise<boolean> {
    await this.#write(
      "UPDATE connector_notes SET closed_by = ?, closed_as = ? WHERE api = ? AND tx = ? AND closed_by IS NULL",
      [sha256(by), as, this.#api, sha256(tx)],
    );
    const note = await this.noteOf(tx);
    return note?.closedBy === sha256(by) && note.closedAs === as;
  }

  /**
   * Writes, before a bet is sent, that the connector itself reverses it at its time, unless {@link disarm} comes first.
   * A bet that was disarmed before stays so.
   */
  async arm(tx: string, task: Omit<Task, "id" | "attempts">, inMs: number): Promise<void> {
    const { nowMs, keepExisting } = this.#database.dialect.sql;
    await this.#write(
      `INSERT INTO connector_tasks (api, tx, state, request, attempts, due_at, created_at) VALUES (?, ?, 'armed', ?, 0, ${nowMs} + ?, ${nowMs}) ${keepExisting("connector_tasks.tx")}`,
      [this.#api, sha256(tx), JSON.stringify({ id: tx, ...task }), inMs],
    );
  }

  async disarm(tx: string): Promise<void> {
    await this.#write("UPDATE connector_tasks SET state = 'closed' WHERE api = ? AND tx = ? AND state = 'armed'", [
      this.#api,
      sha256(tx),
    ]);
  }

  /** Notes that people must look at a transaction. */
  async owe(tx: string, task: Omit<Task, "id" | "attempts">): Promise<void> {
    const { nowMs, keepExisting } = this.#database.dialect.sql;
    await this.#write(
      `INSERT INTO connector_tasks (api, tx, state, request, attempts, due_at, created_at) VALUES (?, ?, 'debt', ?, 0, ${nowMs}, ${nowMs}) ${keepExisting("connector_tasks.tx")}`,
      [this.#api, sha256(`debt:${tx}`), JSON.stringify({ id: tx, ...task })],
    );
  }

  /** The tasks whose time has come. Each gets a new time first, so that another replica does not begin it as well. */
  async dueTasks(limit: number, againInMs: number): Promise<readonly Task[]> {
    const { nowMs } = this.#database.dialect.sql;
    const due = await this.#rows(
      `SELECT * FROM connector_tasks WHERE api = ? AND state = 'armed' AND due_at <= ${nowMs} ORDER BY due_at LIMIT ?`,
      [this.#api, limit],
    );
    const tasks: Task[] = [];
    for (const row of due) {
      const { affected } = await this.#write(
        `UPDATE connector_tasks SET due_at = ${nowMs} + ?, attempts = attempts + 1 WHERE api = ? AND tx = ? AND state = 'armed' AND due_at = ?`,
        [againInMs, this.#api, String(row.tx), Number(row.due_at)],
      );
      if (affected === 0) continue;
      const request = JSON.parse(String(row.request)) as Omit<Task, "attempts">;
      tasks.push({ ...request, attempts: Number(row.attempts) + 1 });
    }
    return tasks;
  }

  /** The number of tasks that wait, and of debts. */
  async openTasks(): Promise<{ readonly armed: number; readonly debt: number }> {
    const found = await this.#rows(
      "SELECT state, COUNT(*) AS number FROM connector_tasks WHERE api = ? AND state <> 'closed' GROUP BY state",
      [this.#api],
    );
    const numberOf = (state: string) => Number(found.find((row) => row.state === state)?.number ?? 0);
    return { armed: numberOf("armed"), debt: numberOf("debt") };
  }

  /** Deletes old rows. Players stay for ever, because a late settlement names only the player. */
  async purge(keepMs: number): Promise<void> {
    for (const { name } of PURGED)
      await deleteRows(this.#database, name, (now) => `created_at < ${now} - ${keepMs}`, PURGE_ROWS);
  }

  #open(row: Row, context: string): string {
    return this.#box.open(String(row.session), context);
  }

  #rows(sql: string, bindings: readonly Cell[]): Promise<readonly Row[]> {
    return decisiveRows(this.#database, { sql, bindings, recurs: true });
  }

  #write(sql: string, bindings: readonly Cell[]): Promise<{ readonly affected: number }> {
    return write(this.#database, { sql, bindings, recurs: true });
  }
}

function playerOf(row: Row): Player {
  const currency = String(row.currency);
  if (!isCurrency(currency)) throw new Error("a stored player has an unknown currency");
  return {
    alias: String(row.alias),
    playerRef: String(row.player_ref),
    currency,
    country: String(row.country),
    language: String(row.language),
    game: String(row.game),
  };
}
