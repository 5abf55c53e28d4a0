import { randomBytes } from "node:crypto";
import { NONCE_MEMORY_MS, NonceStore } from "../../ports/nonce-store.ts";
import { nowMs, textOf } from "./columns.ts";
import type { Database } from "./database.ts";
import { repeating } from "./retry.ts";

interface Line {
  readonly merchantId: number;
  readonly nonce: string;
}

const TOKEN_BYTES = 16;
const keyOf = ({ merchantId, nonce }: Line): string => `${merchantId}/${nonce}`;
/** Every statement takes its locks in this order, so that overlapping batches queue up instead of deadlocking. */
const inOrder = (a: Line, b: Line): number => a.merchantId - b.merchantId || Buffer.compare(Buffer.from(a.nonce), Buffer.from(b.nonce));

/** Nonces in a table whose primary key decides: of two inserts of one nonce the database takes one. */
export class SqlNonceStore extends NonceStore {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async use(lines: readonly Line[]): Promise<boolean[]> {
    const first = new Map<string, Line>();
    for (const line of lines) if (!first.has(keyOf(line))) first.set(keyOf(line), line);
    const mine = await this.#insert([...first.values()].sort(inOrder));
    // Of copies within one batch the first counts.
    return lines.map((line) => first.get(keyOf(line)) === line && mine.has(keyOf(line)));
  }

  /** The keys of the lines that were not there. The token tells them apart, also when a lost connection made the insert run twice. */
  async #insert(lines: readonly Line[]): Promise<ReadonlySet<string>> {
    if (lines.length === 0) return new Set();
    const { dialect, knex } = this.#database;
    const token = randomBytes(TOKEN_BYTES);
    const values = lines.map(() => `(?, ?, ?, ${nowMs(dialect)})`).join(", ");
    const onDuplicate = dialect === "mysql" ? "ON DUPLICATE KEY UPDATE token = nonces.token" : "ON CONFLICT DO NOTHING";
    const bindings = lines.flatMap(({ merchantId, nonce }) => [merchantId, nonce, token]);
    const inserted = await repeating(async () =>
      affectedRows(await knex.raw(`INSERT INTO nonces (merchant_id, nonce, token, used_at) VALUES ${values} ${onDuplicate}`, bindings)),
    );
    return inserted === lines.length ? new Set(lines.map(keyOf)) : this.#withToken(lines, token);
  }

  async #withToken(lines: readonly Line[], token: Buffer): Promise<ReadonlySet<string>> {
    const rows = await repeating(() =>
      this.#database
        .decisive<{ merchant_id: number | bigint; nonce: string | Buffer; token: Buffer }>("nonces")
        .select("merchant_id", "nonce", "token")
        .where((any) => {
          for (const { merchantId, nonce } of lines) void any.orWhere({ merchant_id: merchantId, nonce });
        }),
    );
    return new Set(rows.filter((row) => token.equals(row.token)).map((row) => keyOf({ merchantId: Number(row.merchant_id), nonce: textOf(row.nonce) })));
  }

  override async forget(limit: number): Promise<number> {
    const { dialect, knex } = this.#database;
    const old = `used_at < ${nowMs(dialect)} - ${NONCE_MEMORY_MS}`;
    const sql =
      dialect === "mysql" ? `DELETE FROM nonces WHERE ${old} LIMIT ?` : `DELETE FROM nonces WHERE rowid IN (SELECT rowid FROM nonces WHERE ${old} LIMIT ?)`;
    return repeating(async () => affectedRows(await knex.raw(sql, [limit])));
  }
}

/** What a raw INSERT or DELETE changed: mysql2 answers a header and fields, better-sqlite3 its own record. */
function affectedRows(answer: readonly [{ readonly affectedRows: number }] | { readonly changes: number | bigint }): number {
  return "changes" in answer ? Number(answer.changes) : answer[0].affectedRows;
}
