import type { Knex } from "knex";
import type { Dialect } from "../dialects/dialect.ts";

/**
 * One step of the schema. There is no step back. A step may run again if its process died half-way, because MySQL
 * commits each DDL statement separately.
 */
export interface Migration {
  /** The name never changes after the release, because the database stores it. */
  readonly name: string;
  up(db: Knex, dialect: Dialect): Promise<void>;
}
