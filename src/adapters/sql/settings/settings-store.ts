import {
  type EpochReading,
  type GamePosition,
  type GameSlice,
  type SettingsChanges,
  SettingsStore,
  type SettingsWrite,
} from "../../../ports/settings-store.ts";
import type { Database } from "../connection/database.ts";
import { inTransaction } from "../connection/database-transaction.ts";
import { decisiveRows } from "../connection/execute.ts";
import { repeating } from "../connection/retry.ts";
import { integer } from "../connection/statement.ts";
import type { SecretBox } from "./secret-box.ts";
import { SettingsReader } from "./settings-read.ts";
import { SettingsWriter } from "./settings-write.ts";

/** Settings in tables. Each row has the epoch of its last write. Merchants' secrets are encrypted. */
export class SqlSettingsStore extends SettingsStore {
  readonly #database: Database;
  readonly #box: SecretBox;
  readonly #reader: SettingsReader;

  constructor(database: Database, box: SecretBox) {
    super();
    this.#database = database;
    this.#box = box;
    this.#reader = new SettingsReader((statement) => decisiveRows(database, statement), box);
  }

  override async epoch(): Promise<EpochReading> {
    const [row] = await decisiveRows(this.#database, {
      sql: `SELECT epoch, ${this.#database.dialect.sql.nowMs} AS now_ms FROM settings_epoch WHERE id = 1`,
      bindings: [],
    });
    if (row === undefined) throw new Error("settings_epoch has no row: the schema is not migrated");
    return { epoch: integer(row.epoch), now: Number(row.now_ms) };
  }

  override async load(since: bigint): Promise<SettingsChanges> {
    // The epoch is read before the rows. A write between the two reads is then read again at the next load, and never
    // missed.
    const { epoch, now } = await this.epoch();
    const changed = { sql: "epoch > ?", bindings: [since] };
    // The reads run at the same time. One after the other they would take too long on a distant database, because
    // settings may be at most 1 s old.
    const [brands, merchants, providers, games, adminKeys] = await Promise.all([
      this.#reader.brands(changed),
      this.#reader.merchants(changed),
      // A provider is written together with its sources and keys, so the epoch of its row is theirs too.
      this.#reader.providers(changed),
      this.#reader.gameChanges(since),
      this.#reader.adminKeys(),
    ]);
    return { epoch, now, brands, merchants, providers, games, adminKeys };
  }

  override games(after: GamePosition, upTo: bigint, limit: number): Promise<GameSlice> {
    return this.#reader.gameSlice(after, upTo, limit);
  }

  override async save(write: SettingsWrite): Promise<void> {
    const { dialect } = this.#database;
    await repeating(dialect, () =>
      inTransaction(this.#database, async (db) => (await SettingsWriter.begin(db, dialect, this.#box)).write(write)),
    );
  }
}
