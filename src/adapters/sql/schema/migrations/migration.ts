import type { Knex } from "knex";
import type { Dialect } from "../../connection/database.ts";

/** One step of the schema. Forward only, and harmless when it runs again after it died half-way (MySQL commits each DDL by itself). */
export interface Migration {
  /** Never changes once released: the database remembers it. */
  readonly name: string;
  up(db: Knex, dialect: Dialect): Promise<void>;
}
