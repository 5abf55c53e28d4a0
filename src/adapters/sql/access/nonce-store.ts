import { randomBytes } from "node:crypto";
import { NONCE_MEMORY_MS, NonceStore } from "../../../ports/nonce-store.ts";
import type { Database } from "../connection/database.ts";
import { decisiveRows, write } from "../connection/statement.ts";
import { nowMs, textOf } from "../schema/columns.ts";

interface Line {
  readonly merchantId: number;
  readonly nonce: string;
}

const TOKEN_BYTES = 16;
const keyOf = ({ merchantId, nonce }: Line): string => `${merchantId}/${nonce}`;
/** Every statement takes its locks in this order, so that overlapping batches queue up instead of deadlocking. */
const inOrder = (a: Line, b: Line): number => a.merchantId - b.merchantId || (a.nonce < b.nonce ? -1 : 1);

/** Nonces in a table whose primary key decides: of two inserts of one nonce the database takes one. */
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
    // Of copies within one batch the first counts.
    return lines.map((line) => mine.delete(line));
  }

  /** The lines that were not there. The token tells them apart, also when a lost connection made the insert run twice. */
  async #insert(lines: readonly Line[]): Promise<Set<Line>> {
    if (lines.length === 0) return new Set();
    const { dialect } = this.#database;
    const token = randomBytes(TOKEN_BYTES);
    const values = lines.map(() => `(?, ?, ?, ${nowMs(dialect)})`).join(", ");
    const onDuplicate = dialect === "mysql" ? "ON DUPLICATE KEY UPDATE token = nonces.token" : "ON CONFLICT DO NOTHING";
    const { affected } = await write(this.#database, {
      sql: `INSERT INTO nonces (merchant_id, nonce, token, used_at) VALUES ${values} ${onDuplicate}`,
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
    const keys = new Set(mine.map((row) => keyOf({ merchantId: Number(row.merchant_id), nonce: textOf(row.nonce as string | Buffer) })));
    return lines.filter((line) => keys.has(keyOf(line)));
  }

  override async forget(limit: number): Promise<number> {
    const { dialect } = this.#database;
    const old = `used_at < ${nowMs(dialect)} - ${NONCE_MEMORY_MS}`;
    const sql =
      dialect === "mysql" ? `DELETE FROM nonces WHERE ${old} LIMIT ?` : `DELETE FROM nonces WHERE rowid IN (SELECT rowid FROM nonces WHERE ${old} LIMIT ?)`;
    return (await write(this.#database, { sql, bindings: [limit] })).affected;
  }
}
