import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, createConnection } from "mysql2/promise";

/** The maximum number of characters that wait to be sent. */
const WAITING_MAX = 8 * 2 ** 20;
/** Characters of one statement. This keeps its transaction at an acceptable size. */
const STATEMENT_MAX = 128 * 2 ** 20;

interface Load {
  readonly lines: PassThrough;
  readonly loaded: Promise<void>;
  characters: number;
}

/** Fills one table by LOAD DATA, as fast as the server reads. */
export class TableLoader {
  readonly #connection: Connection;
  readonly #socket: Socket;
  readonly #table: string;
  readonly #sql: string;
  #load: Load;

  private constructor(connection: Connection, socket: Socket, table: string, sql: string) {
    this.#connection = connection;
    this.#socket = socket;
    this.#table = table;
    this.#sql = sql;
    this.#load = this.#begin();
  }

  /**
   * @param columns - the columns of the lines that will be written, in order.
   * @param set - the expressions that compute further columns from them.
   */
  static async open(databaseUrl: string, table: string, columns: readonly string[], set = ""): Promise<TableLoader> {
    const url = new URL(databaseUrl);
    const connection = await createConnection({
      socketPath: url.searchParams.get("socketPath") ?? "",
      user: url.username,
      database: url.pathname.slice(1),
    });
    await connection.query("SET SESSION autocommit = 1, foreign_key_checks = 0, sql_mode = 'STRICT_ALL_TABLES'");
    const sql = `LOAD DATA LOCAL INFILE 'lines' INTO TABLE ${table} CHARACTER SET utf8mb4 (${columns.join(", ")}) ${set === "" ? "" : `SET ${set}`}`;
    const { stream } = (connection as unknown as { readonly connection: { readonly stream: Socket } }).connection;
    return new TableLoader(connection, stream, table, sql);
  }

  /** Resolves when there is room for more lines, because mysql2 itself doesn't wait for the socket. */
  async write(lines: string): Promise<void> {
    if (lines === "") return;
    if (this.#load.characters > STATEMENT_MAX) {
      await this.#finish();
      this.#load = this.#begin();
    }
    const load = this.#load;
    load.characters += lines.length;
    load.lines.write(lines);
    while (this.#socket.writableLength + load.lines.readableLength > WAITING_MAX)
      await Promise.race([sleep(2), load.loaded]);
  }

  async end(): Promise<void> {
    await this.#finish();
    await this.#connection.end();
  }

  #begin(): Load {
    const lines = new PassThrough();
    const loaded = this.#loaded(lines);
    // The error is reported where `loaded` is awaited.
    loaded.catch(() => lines.destroy());
    return { lines, loaded, characters: 0 };
  }

  async #loaded(lines: PassThrough): Promise<void> {
    await this.#connection.query({ sql: this.#sql, infileStreamFactory: () => lines });
    // With LOCAL, errors become warnings and the statement continues.
    const [warnings] = await this.#connection.query("SHOW WARNINGS LIMIT 1");
    const [warning] = warnings as { Message: string }[];
    if (warning !== undefined) throw new Error(`${this.#table}: ${warning.Message}`);
  }

  async #finish(): Promise<void> {
    this.#load.lines.end();
    await this.#load.loaded;
  }
}
