import type {
  AdminKey,
  Brand,
  Game,
  GameChange,
  GamePosition,
  GameSlice,
  Merchant,
  Provider,
} from "../../../ports/settings-store.ts";
import { type Binding, integer, marks, type Row, type Statement } from "../connection/statement.ts";
import type { SecretBox } from "./secret-box.ts";
import { adminKeyFromRow, brandFromRow, gameFromRow, merchantFromRow, providerFromRow } from "./settings-rows.ts";

/**
 * The statement has no join: a planner could begin a join with the providers, and would then sort all remaining games
 * for each slice.
 */
const GAMES_ALONE =
  "SELECT games.*, (SELECT p.code FROM providers p WHERE p.id = games.provider_id) AS provider FROM games";
const GAMES_OF_PROVIDERS =
  "SELECT games.*, providers.code AS provider FROM games JOIN providers ON providers.id = games.provider_id";

type Select = (statement: Statement) => Promise<readonly Row[]>;

/** A condition on the rows of one table. */
export interface Where {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

/** Rows with one of these values. If there are no values: no row. */
export const among = (column: string, values: readonly Binding[]): Where =>
  values.length === 0 ? { sql: "1 = 0", bindings: [] } : { sql: `${column} IN (${marks(values)})`, bindings: values };

/** Reads settings through `select`, which runs its statements on a pool or in a transaction. */
export class SettingsReader {
  readonly #select: Select;
  readonly #box: SecretBox;

  constructor(select: Select, box: SecretBox) {
    this.#select = select;
    this.#box = box;
  }

  async brands(where: Where): Promise<Brand[]> {
    return (await this.#rows(`SELECT * FROM brands WHERE ${where.sql}`, where.bindings)).map(brandFromRow);
  }

  async merchants(where: Where): Promise<Merchant[]> {
    return (await this.#rows(`SELECT * FROM merchants WHERE ${where.sql}`, where.bindings)).map((row) =>
      merchantFromRow(row, this.#box),
    );
  }

  async providers(where: Where): Promise<Provider[]> {
    const providers = await this.#rows(`SELECT * FROM providers WHERE ${where.sql}`, where.bindings);
    if (providers.length === 0) return [];
    const theirs = `provider_id IN (SELECT id FROM providers WHERE ${where.sql})`;
    const sources = await this.#rows(`SELECT * FROM sources WHERE ${theirs} ORDER BY position`, where.bindings);
    const keys = await this.#rows(`SELECT * FROM api_keys WHERE ${theirs} ORDER BY id`, where.bindings);
    return providers.map((row) => providerFromRow(row, sources, keys));
  }

  /** @param where - a condition on `games` and `providers`. */
  async games(where: Where): Promise<Game[]> {
    const rows = await this.#rows(`${GAMES_OF_PROVIDERS} WHERE ${where.sql} ORDER BY games.id`, where.bindings);
    return rows.map(gameFromRow);
  }

  async gameChanges(since: bigint): Promise<GameChange[]> {
    const sql = "SELECT epoch, COUNT(*) AS n FROM games WHERE epoch > ? GROUP BY epoch";
    return (await this.#select({ sql, bindings: [since] })).map(({ epoch, n }) => ({
      epoch: integer(epoch),
      count: Number(n),
    }));
  }

  /**
   * Reads the rest of the write to which `after` belongs, and then the later writes. Each part is a range of the index
   * on the epoch.
   */
  async gameSlice(after: GamePosition, upTo: bigint, limit: number): Promise<GameSlice> {
    // One row more than the limit is read, to find out whether another slice follows.
    const rows = [...(await this.#gamesOfWrite(after, limit + 1))];
    if (rows.length <= limit && after.epoch < upTo)
      rows.push(...(await this.#gamesOfLaterWrites(after, upTo, limit + 1 - rows.length)));
    const games = rows.slice(0, limit);
    const last = games.at(-1);
    // SQLite runs the statement on this thread. So other work of the process runs before the next statement.
    await new Promise((resolve) => setImmediate(resolve));
    return {
      games: games.map(gameFromRow),
      next: last === undefined || rows.length <= limit ? null : { epoch: integer(last.epoch), id: Number(last.id) },
    };
  }

  #gamesOfWrite({ epoch, id }: GamePosition, limit: number): Promise<readonly Row[]> {
    return this.#rows(`${GAMES_ALONE} WHERE games.epoch = ? AND games.id > ? ORDER BY games.id LIMIT ?`, [
      epoch,
      id,
      limit,
    ]);
  }

  #gamesOfLaterWrites({ epoch }: GamePosition, upTo: bigint, limit: number): Promise<readonly Row[]> {
    return this.#rows(
      `${GAMES_ALONE} WHERE games.epoch > ? AND games.epoch <= ? ORDER BY games.epoch, games.id LIMIT ?`,
      [epoch, upTo, limit],
    );
  }

  async adminKeys(): Promise<AdminKey[]> {
    return (await this.#rows("SELECT * FROM api_keys WHERE provider_id IS NULL ORDER BY id", [])).map(adminKeyFromRow);
  }

  #rows(sql: string, bindings: readonly Binding[]): Promise<readonly Row[]> {
    return this.#select({ sql, bindings });
  }
}
