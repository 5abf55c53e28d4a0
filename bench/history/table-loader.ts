import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createConnection } from "mysql2";

/** What may wait to be sent. */
const WAITING_MAX = 8 * 2 ** 20;

/** Fills one table by LOAD DATA, as fast as the server reads. */
export class TableLoader {
  readonly #stream = new PassThrough();
  readonly #socket: Socket;
  readonly #loaded: Promise<unknown>;

  private constructor(socket: Socket, load: (stream: PassThrough) => Promise<unknown>) {
    this.#socket = socket;
    this.#loaded = load(this.#stream);
    // Told where it is awaited.
    this.#loaded.catch(() => this.#stream.destroy());
  }

  /** @param columns - of the lines that will be written, in their order. @param set - what of them a column is made of. */
  static async open(databaseUrl: string, table: string, columns: readonly string[], set = ""): Promise<TableLoader> {
    const url = new URL(databaseUrl);
    const raw = createConnection({ socketPath: url.searchParams.get("socketPath") ?? "", user: url.username, database: url.pathname.slice(1) });
    const connection = raw.promise();
    // Into an empty table, and with nothing to check, MariaDB writes sorted pages without an undo log of the rows.
    await connection.query("SET SESSION unique_checks = 0, foreign_key_checks = 0, sql_mode = 'STRICT_ALL_TABLES'");
    const sql = `LOAD DATA LOCAL INFILE 'lines' INTO TABLE ${table} CHARACTER SET utf8mb4 (${columns.join(", ")}) ${set === "" ? "" : `SET ${set}`}`;
    const { stream } = raw as unknown as { readonly stream: Socket };
    return new TableLoader(stream, async (lines) => {
      await connection.query({ sql, infileStreamFactory: () => lines });
      const [warnings] = await connection.query("SHOW WARNINGS LIMIT 1");
      await connection.end();
      // LOCAL makes warnings of what would be errors, and goes on.
      const [warning] = warnings as { Message: string }[];
      if (warning !== undefined) throw new Error(`${table}: ${warning.Message}`);
    });
  }

  /** Resolves when there is room for more: mysql2 itself doesn't wait for the socket. */
  async write(lines: string): Promise<void> {
    if (lines === "") return;
    this.#stream.write(lines);
    while (this.#socket.writableLength + this.#stream.readableLength > WAITING_MAX) await Promise.race([sleep(2), this.#loaded]);
  }

  async end(): Promise<void> {
    this.#stream.end();
    await this.#loaded;
  }
}
