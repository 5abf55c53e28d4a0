import { randomBytes } from "node:crypto";
import { NONCE_MEMORY_MS, NonceStore } from "../../../ports/nonce-store.ts";
import type { Database } from "../connection/database.ts";
import { decisiveRows, deleteRows, write } from "../connection/execute.ts";
import { textOf } from "../schema/columns.ts";

interface Line {
  readonly merchantId: number;
  readonly nonce: string;
}

const TOKEN_BYTES = 16;
const keyOf = ({ merchantId, nonce }: Line): string => `${merchantId}/${nonce}`;
/**
 * Every statement locks its rows in this order, so that overlapping batches wait for each other instead of deadlocking.
 */
const inOrder = (a: Line, b: Line): number => a.merchantId - b.merchantId || (a.nonce < b.nonce ? -1 : 1);

/**
 * Nonces in a table. Its primary key decides which use is the first: if two replicas insert the same nonce, the
 * database keeps one of the rows.
 */
export class SqlNonceStore extends NonceStore {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async use(lines: readonly Line[]): Promise<boolean[]> {
    const first = new Map<string, Line>();
    for (const line of lines) {
      const key = keyOf(line);
      if (!first.has(key)) first.set(key, line);
    }
    const mine = await this.#insert([...first.values()].sort(inOrder));
    // If a nonce is in the batch more than once, only its first line passes.
    return lines.map((line) => mine.delete(line));
  }

  /**
   * Returns the lines that this call inserted. This call's token marks its rows, so they are recognised even if a lost
   * connection made the INSERT run twice.
   */
  async #insert(lines: readonly Line[]): Promise<Set<Line>> {
    if (lines.length === 0) return new Set();
    const { nowMs, keepExisting } = this.#database.dialect.sql;
    const token = randomBytes(TOKEN_BYTES);
    const values = lines.map(() => `(?, ?, ?, ${nowMs})`).join(", ");
    const { affected } = await write(this.#database, {
      sql: `INSERT INTO nonces (merchant_id, nonce, token, used_at) VALUES ${values} ${keepExisting("nonces.token")}`,
      bindings: lines.flatMap(({ merchantId, nonce }) => [merchantId, nonce, token]),
      recurs: true,
    });
    return new Set(affected === lines.length ? lines : await this.#withToken(lines, token));
  }

  async #withToken(lines: readonly Line[], token: Buffer): Promise<Line[]> {
    const found = await decisiveRows(this.#database, {
      sql: `SELECT merchant_id, nonce, token FROM nonces WHERE ${lines.map(() => "(merchant_id = ? AND nonce = ?)").join(" OR ")}`,
      bindings: lines.flatMap(({ merchantId, nonce }) => [merchantId, nonce]),
    });
    const mine = found.filter((row) => token.equals(row.token as Buffer));
    const keys = new Set(mine.map((row) => keyOf({ merchantId: Number(row.merchant_id), nonce: textOf(row.nonce) })));
    return lines.filter((line) => keys.has(keyOf(line)));
  }

  override forget(limit: number): Promise<number> {
    return deleteRows(this.#database, "nonces", (now) => `used_at < ${now} - ${NONCE_MEMORY_MS}`, limit);
  }
}
