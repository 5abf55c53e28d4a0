export type { Query, Row, SqlDatabase, Value } from "./database.ts";
export { type MysqlPool, mysql } from "./mysql.ts";
export { type PgPool, postgresql } from "./postgresql.ts";
export { SqlStorage } from "./sql-storage.ts";
export { type SqliteHandle, sqlite } from "./sqlite.ts";
