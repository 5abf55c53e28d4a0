import { createHash } from "node:crypto";
import type { Database } from "../connection/database.ts";
import { decisiveRows, write } from "../connection/execute.ts";
import { marks } from "../connection/statement.ts";

/** A replica that knows this schema step, or a later one, finds sessions by the hash of their id. */
const HASHES_SESSIONS = 5;
/** A replica without a heartbeat for this time counts as stopped. */
const GONE_MS = 60_000;
/**
 * The time between two steps: first new sessions are stored by their hash, and after this time the stored ids are
 * replaced by their hashes. So a session that was stored by its id at the last moment is replaced, too.
 */
const MARGIN_MS = 30_000;

const ID_BYTES = 16;
const FIRST = Buffer.alloc(ID_BYTES);
const END = Buffer.alloc(ID_BYTES, 0xff);

/**
 * The hash that is stored instead of a session's id: the first half of the id's SHA-256. It is as long as the id, and
 * half is enough, because the id is random.
 */
export const sessionHash = (id: string): Buffer => createHash("sha256").update(id).digest().subarray(0, ID_BYTES);

/**
 * Replaces stored session ids by their hashes, while replicas of the previous release may still run. Those replicas
 * look sessions up by the id itself. So new sessions are stored by their id until the last of those replicas has
 * stopped. Then the stored ids are replaced.
 */
export class SessionHashing {
  readonly #database: Database;
  #allFindHashes = false;
  #done = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Whether every replica finds a session by its hash. Once this is true it stays true, because the previous release
   * doesn't start with this schema.
   */
  async isOn(): Promise<boolean> {
    this.#allFindHashes ||= !(await this.#olderReplicaRuns(GONE_MS));
    return this.#allFindHashes;
  }

  /**
   * Reads the next `limit` sessions and replaces ids that are not hashed yet by their hashes. Any number of replicas
   * may do this at once.
   *
   * @returns the number of sessions read. 0: no session is left, or an older replica may still run.
   */
  async replaceSome(limit: number): Promise<number> {
    if (this.#done || (await this.#olderReplicaRuns(GONE_MS + MARGIN_MS))) return 0;
    const [progress] = await decisiveRows(this.#database, {
      sql: "SELECT position FROM session_hashing WHERE id = 1",
      bindings: [],
    });
    const position = (progress?.position as Buffer | undefined) ?? FIRST;
    this.#done = position.equals(END);
    if (this.#done) return 0;
    const rows = await decisiveRows(this.#database, {
      sql: "SELECT id, hashed FROM sessions WHERE id > ? ORDER BY id LIMIT ?",
      bindings: [position, limit],
    });
    await this.#replace(rows.filter(({ hashed }) => hashed === null).map(({ id }) => id as Buffer));
    const reached = rows.length < limit ? END : (rows.at(-1)?.id as Buffer);
    await write(this.#database, {
      sql: "UPDATE session_hashing SET position = ? WHERE id = 1 AND position < ?",
      bindings: [reached, reached],
    });
    return rows.length;
  }

  async #replace(ids: readonly Buffer[]): Promise<void> {
    if (ids.length === 0) return;
    await write(this.#database, {
      sql: `UPDATE sessions SET id = CASE id ${ids.map(() => "WHEN ? THEN ?").join(" ")} END, hashed = 1
        WHERE id IN (${marks(ids)}) AND hashed IS NULL`,
      bindings: [...ids.flatMap((id) => [id, sessionHash(id.toString("hex"))]), ...ids],
    });
  }

  async #olderReplicaRuns(withinMs: number): Promise<boolean> {
    const { nowMs } = this.#database.dialect.sql;
    const sql = `SELECT COUNT(*) AS n FROM heartbeats WHERE seen_at > ${nowMs} - ? AND COALESCE(schema_step, 0) < ?`;
    const [row] = await decisiveRows(this.#database, { sql, bindings: [withinMs, HASHES_SESSIONS] });
    return Number(row?.n) > 0;
  }
}
