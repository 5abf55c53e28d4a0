/** Keeps both sides in a temporary database on disk, so that millions of lines need little memory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { protectedText } from "../web-files/csv.ts";
import { type Difference, KINDS, type Kind, type Side } from "./difference.ts";
import type { FeedItem } from "./feed.ts";
import type { LedgerLine } from "./ledger-file.ts";
import { unprotectedText } from "./unprotected.ts";

/**
 * A success that is this close to a bound of the range may be on either side of the bound, because clocks differ, and
 * because the wallet is called before the service stores the answer.
 */
const EDGE_MS = 60_000;

export interface Range {
  /** Milliseconds since 1970. */
  readonly from: number;
  /** The end of the range, exclusive. */
  readonly to: number;
}

export interface Counts {
  readonly ledgerLines: number;
  /** The number of transactions that were read from the service, including those outside of the range. */
  readonly transactions: number;
  /**
   * Transactions that are pending at the service and that the ledger has not applied. Their result is not decided yet.
   */
  readonly pending: number;
  /**
   * Successes near a bound of the range that are not in the ledger. They may belong to the ledger before or after it.
   */
  readonly edges: number;
}

export class Comparison implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "reconcile-"));
  readonly #db = new DatabaseSync(join(this.#folder, "both.db"));
  readonly #addLine: StatementSync;
  readonly #addItem: StatementSync;

  constructor() {
    // Without a journal, because no data must survive this process.
    this.#db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN");
    this.#db.exec(
      "CREATE TABLE ledger (line INTEGER PRIMARY KEY, tx_id TEXT, action TEXT, amount TEXT, currency TEXT, status TEXT)",
    );
    this.#db.exec(
      "CREATE TABLE feed (tx_id TEXT PRIMARY KEY, action TEXT, amount TEXT, currency TEXT, status TEXT, created_at INTEGER, updated_at INTEGER) WITHOUT ROWID",
    );
    this.#addLine = this.#db.prepare("INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?)");
    // A transaction that comes again has changed. Its newest state counts.
    this.#addItem = this.#db.prepare("INSERT OR REPLACE INTO feed VALUES (?, ?, ?, ?, ?, ?, ?)");
  }

  addLine({ line, txId, action, amount, currency, status }: LedgerLine): void {
    this.#addLine.run(line, txId, action, amount, currency, status);
  }

  addItem({ tx_id, action, amount, currency, status, created_at, updated_at }: FeedItem): void {
    // A floating-point number can hold every amount up to 9 999 999 999.99, and its shortest text is exactly the
    // decimal.
    this.#addItem.run(tx_id, action, String(amount), currency, status, Date.parse(created_at), Date.parse(updated_at));
  }

  /**
   * The tx_ids of the ledger that may have come from an export: there, texts are written for spreadsheets
   * ({@link protectedText}). The service has them in another form, if it does not have them as they are.
   */
  *protectedIds(): Generator<{ readonly shown: string; readonly txId: string }> {
    for (const { tx_id } of this.#db.prepare("SELECT DISTINCT tx_id FROM ledger WHERE tx_id GLOB '*[''[]*'").all()) {
      const shown = String(tx_id);
      const txId = unprotectedText(shown);
      if (txId !== shown && protectedText(txId) === shown && !this.has(shown)) yield { shown, txId };
    }
  }

  has(txId: string): boolean {
    return this.#db.prepare("SELECT 1 FROM feed WHERE tx_id = ?").get(txId) !== undefined;
  }

  /** The ledger's lines with the first id are about the transaction with the second. */
  rename(shown: string, txId: string): void {
    this.#db.prepare("UPDATE ledger SET tx_id = ? WHERE tx_id = ?").run(txId, shown);
  }

  /** Call it when both sides have been read. */
  seal(): void {
    this.#db.exec("COMMIT; CREATE INDEX ledger_tx ON ledger (tx_id, status)");
  }

  /**
   * The tx_ids that the ledger applied and the feed does not have, in order. Items that are added during the iteration
   * count as part of the feed.
   */
  *notInFeed(): Generator<string> {
    const next = this.#db.prepare(
      `SELECT l.tx_id FROM ledger l WHERE l.tx_id > ? AND ${UNKNOWN} ORDER BY l.tx_id LIMIT 1`,
    );
    for (let row = next.get(""); row !== undefined; row = next.get(String(row.tx_id))) yield String(row.tx_id);
  }

  counts(range: Range): Counts {
    const count = (sql: string, ...values: readonly SQLInputValue[]) =>
      Number(this.#db.prepare(`SELECT count(*) AS n FROM ${sql}`).get(...values)?.n);
    return {
      ledgerLines: count("ledger"),
      transactions: count("feed"),
      pending: count(`feed f WHERE f.status = 'pending' AND NOT EXISTS (${APPLIED})`),
      edges: count(
        `feed f WHERE ${ABSENT} AND created_at < ? AND updated_at >= ? AND NOT (${INSIDE})`,
        range.to + EDGE_MS,
        range.from - EDGE_MS,
        ...inside(range),
      ),
    };
  }

  /** The differences, one kind after the other, each sorted by tx_id. */
  *differences(range: Range): Generator<Difference> {
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const values = kind === "missing_there" ? inside(range) : [];
      for (const row of this.#db.prepare(QUERIES[kind]).iterate(...values)) yield toDifference(kind, row);
    }
  }

  [Symbol.dispose](): void {
    this.#db.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** SQL: the ledger's lines that applied transaction f of the feed. */
const APPLIED = "SELECT 1 FROM ledger a WHERE a.tx_id = f.tx_id AND a.status = 'success'";
/** SQL: line l was applied by the ledger, and its tx_id was not read from the service. */
const UNKNOWN = "l.status = 'success' AND NOT EXISTS (SELECT 1 FROM feed f WHERE f.tx_id = l.tx_id)";
/** SQL: f is a success that the ledger does not have. */
const ABSENT = "f.status = 'success' AND NOT EXISTS (SELECT 1 FROM ledger a WHERE a.tx_id = f.tx_id)";
/** SQL: the wallet was called inside the range, and not close to its bounds. */
const INSIDE = "created_at >= ? AND updated_at < ?";
const inside = ({ from, to }: Range): [number, number] => [from + EDGE_MS, to - EDGE_MS];

const HERE = "f.action AS f_action, f.amount AS f_amount, f.currency AS f_currency, f.status AS f_status";
const THERE = "l.action AS l_action, l.amount AS l_amount, l.currency AS l_currency, l.status AS l_status";

const QUERIES: Readonly<Record<Kind, string>> = {
  missing_here: `SELECT l.tx_id, l.line AS lines, ${THERE} FROM ledger l WHERE ${UNKNOWN} ORDER BY l.tx_id, l.line`,
  missing_there: `SELECT f.tx_id, ${HERE} FROM feed f WHERE ${ABSENT} AND ${INSIDE} ORDER BY f.tx_id`,
  amount: `SELECT l.tx_id, l.line AS lines, ${HERE}, ${THERE} FROM ledger l JOIN feed f ON f.tx_id = l.tx_id
    WHERE l.status = 'success' AND (l.action, l.amount, l.currency) <> (f.action, f.amount, f.currency) ORDER BY l.tx_id, l.line`,
  // A failed line differs only from a success, because the outcome of a pending transaction is not known yet.
  status: `SELECT l.tx_id, l.line AS lines, ${HERE}, ${THERE} FROM ledger l JOIN feed f ON f.tx_id = l.tx_id
    WHERE l.line = (SELECT b.line FROM ledger b WHERE b.tx_id = l.tx_id ORDER BY b.status DESC, b.line LIMIT 1)
      AND ((l.status = 'success' AND f.status <> 'success') OR (l.status = 'failed' AND f.status = 'success')) ORDER BY l.tx_id`,
  duplicate: `SELECT l.tx_id, group_concat(l.line ORDER BY l.line) AS lines, ${THERE} FROM ledger l WHERE l.status = 'success'
    GROUP BY l.tx_id HAVING count(*) > 1 ORDER BY l.tx_id`,
};

function toDifference(kind: Kind, row: Readonly<Record<string, unknown>>): Difference {
  const side = (prefix: "f" | "l"): Side | null => {
    const [action, amount, currency, status] = ["action", "amount", "currency", "status"].map(
      (name) => row[`${prefix}_${name}`],
    );
    return action === undefined
      ? null
      : { action: String(action), amount: String(amount), currency: String(currency), status: String(status) };
  };
  const lines = row.lines === undefined ? [] : String(row.lines).split(",").map(Number);
  return { kind, txId: String(row.tx_id), here: side("f"), there: side("l"), lines };
}
