import { readFile } from "node:fs/promises";
import type { Books, Entry, Player, Storage } from "../wallet/storage.ts";
import type { Query, Row, SqlDatabase } from "./database.ts";

const TRIES = 5;

/** A storage in a database: SQLite, MySQL, MariaDB or PostgreSQL. The tables are in the package's folder `schema`. */
export class SqlStorage implements Storage {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** Creates the missing tables. */
  async createTables(): Promise<void> {
    const file = new URL(`../../schema/${this.#database.dialect}.sql`, import.meta.url);
    const statements = (await readFile(file, "utf8")).replace(/^--.*$/gm, "").split(";");
    await this.#database.transaction(async (query) => {
      for (const statement of statements) if (statement.trim() !== "") await query(statement);
    });
  }

  /** Adds a player. If the player exists already, nothing changes. */
  async addPlayer(merchant: string, playerId: string, { balance, blocked }: Player): Promise<void> {
    await this.#transaction(async (query) => {
      const [known] = await query("SELECT 1 FROM wallet_players WHERE merchant = ? AND player_id = ?", [
        merchant,
        playerId,
      ]);
      if (known === undefined)
        await query("INSERT INTO wallet_players (merchant, player_id, balance, blocked) VALUES (?, ?, ?, ?)", [
          merchant,
          playerId,
          String(balance),
          blocked ? 1 : 0,
        ]);
    });
  }

  transaction<T>(merchant: string, playerId: string, work: (books: Books) => Promise<T>): Promise<T> {
    return this.#transaction(async (query) => work(await this.#books(query, merchant, playerId)));
  }

  /**
   * Repeats `work` after a conflict. Copies of one callback may name different players. Then the lock of a player does
   * not order the copies, but the unique keys stop the second copy.
   */
  async #transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#database.transaction(work);
      } catch (cause) {
        if (tries === TRIES || !this.#database.isConflict(cause)) throw cause;
      }
    }
  }

  async #books(query: Query, merchant: string, playerId: string): Promise<Books> {
    // SQLite locks the whole file when the transaction begins.
    const lock = this.#database.dialect === "sqlite" ? "" : " FOR UPDATE";
    const [row] = await query(
      `SELECT CAST(balance AS CHAR(20)) AS balance, blocked FROM wallet_players WHERE merchant = ? AND player_id = ?${lock}`,
      [merchant, playerId],
    );
    return {
      player: row === undefined ? undefined : { balance: minor(row.balance), blocked: Number(row.blocked) !== 0 },
      async find(txId) {
        const [found] = await query(
          "SELECT state, action, player_id, CAST(amount AS CHAR(20)) AS amount, ref_tx_id, CAST(balance AS CHAR(20)) AS balance, error FROM wallet_entries WHERE merchant = ? AND tx_id = ?",
          [merchant, txId],
        );
        return found === undefined ? undefined : entryOf(txId, found);
      },
      async isReversed(txId) {
        const found = await query("SELECT 1 FROM wallet_entries WHERE merchant = ? AND ref_tx_id = ?", [
          merchant,
          txId,
        ]);
        return found.length > 0;
      },
      async add(entry) {
        const applied = entry.state === "applied" ? entry : undefined;
        await query(
          "INSERT INTO wallet_entries (merchant, tx_id, state, action, player_id, amount, ref_tx_id, balance, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
          [
            merchant,
            entry.txId,
            entry.state,
            applied?.action ?? null,
            applied?.playerId ?? null,
            applied === undefined ? null : String(applied.amount),
            applied?.refTxId ?? null,
            applied === undefined ? null : String(applied.balance),
            entry.state === "rejected" ? entry.error : null,
          ],
        );
      },
      async setBalance(balance) {
        await query("UPDATE wallet_players SET balance = ? WHERE merchant = ? AND player_id = ?", [
          String(balance),
          merchant,
          playerId,
        ]);
      },
    };
  }
}

/** PostgreSQL pads a CHAR with spaces; BigInt ignores them. */
const minor = (value: unknown): bigint => BigInt(String(value));

/** The driver returns VARBINARY columns as bytes. */
const text = (value: unknown): string => (value instanceof Uint8Array ? Buffer.from(value).toString() : String(value));

function entryOf(txId: string, row: Row): Entry {
  const state = text(row.state);
  if (state === "tombstone") return { state, txId };
  if (state === "rejected") return { state, txId, error: text(row.error) };
  return {
    state: "applied",
    txId,
    action: text(row.action) as (Entry & { state: "applied" })["action"],
    playerId: text(row.player_id),
    amount: minor(row.amount),
    refTxId: row.ref_tx_id === null ? null : text(row.ref_tx_id),
    balance: minor(row.balance),
  };
}
