import type { Knex } from "knex";
import type { Dialect } from "../../dialects/dialect.ts";

/**
 * One step of the schema. It only goes forward, and may run again after it died half-way: MySQL commits each DDL
 * statement by itself.
 */
export interface Migration {
  /** It never changes once released: the database stores it. */
  readonly name: string;
  up(db: Knex, dialect: Dialect): Promise<void>;
}
