import type { AdminKey, Brand, Game, Merchant, Provider } from "../../ports/settings-store.ts";
import type { SecretBox } from "./secret-box.ts";
import {
  type AdminKeyRow,
  adminKeyFromRow,
  type BrandRow,
  brandFromRow,
  type GameRow,
  gameFromRow,
  type KeyRow,
  type MerchantRow,
  merchantFromRow,
  type ProviderRow,
  providerFromRow,
  type SourceRow,
} from "./settings-rows.ts";
import type { Binding, Row, Statement } from "./statement.ts";

/** Games of one SELECT: reading them all at once would hold up everything else in this process. */
const GAMES_MAX = 1_000;

type Select = (statement: Statement) => Promise<readonly Row[]>;

/** A condition on one table's rows. */
export interface Where {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

/** Rows with one of these values; none: no row. */
export const among = (column: string, values: readonly Binding[]): Where =>
  values.length === 0 ? { sql: "1 = 0", bindings: [] } : { sql: `${column} IN (${values.map(() => "?").join(",")})`, bindings: values };

/** Reads settings by whatever runs its statements: a pool, or a transaction. */
export class SettingsReader {
  readonly #select: Select;
  readonly #box: SecretBox;

  constructor(select: Select, box: SecretBox) {
    this.#select = select;
    this.#box = box;
  }

  async brands(where: Where): Promise<Brand[]> {
    return (await this.#rows<BrandRow>(`SELECT * FROM brands WHERE ${where.sql}`, where.bindings)).map(brandFromRow);
  }

  async merchants(where: Where): Promise<Merchant[]> {
    return (await this.#rows<MerchantRow>(`SELECT * FROM merchants WHERE ${where.sql}`, where.bindings)).map((row) => merchantFromRow(row, this.#box));
  }

  async providers(where: Where): Promise<Provider[]> {
    const providers = await this.#rows<ProviderRow>(`SELECT * FROM providers WHERE ${where.sql}`, where.bindings);
    if (providers.length === 0) return [];
    const theirs = `provider_id IN (SELECT id FROM providers WHERE ${where.sql})`;
    const sources = await this.#rows<SourceRow>(`SELECT * FROM sources WHERE ${theirs} ORDER BY position`, where.bindings);
    const keys = await this.#rows<KeyRow>(`SELECT * FROM api_keys WHERE ${theirs} ORDER BY id`, where.bindings);
    return providers.map((row) => providerFromRow(row, sources, keys));
  }

  /** @param where - on `games` and `providers`. */
  async games(where: Where): Promise<Game[]> {
    const games: Game[] = [];
    for (let last = 0; ; ) {
      const rows = await this.#rows<GameRow>(
        `SELECT games.*, providers.code AS provider FROM games JOIN providers ON providers.id = games.provider_id
         WHERE games.id > ? AND ${where.sql} ORDER BY games.id LIMIT ${GAMES_MAX}`,
        [last, ...where.bindings],
      );
      for (const row of rows) games.push(gameFromRow(row));
      // SQLite answers before anything else had its turn.
      await new Promise((resolve) => setImmediate(resolve));
      if (rows.length < GAMES_MAX) return games;
      last = games.at(-1)?.id ?? 0;
    }
  }

  async adminKeys(): Promise<AdminKey[]> {
    return (await this.#rows<AdminKeyRow>("SELECT * FROM api_keys WHERE provider_id IS NULL ORDER BY id", [])).map(adminKeyFromRow);
  }

  async #rows<R>(sql: string, bindings: readonly Binding[]): Promise<readonly R[]> {
    return (await this.#select({ sql, bindings })) as unknown as readonly R[];
  }
}
