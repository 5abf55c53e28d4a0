import type { Knex } from "knex";
import type { DbTime } from "../../../domain/transaction/transaction.ts";
import type { SettingsWrite } from "../../../ports/settings-store.ts";
import { insertRows } from "../connection/insert-rows.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { SecretBox } from "./secret-box.ts";
import {
  adminKeyToRow,
  brandToRow,
  GAME_COLUMNS,
  gameToCells,
  keyToRow,
  merchantToRow,
  sealedSecrets,
  sourceToRow,
} from "./settings-rows.ts";

type Of<Kind extends SettingsWrite["kind"]> = Extract<SettingsWrite, { readonly kind: Kind }>;

/** Writes settings in the caller's transaction. Each row gets the transaction's epoch. */
export class SettingsWriter {
  readonly #db: Knex;
  readonly #dialect: Dialect;
  readonly #box: SecretBox;
  readonly #epoch: string;
  /** The database's time of the change. */
  readonly now: DbTime;

  /** @param db - the transaction of the caller. */
  private constructor(db: Knex, dialect: Dialect, box: SecretBox, epoch: string, now: DbTime) {
    this.#db = db;
    this.#dialect = dialect;
    this.#box = box;
    this.#epoch = epoch;
    this.now = now;
  }

  /**
   * Raises the epoch. The rows are then written with this epoch. This must be the transaction's first statement: the
   * lock on the epoch's row makes writers wait for each other. So a reader of an epoch finds all rows that were written
   * up to it.
   */
  static async begin(db: Knex, dialect: Dialect, box: SecretBox): Promise<SettingsWriter> {
    await db("settings_epoch").where({ id: 1 }).increment("epoch", 1);
    const { epoch, now_ms: now } = await db("settings_epoch")
      .where({ id: 1 })
      .first("epoch", db.raw(`${dialect.sql.nowMs} AS now_ms`));
    return new SettingsWriter(db, dialect, box, String(epoch), Number(now));
  }

  write(write: SettingsWrite): Promise<void> {
    switch (write.kind) {
      case "brand":
        return this.#upsert("brands", ["code"], [{ ...brandToRow(write.brand), epoch: this.#epoch }]);
      case "merchant":
        return this.#merchant(write);
      case "provider":
        return this.#provider(write);
      case "endsRounds":
        return this.#endsRounds(write);
      case "games":
        return this.#games(write);
      case "adminKey":
        return this.#upsert("api_keys", ["hash"], [adminKeyToRow(write.key)]);
    }
  }

  async #merchant({ merchant }: Of<"merchant">): Promise<void> {
    const row = { ...merchantToRow(merchant), epoch: this.#epoch };
    const known = await this.#db("merchants").where({ code: merchant.code }).first("id");
    // A secret is encrypted for the row's number, which is known only after the INSERT.
    if (known === undefined) await this.#db("merchants").insert({ ...row, secret: "" });
    const { id } = known ?? (await this.#db("merchants").where({ code: merchant.code }).first("id"));
    await this.#db("merchants")
      .where({ id })
      .update({ ...row, ...sealedSecrets(Number(id), merchant, this.#box) });
  }

  async #provider({ provider: { code, name, active, sources, keys } }: Of<"provider">): Promise<void> {
    const known = await this.#db("providers").where({ code }).first("active", "active_changed_at");
    const stays = known !== undefined && (Number(known.active) === 1) === active;
    const active_changed_at = stays ? known.active_changed_at : this.#db.raw(this.#dialect.sql.nowMs);
    await this.#upsert(
      "providers",
      ["code"],
      [{ code, name, active: active ? 1 : 0, active_changed_at, epoch: this.#epoch }],
    );
    const provider_id = await this.#providerId(code);
    await this.#db("sources").where({ provider_id }).delete();
    if (sources.length > 0)
      await this.#db("sources").insert(
        sources.map((source, position) => ({ provider_id, position, ...sourceToRow(source) })),
      );
    await this.#db("api_keys").where({ provider_id }).delete();
    if (keys.length > 0) await this.#db("api_keys").insert(keys.map((key) => ({ provider_id, ...keyToRow(key) })));
  }

  async #endsRounds({ provider }: Of<"endsRounds">): Promise<void> {
    await this.#db("providers")
      .where({ code: provider, ends_rounds_since: null })
      .update({ ends_rounds_since: this.#db.raw(this.#dialect.sql.nowMs), epoch: this.#epoch });
  }

  async #games({ provider, games }: Of<"games">): Promise<void> {
    const provider_id = await this.#providerId(provider);
    await insertRows(this.#db, this.#dialect, {
      table: "games",
      columns: GAME_COLUMNS,
      rows: games.map(gameToCells),
      same: { provider_id: String(provider_id), updated_at: this.#dialect.sql.nowMs, epoch: this.#epoch },
      key: ["provider_id", "code"],
    });
  }

  async #upsert(table: string, key: readonly string[], rows: readonly Record<string, unknown>[]): Promise<void> {
    await this.#db(table)
      .insert(rows)
      .onConflict([...key])
      .merge();
  }

  async #providerId(code: string): Promise<number> {
    const row = await this.#db("providers").where({ code }).first("id");
    if (row === undefined) throw new Error(`no provider ${code}`);
    return Number(row.id);
  }
}
