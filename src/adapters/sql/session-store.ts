import type { PlayerId, ProviderCode } from "../../domain/identifiers.ts";
import { type NewSession, type Player, type Session, SessionStore } from "../../ports/session-store.ts";
import { nowMs, textOf } from "./columns.ts";
import type { Database } from "./database.ts";
import { repeating } from "./retry.ts";

interface Row {
  readonly id: Buffer;
  readonly merchant_id: number | bigint;
  readonly player_id: string | Buffer;
  readonly player_ref: string | Buffer;
  readonly provider: string | Buffer;
  readonly game: string | Buffer;
  readonly demo: number | bigint;
  readonly language: string | Buffer;
  readonly country: string | Buffer;
  readonly created_at: string | bigint;
  readonly used_at: string | bigint;
  readonly now: string | bigint;
}

const ID = /^[0-9a-f]{32}$/;

/** Players and sessions in two tables. Each method is safe to repeat; no transaction is needed. */
export class SqlSessionStore extends SessionStore {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async create(session: NewSession): Promise<Session> {
    const { dialect, knex } = this.#database;
    const now = nowMs(dialect);
    const keep = (column: string): string => (dialect === "mysql" ? `ON DUPLICATE KEY UPDATE ${column} = ${column}` : "ON CONFLICT DO NOTHING");
    // Of concurrent first launches one inserts the player; all of them then copy that player's reference.
    await repeating(() =>
      knex.raw(`INSERT INTO players (merchant_id, player_id, player_ref) VALUES (?, ?, ?) ${keep("player_ref")}`, [
        session.merchantId,
        session.playerId,
        session.playerRef,
      ]),
    );
    // A repeat after a lost connection finds its own row: the id is random, so nobody else's.
    await repeating(() =>
      knex.raw(
        `INSERT INTO sessions (id, merchant_id, player_id, player_ref, provider, game, demo, language, country, created_at, used_at)
         SELECT ?, p.merchant_id, p.player_id, p.player_ref, ?, ?, ?, ?, ?, ${now}, ${now} FROM players p WHERE p.merchant_id = ? AND p.player_id = ?
         ${keep("sessions.used_at")}`,
        [idBytes(session.id), session.provider, session.game, session.demo ? 1 : 0, session.language, session.country, session.merchantId, session.playerId],
      ),
    );
    const stored = await this.read(session.id);
    if (stored === undefined) throw new Error("a session that was just stored is not there");
    return stored;
  }

  override async read(id: string): Promise<Session | undefined> {
    if (!ID.test(id)) return undefined;
    const { decisive, dialect } = this.#database;
    const row = await repeating(() =>
      decisive<Row>("sessions")
        .where({ id: idBytes(id) })
        .first("*", decisive.raw(`${nowMs(dialect)} AS now`)),
    );
    return row && fromRow(row as Row);
  }

  override async player(playerRef: string, provider: ProviderCode): Promise<Player | undefined> {
    const { decisive } = this.#database;
    const row = await repeating(() => decisive<Row>("sessions").where({ player_ref: playerRef, provider }).first("merchant_id", "player_id"));
    return row && { merchantId: Number(row.merchant_id), playerId: textOf(row.player_id) as PlayerId, playerRef };
  }

  override async touch(id: string): Promise<void> {
    if (!ID.test(id)) return;
    const { knex, dialect } = this.#database;
    await repeating(() =>
      knex("sessions")
        .where({ id: idBytes(id) })
        .update({ used_at: knex.raw(nowMs(dialect)) }),
    );
  }
}

const idBytes = (id: string): Buffer => Buffer.from(id, "hex");

function fromRow(row: Row): Session {
  return {
    id: row.id.toString("hex"),
    merchantId: Number(row.merchant_id),
    playerId: textOf(row.player_id) as PlayerId,
    playerRef: textOf(row.player_ref),
    provider: textOf(row.provider) as ProviderCode,
    game: textOf(row.game),
    demo: Number(row.demo) === 1,
    language: textOf(row.language),
    country: textOf(row.country),
    createdAt: Number(row.created_at),
    usedAt: Number(row.used_at),
    idleMs: Number(row.now) - Number(row.used_at),
  };
}
