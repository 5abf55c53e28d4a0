import type { Knex } from "knex";
import { type SettingsChanges, SettingsStore, type SettingsWrite } from "../../ports/settings-store.ts";
import { nowMs } from "./columns.ts";
import type { Database } from "./database.ts";
import { repeating } from "./retry.ts";
import type { SecretBox } from "./secret-box.ts";
import {
  type BrandRow,
  brandFromRow,
  brandToRow,
  type GameRow,
  gameFromRow,
  gameToRow,
  type KeyRow,
  keyToRow,
  type MerchantRow,
  merchantFromRow,
  merchantToRow,
  type ProviderRow,
  providerFromRow,
  type SourceRow,
  secretContext,
  sourceToRow,
} from "./settings-rows.ts";
import { decisiveRows } from "./statement.ts";

/** Rows of one INSERT of games. */
const GAMES_MAX = 200;

type Upsert<Kind extends SettingsWrite["kind"]> = Extract<SettingsWrite, { readonly kind: Kind }>;

/** Settings in tables, each row with the epoch of its last write. Merchants' secrets are sealed. */
export class SqlSettingsStore extends SettingsStore {
  readonly #database: Database;
  readonly #box: SecretBox;

  constructor(database: Database, box: SecretBox) {
    super();
    this.#database = database;
    this.#box = box;
  }

  override async epoch(): Promise<bigint> {
    const [row] = await this.#read<{ readonly epoch: string | bigint }>("SELECT epoch FROM settings_epoch WHERE id = 1");
    if (row === undefined) throw new Error("settings_epoch has no row: the schema is not migrated");
    return BigInt(row.epoch);
  }

  override async load(since: bigint): Promise<SettingsChanges> {
    // Before the rows: what is written between the two reads is then read once more, never missed.
    const epoch = await this.epoch();
    const brands = await this.#read<BrandRow>("SELECT * FROM brands WHERE epoch > ?", since);
    const merchants = await this.#read<MerchantRow>("SELECT * FROM merchants WHERE epoch > ?", since);
    const providers = await this.#read<ProviderRow>("SELECT * FROM providers WHERE epoch > ?", since);
    // A provider is written with all that is its own, so its row's epoch stands for them.
    const ofChanged = "provider_id IN (SELECT id FROM providers WHERE epoch > ?)";
    const sources = await this.#read<SourceRow>(`SELECT * FROM sources WHERE ${ofChanged} ORDER BY position`, since);
    const keys = await this.#read<KeyRow>(`SELECT * FROM api_keys WHERE ${ofChanged} ORDER BY id`, since);
    const games = await this.#read<GameRow>(
      "SELECT games.*, providers.code AS provider FROM games JOIN providers ON providers.id = games.provider_id WHERE games.epoch > ?",
      since,
    );
    return {
      epoch,
      brands: brands.map(brandFromRow),
      merchants: merchants.map((row) => merchantFromRow(row, this.#box)),
      providers: providers.map((row) => providerFromRow(row, sources, keys)),
      games: games.map(gameFromRow),
    };
  }

  override async save(write: SettingsWrite): Promise<void> {
    await repeating(() =>
      this.#database.knex.transaction(async (db) => {
        // First, for its row lock puts all writers in a line: who reads an epoch finds all that was written up to it.
        await db("settings_epoch").where({ id: 1 }).increment("epoch", 1);
        const { epoch } = await db("settings_epoch").where({ id: 1 }).first("epoch");
        await this.#write(db, write, String(epoch));
      }),
    );
  }

  async #read<Row>(sql: string, ...bindings: readonly bigint[]): Promise<readonly Row[]> {
    return (await decisiveRows(this.#database, { sql, bindings })) as unknown as readonly Row[];
  }

  #write(db: Knex, write: SettingsWrite, epoch: string): Promise<void> {
    switch (write.kind) {
      case "brand":
        return upsert(db, "brands", ["code"], [{ ...brandToRow(write.brand), epoch }]);
      case "merchant":
        return this.#saveMerchant(db, write, epoch);
      case "provider":
        return this.#saveProvider(db, write, epoch);
      case "games":
        return this.#saveGames(db, write, epoch);
    }
  }

  async #saveMerchant(db: Knex, { merchant }: Upsert<"merchant">, epoch: string): Promise<void> {
    const row = { ...merchantToRow(merchant), epoch };
    const known = await db("merchants").where({ code: merchant.code }).first("id");
    // The secret is sealed for the row's number, which only the insert gives.
    if (known === undefined) await db("merchants").insert({ ...row, secret: "" });
    const { id } = known ?? (await db("merchants").where({ code: merchant.code }).first("id"));
    const secret = this.#box.seal(merchant.secret, secretContext(Number(id), merchant.secretVersion));
    await db("merchants")
      .where({ id })
      .update({ ...row, secret });
  }

  async #saveProvider(db: Knex, { provider }: Upsert<"provider">, epoch: string): Promise<void> {
    const { code, name, active, sources, keys } = provider;
    await upsert(db, "providers", ["code"], [{ code, name, active: active ? 1 : 0, epoch }]);
    const id = await providerId(db, code);
    await db("sources").where({ provider_id: id }).delete();
    if (sources.length > 0) await db("sources").insert(sources.map((source, position) => ({ provider_id: id, position, ...sourceToRow(source) })));
    await db("api_keys").where({ provider_id: id }).delete();
    if (keys.length > 0) await db("api_keys").insert(keys.map((key) => ({ provider_id: id, ...keyToRow(key) })));
  }

  async #saveGames(db: Knex, { provider, games }: Upsert<"games">, epoch: string): Promise<void> {
    const id = await providerId(db, provider);
    const updated_at = db.raw(nowMs(this.#database.dialect));
    for (let from = 0; from < games.length; from += GAMES_MAX) {
      const rows = games.slice(from, from + GAMES_MAX).map((game) => ({ provider_id: id, ...gameToRow(game), updated_at, epoch }));
      await upsert(db, "games", ["provider_id", "code"], rows);
    }
  }
}

async function upsert(db: Knex, table: string, key: readonly string[], rows: readonly Record<string, unknown>[]): Promise<void> {
  await db(table)
    .insert(rows)
    .onConflict([...key])
    .merge();
}

async function providerId(db: Knex, code: string): Promise<number> {
  const row = await db("providers").where({ code }).first("id");
  if (row === undefined) throw new Error(`no provider ${code}`);
  return Number(row.id);
}
