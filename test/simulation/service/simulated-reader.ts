import type { TxKey } from "../../../src/domain/values/identifiers.ts";
import { keyText } from "../../../src/domain/values/identifiers.ts";
import { type LoggedTransaction, TransactionReader } from "../../../src/ports/transactions/transaction-reader.ts";
import type { Host, Life } from "../world/replica.ts";
import { notHere } from "../world/world-fixture.ts";
import type { Database } from "./simulated-store.ts";

/** The reader of single rows for merchants and support, as one life of a replica uses it. */
export class SimulatedReader extends TransactionReader {
  readonly #database: Database;
  readonly #replica: Host;
  readonly #life: Life;

  constructor(database: Database, replica: Host) {
    super();
    this.#database = database;
    this.#replica = replica;
    this.#life = replica.life;
  }

  override find(key: TxKey): Promise<LoggedTransaction | undefined> {
    const { rows, now } = this.#database;
    return this.#database.send(this.#replica, this.#life, "find", async () => {
      const row = rows.get(keyText(key));
      if (row === undefined || row.transaction.status === "void") return undefined;
      return {
        id: row.id,
        transaction: { ...row.transaction, readAt: now() },
        lastResult: row.attemptLog.at(-1)?.result ?? null,
        log: row.attemptLog,
      };
    });
  }

  override now = notHere;
  override list = notHere;
  override feedStart = notHere;
  override feed = notHere;
  override round = notHere;
}
