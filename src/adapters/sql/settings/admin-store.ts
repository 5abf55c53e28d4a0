import type { Knex } from "knex";
import type { Result } from "../../../domain/errors.ts";
import {
  AdminStore,
  type AuditEntry,
  type AuditQuery,
  type Decide,
  type Found,
  type NewAuditEntry,
  type Resealed,
  type Wanted,
} from "../../../ports/admin-store.ts";
import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import type { Database } from "../connection/database.ts";
import { inTransaction, rowsIn } from "../connection/database-transaction.ts";
import { decisiveRows, write } from "../connection/execute.ts";
import { repeating } from "../connection/retry.ts";
import type { Row, Statement } from "../connection/statement.ts";
import { auditFromRow, auditQuery, insertAudit } from "./audit-rows.ts";
import { resealMerchants } from "./reseal.ts";
import type { SecretBox } from "./secret-box.ts";
import { among, SettingsReader } from "./settings-read.ts";
import { SettingsWriter } from "./settings-write.ts";

/**
 * Changes settings together with their audit entries and epoch in one transaction. The lock on the epoch's row makes
 * changes wait for each other.
 */
export class SqlAdminStore extends AdminStore {
  readonly #database: Database;
  readonly #box: SecretBox;

  constructor(database: Database, box: SecretBox) {
    super();
    this.#database = database;
    this.#box = box;
  }

  override async change<T>(wanted: Wanted, decide: Decide<T>): Promise<Result<T>> {
    try {
      return await repeating(
        this.#database.dialect,
        () => inTransaction(this.#database, (db) => this.#change(db, wanted, decide)),
        // A change is not repeated, because a second run would see the writes of the first run: it would refuse a
        // merchant that the first run created.
        () => {
          throw new StoreUnavailable("nobody knows whether the change was stored");
        },
      );
    } catch (cause) {
      if (cause instanceof NothingToStore) return cause.answer as Result<T>;
      throw cause;
    }
  }

  async #change<T>(db: Knex.Transaction, wanted: Wanted, decide: Decide<T>): Promise<Result<T>> {
    const writer = await SettingsWriter.begin(db, this.#database.dialect, this.#box);
    const decided = decide({ now: writer.now, ...(await this.#find(db, wanted)) });
    if (!decided.ok) throw new NothingToStore(decided);
    const { writes, audit, value } = decided.value;
    if (writes.length === 0 && audit.length === 0) throw new NothingToStore({ ok: true, value });
    for (const write of writes) await writer.write(write);
    await insertAudit(db, this.#database.dialect, audit);
    return { ok: true, value };
  }

  async #find(db: Knex.Transaction, wanted: Wanted): Promise<Omit<Found, "now">> {
    const select = (statement: Statement) => rowsIn(this.#database.dialect, db, statement);
    const reader = new SettingsReader(select, this.#box);
    const providers = wanted.providers ?? [];
    const [merchant] = wanted.merchant === undefined ? [] : await reader.merchants(among("code", [wanted.merchant]));
    return {
      brands: await reader.brands(among("code", wanted.brands ?? [])),
      merchant,
      merchantUsed: merchant !== undefined && (await isUsed(select, merchant.id)),
      providers: await reader.providers(among("code", providers)),
      games: await gamesOf(reader, providers, wanted.games ?? []),
      adminKeys: wanted.adminKeys === true ? await reader.adminKeys() : [],
    };
  }

  override async record(entry: NewAuditEntry): Promise<void> {
    // After a lost connection the entry may be stored twice. That is better than an entry that is missing.
    await repeating(this.#database.dialect, () =>
      inTransaction(this.#database, (db) => insertAudit(db, this.#database.dialect, [entry])),
    );
  }

  override async entries(query: AuditQuery, limit: number): Promise<AuditEntry[]> {
    const rows = await decisiveRows(this.#database, auditQuery(query, limit, this.#database.dialect.sql));
    return rows.map(auditFromRow);
  }

  override async entry(id: bigint): Promise<AuditEntry | undefined> {
    const [row] = await decisiveRows(this.#database, { sql: "SELECT * FROM audit WHERE id = ?", bindings: [id] });
    return row && auditFromRow(row);
  }

  override reseal(): Promise<Resealed> {
    return resealMerchants(this.#database, this.#box);
  }

  /** The epoch is not raised: even a replica that still has the old secret in memory does not accept it. */
  override async forgetEndedSecrets(limit: number): Promise<number> {
    const ended = `rotation_ends_at <= ${this.#database.dialect.sql.nowMs}`;
    // The rows are read first, because on SQLite an UPDATE waits for the only writer, even if it has nothing to change.
    const rows = await decisiveRows(this.#database, {
      sql: `SELECT id FROM merchants WHERE ${ended} LIMIT ?`,
      bindings: [limit],
    });
    if (rows.length === 0) return 0;
    const these = among(
      "id",
      rows.map(({ id }) => Number(id)),
    );
    const { affected } = await write(this.#database, {
      sql: `UPDATE merchants SET previous_secret = NULL, rotation_ends_at = NULL WHERE ${these.sql} AND ${ended}`,
      bindings: these.bindings,
    });
    return affected;
  }
}

/** Rolls back a transaction that has nothing to store. */
class NothingToStore extends Error {
  override readonly name = "NothingToStore";
  readonly answer: Result<unknown>;

  constructor(answer: Result<unknown>) {
    super("nothing to store");
    this.answer = answer;
  }
}

type Select = (statement: Statement) => Promise<readonly Row[]>;

/**
 * Whether the merchant has players or transactions. A player's first session is older than any transaction, so players
 * are read first.
 */
const isUsed = async (select: Select, merchantId: number): Promise<boolean> => {
  for (const table of ["players", "tx"]) {
    const rows = await select({ sql: `SELECT 1 FROM ${table} WHERE merchant_id = ? LIMIT 1`, bindings: [merchantId] });
    if (rows.length > 0) return true;
  }
  return false;
};

async function gamesOf(
  reader: SettingsReader,
  providers: readonly string[],
  codes: readonly string[],
): Promise<Found["games"]> {
  if (codes.length === 0) return [];
  const [theirs, these] = [among("providers.code", providers), among("games.code", codes)];
  return reader.games({ sql: `${theirs.sql} AND ${these.sql}`, bindings: [...theirs.bindings, ...these.bindings] });
}
