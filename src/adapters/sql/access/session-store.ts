import type { PlayerId, ProviderCode } from "../../../domain/values/identifiers.ts";
import { type NewSession, type Player, type Session, SessionStore } from "../../../ports/session-store.ts";
import type { Database } from "../connection/database.ts";
import { decisiveRows, write } from "../connection/execute.ts";
import type { Binding, Row } from "../connection/statement.ts";
import { flagOf, numberOrNull, textOf } from "../schema/columns.ts";
import { SessionHashing, sessionHash } from "./session-hashing.ts";

const ID = /^[0-9a-f]{32}$/;

/**
 * Finds a session that is stored by the hash of its id, or by the id itself, which an older release stored. A stored
 * hash is never accepted as an id.
 */
const BY_ID = "((id = ? AND hashed = 1) OR (id = ? AND hashed IS NULL))";
const byId = (id: string): readonly Binding[] => [sessionHash(id), idBytes(id)];

/** Players and sessions in two tables. Each method can be repeated without harm, so no method needs a transaction. */
export class SqlSessionStore extends SessionStore {
  readonly #database: Database;
  readonly #hashing: SessionHashing;

  constructor(database: Database) {
    super();
    this.#database = database;
    this.#hashing = new SessionHashing(database);
  }

  override async create(session: NewSession): Promise<Session> {
    const { nowMs, keepExisting } = this.#database.dialect.sql;
    // If a player's first launches run at the same time, one of them inserts the player, and all of them use the
    // reference of that row.
    await write(this.#database, {
      sql: `INSERT INTO players (merchant_id, player_id, player_ref) VALUES (?, ?, ?) ${keepExisting("players.player_ref")}`,
      bindings: [session.merchantId, session.playerId, session.playerRef],
    });
    const hashed = await this.#hashing.isOn();
    // A repeat after a lost connection finds the row of the first try. The id is random, so it belongs to no other
    // session.
    await write(this.#database, {
      sql: `INSERT INTO sessions (id, hashed, merchant_id, player_id, player_ref, provider, game, demo, language, country, created_at, used_at)
            SELECT ?, ?, p.merchant_id, p.player_id, p.player_ref, ?, ?, ?, ?, ?, ${nowMs}, ${nowMs} FROM players p WHERE p.merchant_id = ? AND p.player_id = ?
            ${keepExisting("sessions.used_at")}`,
      bindings: [
        hashed ? sessionHash(session.id) : idBytes(session.id),
        hashed ? 1 : null,
        session.provider,
        session.game,
        session.demo ? 1 : 0,
        session.language,
        session.country,
        session.merchantId,
        session.playerId,
      ],
    });
    const stored = await this.read(session.id);
    if (stored === undefined) throw new Error("a session that was just stored was not found");
    return stored;
  }

  override async read(id: string): Promise<Session | undefined> {
    if (!ID.test(id)) return undefined;
    const sql = `SELECT sessions.*, ${this.#database.dialect.sql.nowMs} AS now_ms FROM sessions WHERE ${BY_ID}`;
    const [row] = await decisiveRows(this.#database, { sql, bindings: byId(id) });
    return row && fromRow(id, row);
  }

  override async player(playerRef: string, provider: ProviderCode): Promise<Player | undefined> {
    const sql = "SELECT merchant_id, player_id FROM sessions WHERE player_ref = ? AND provider = ? LIMIT 1";
    const [row] = await decisiveRows(this.#database, { sql, bindings: [playerRef, provider] });
    return (
      row && {
        merchantId: Number(row.merchant_id),
        playerId: textOf(row.player_id) as PlayerId,
        playerRef,
      }
    );
  }

  override async touch(id: string): Promise<void> {
    if (!ID.test(id)) return;
    await write(this.#database, {
      sql: `UPDATE sessions SET used_at = ${this.#database.dialect.sql.nowMs} WHERE ${BY_ID}`,
      bindings: byId(id),
    });
  }

  override async end(id: string): Promise<void> {
    if (!ID.test(id)) return;
    const sql = `UPDATE sessions SET ended_at = ${this.#database.dialect.sql.nowMs} WHERE ${BY_ID} AND ended_at IS NULL`;
    await write(this.#database, { sql, bindings: byId(id) });
  }

  override forget(limit: number): Promise<number> {
    return this.#hashing.replaceSome(limit);
  }
}

const idBytes = (id: string): Buffer => Buffer.from(id, "hex");

function fromRow(id: string, row: Row): Session {
  return {
    id,
    merchantId: Number(row.merchant_id),
    playerId: textOf(row.player_id) as PlayerId,
    playerRef: textOf(row.player_ref),
    provider: textOf(row.provider) as ProviderCode,
    game: textOf(row.game),
    demo: flagOf(row.demo),
    language: textOf(row.language),
    country: textOf(row.country),
    createdAt: Number(row.created_at),
    usedAt: Number(row.used_at),
    idleMs: Number(row.now_ms) - Number(row.used_at),
    endedAt: numberOrNull(row.ended_at),
  };
}
