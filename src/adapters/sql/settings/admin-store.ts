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
import { inTransaction } from "../connection/database-transaction.ts";
import { insertRows } from "../connection/insert-rows.ts";
import { repeating } from "../connection/retry.ts";
import { decisiveRows, type Row, type Statement } from "../connection/statement.ts";
import { nowMs } from "../schema/columns.ts";
import { AUDIT_COLUMNS, type AuditRow, auditFromRow, auditQuery, auditToCells } from "./audit-rows.ts";
import { resealMerchants } from "./reseal.ts";
import type { SecretBox } from "./secret-box.ts";
import { among, SettingsReader } from "./settings-read.ts";
import { SettingsWriter } from "./settings-write.ts";

/** Audit entries written in one go. */
const ENTRIES_MAX = 500;

/** Settings are changed in one transaction with their audit and epoch: the epoch's row lock puts all changes in a line. */
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
        () => inTransaction(this.#database, (db) => this.#change(db, wanted, decide)),
        // Run again it would judge by its own writes: a merchant that it made would be refused as one that exists.
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
    const decided = decide(await this.#find(db, wanted));
    if (!decided.ok) throw new NothingToStore(decided);
    const { writes, audit, value } = decided.value;
    if (writes.length === 0 && audit.length === 0) throw new NothingToStore({ ok: true, value });
    for (const write of writes) await writer.write(write);
    await this.#insert(db, audit);
    return { ok: true, value };
  }

  async #find(db: Knex.Transaction, wanted: Wanted): Promise<Found> {
    const select = (statement: Statement) => this.#inside(db, statement);
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
    // After a lost connection it may be there twice: better than not at all.
    await repeating(() => inTransaction(this.#database, (db) => this.#insert(db, [entry])));
  }

  override async entries(query: AuditQuery, limit: number): Promise<AuditEntry[]> {
    const rows = await decisiveRows(this.#database, auditQuery(query, limit, this.#database.dialect));
    return rows.map((row) => auditFromRow(row as unknown as AuditRow));
  }

  override async entry(id: bigint): Promise<AuditEntry | undefined> {
    const [row] = await decisiveRows(this.#database, { sql: "SELECT * FROM audit WHERE id = ?", bindings: [id] });
    return row && auditFromRow(row as unknown as AuditRow);
  }

  override reseal(): Promise<Resealed> {
    return resealMerchants(this.#database, this.#box);
  }

  async #insert(db: Knex, entries: readonly NewAuditEntry[]): Promise<void> {
    const { dialect } = this.#database;
    for (let from = 0; from < entries.length; from += ENTRIES_MAX) {
      const rows = entries.slice(from, from + ENTRIES_MAX).map(auditToCells);
      await insertRows(db, dialect, { table: "audit", columns: AUDIT_COLUMNS, rows, same: { at: nowMs(dialect) } });
    }
  }

  async #inside(db: Knex.Transaction, { sql, bindings }: Statement): Promise<readonly Row[]> {
    const result = await db.raw(sql, bindings as never);
    return this.#database.dialect === "sqlite" ? result : result[0];
  }
}

/** Ends a transaction that has nothing to keep. */
class NothingToStore extends Error {
  override readonly name = "NothingToStore";
  readonly answer: Result<unknown>;

  constructor(answer: Result<unknown>) {
    super("nothing to store");
    this.answer = answer;
  }
}

type Select = (statement: Statement) => Promise<readonly Row[]>;

/** A player's session comes before any transaction. */
const isUsed = async (select: Select, merchantId: number): Promise<boolean> => {
  for (const table of ["players", "tx"]) {
    const rows = await select({ sql: `SELECT 1 FROM ${table} WHERE merchant_id = ? LIMIT 1`, bindings: [merchantId] });
    if (rows.length > 0) return true;
  }
  return false;
};

async function gamesOf(reader: SettingsReader, providers: readonly string[], codes: readonly string[]): Promise<Found["games"]> {
  if (codes.length === 0) return [];
  const [theirs, these] = [among("providers.code", providers), among("games.code", codes)];
  return reader.games({ sql: `${theirs.sql} AND ${these.sql}`, bindings: [...theirs.bindings, ...these.bindings] });
}
