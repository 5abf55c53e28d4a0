import { createHash } from "node:crypto";
import type { Database } from "../connection/database.ts";
import { decisiveRows, write } from "../connection/statement.ts";
import { nowMs } from "../schema/columns.ts";

/** The step of the schema from which on a replica finds sessions by the hash of their id. */
const HASHES_SESSIONS = 5;
/** A replica that was not heard of for so long is gone. */
const GONE_MS = 60_000;
/** Ids are replaced so much later than sessions are stored under their hash: a session that was stored at the last moment is found. */
const MARGIN_MS = 30_000;

const ID_BYTES = 16;
const FIRST = Buffer.alloc(ID_BYTES);
const END = Buffer.alloc(ID_BYTES, 0xff);

/** What is stored instead of a session's id: the first half of its SHA-256. The id is random, and as long as this. */
export const sessionHash = (id: string): Buffer => createHash("sha256").update(id).digest().subarray(0, ID_BYTES);

/**
 * The way from ids in clear to hashes while replicas of the release before still run. These look sessions up by the id itself, so ids are
 * stored as they were until none of them is left; then those that are there are replaced.
 */
export class SessionHashing {
  readonly #database: Database;
  #alone = false;
  #done = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether every replica finds a session by its hash. Once that is so it stays so: the release before doesn't start on this schema. */
  async isOn(): Promise<boolean> {
    this.#alone ||= !(await this.#heardOfOlder(GONE_MS));
    return this.#alone;
  }

  /**
   * Goes through the next `limit` sessions and replaces the ids among them. Any number of replicas may do so at once.
   *
   * @returns how many were gone through; 0: nothing is left, or it is too early.
   */
  async replaceSome(limit: number): Promise<number> {
    if (this.#done || (await this.#heardOfOlder(GONE_MS + MARGIN_MS))) return 0;
    const [progress] = await decisiveRows(this.#database, { sql: "SELECT position FROM session_hashing WHERE id = 1", bindings: [] });
    const position = (progress?.position as Buffer | undefined) ?? FIRST;
    this.#done = position.equals(END);
    if (this.#done) return 0;
    const rows = await decisiveRows(this.#database, { sql: "SELECT id, hashed FROM sessions WHERE id > ? ORDER BY id LIMIT ?", bindings: [position, limit] });
    await this.#replace(rows.filter(({ hashed }) => hashed === null).map(({ id }) => id as Buffer));
    const reached = rows.length < limit ? END : (rows.at(-1)?.id as Buffer);
    await write(this.#database, { sql: "UPDATE session_hashing SET position = ? WHERE id = 1 AND position < ?", bindings: [reached, reached] });
    return rows.length;
  }

  async #replace(ids: readonly Buffer[]): Promise<void> {
    if (ids.length === 0) return;
    await write(this.#database, {
      sql: `UPDATE sessions SET id = CASE id ${ids.map(() => "WHEN ? THEN ?").join(" ")} END, hashed = 1
        WHERE id IN (${ids.map(() => "?").join(",")}) AND hashed IS NULL`,
      bindings: [...ids.flatMap((id) => [id, sessionHash(id.toString("hex"))]), ...ids],
    });
  }

  async #heardOfOlder(withinMs: number): Promise<boolean> {
    const now = nowMs(this.#database.dialect);
    const sql = `SELECT COUNT(*) AS n FROM heartbeats WHERE seen_at > ${now} - ? AND COALESCE(schema_step, 0) < ?`;
    const [row] = await decisiveRows(this.#database, { sql, bindings: [withinMs, HASHES_SESSIONS] });
    return Number(row?.n) > 0;
  }
}
