/** What support's closing of a row does to the table, on both databases. */
import test, { type ExecutionContext } from "ava";
import type { Database } from "../../../src/adapters/sql/database.ts";
import { SqlTransactionReader } from "../../../src/adapters/sql/transaction-reader.ts";
import { SqlTransactionStore } from "../../../src/adapters/sql/transaction-store.ts";
import { SqlTransactionSupport } from "../../../src/adapters/sql/transaction-support.ts";
import type { PlayerId, TxId } from "../../../src/domain/identifiers.ts";
import type { Change, Content, GameRef, Transaction } from "../../../src/domain/transaction.ts";
import type { NewAuditEntry } from "../../../src/ports/admin-store.ts";
import { type ClaimLine, StoreFault } from "../../../src/ports/transaction-store.ts";
import type { ResolveLine } from "../../../src/ports/transaction-support.ts";
import { freshMerchants, mariadb, type Replicas, sleep, sqlite } from "./stores.ts";

const LONG_MS = 60_000;
let tokens = 0;
const token = (): string => (++tokens).toString(16).padStart(32, "0");

const ended = (state: Change["state"], resolvedBy: Change["resolvedBy"] = "manual"): Change => ({ state, resolvedBy, silent: false, next: null });
const SUCCESS = ended({ status: "success", balanceMinor: null });
const FAILED = ended({ status: "failed", error: "TRANSACTION_NOT_FOUND" });

/** A merchant's bet and its refund, and support. */
class Case {
  readonly merchantId: number;
  readonly support: SqlTransactionSupport;
  readonly reader: SqlTransactionReader;
  readonly database: Database;
  readonly audit: NewAuditEntry;
  readonly #store: SqlTransactionStore;
  readonly #game: GameRef;

  constructor({ databases: [database], game }: Replicas) {
    this.merchantId = freshMerchants().merchantId;
    this.database = database;
    this.support = new SqlTransactionSupport(database);
    this.reader = new SqlTransactionReader(database);
    this.#store = new SqlTransactionStore(database);
    this.#game = game;
    this.audit = { actor: "maria", action: "transaction resolve", target: `merchant ${this.merchantId}`, reason: "ticket", changes: [] };
  }

  async row(txId: TxId): Promise<Transaction> {
    const [row] = await this.#store.read([{ merchantId: this.merchantId, txId }]);
    if (row === undefined || row instanceof StoreFault) throw new Error(`no row ${txId}`);
    return row;
  }

  /** A bet whose lease has that length, as its refund was begun too: that one's lease likewise. */
  async pair({ betLeaseMs = 1, refundLeaseMs = 1 } = {}): Promise<{ bet: Transaction; refund: Transaction }> {
    const bet = this.#line("bet", "ACME:b" as TxId, null, betLeaseMs, "leased");
    const refund = this.#line("refund", "ACME:f" as TxId, bet.content.txId, 0, "void");
    await this.#store.claim([bet]);
    await this.#store.claim([refund]);
    await this.#store.mark([{ key: refund.content, seen: refund.token, reversed: bet.content.txId }]);
    const marked = await this.row(refund.content.txId);
    await this.#store.takeOver([{ key: marked, seen: marked, token: token(), leaseMs: refundLeaseMs }]);
    await sleep(5);
    return { bet: await this.row(bet.content.txId), refund: await this.row(refund.content.txId) };
  }

  settle(row: Transaction, change: Change): Promise<unknown> {
    const attempt = { n: row.attempts, at: row.updatedAt, durationMs: 1, httpStatus: 200, result: "accepted", requestId: null } as const;
    return this.#store.settle([{ key: row, token: row.leaseToken, change, attempt }]);
  }

  line(refund: Transaction, bet: Transaction, more: Partial<ResolveLine> = {}): ResolveLine {
    const reversed = { txId: bet.txId, seen: bet.status, change: { ...SUCCESS, resolvedBy: `refund:${refund.txId}` as const } };
    return { key: refund, seen: refund, token: token(), horizonMs: 0, change: SUCCESS, reversed, ...more };
  }

  async audited(): Promise<number> {
    return (await this.database.knex("audit").where({ target: this.audit.target })).length;
  }

  #line(action: "bet" | "refund", txId: TxId, refTxId: TxId | null, leaseMs: number, as: ClaimLine["as"]): ClaimLine {
    const content: Content = {
      ...{ merchantId: this.merchantId, txId, action, playerId: "ana" as PlayerId, roundId: "r", amountMinor: 250n, currency: "BRL" },
      ...{ game: this.#game, refTxId },
    };
    return { content, token: token(), as, leaseMs };
  }
}

const databases = { SQLite: sqlite(), MariaDB: mariadb() };
const on = (title: string, run: (t: ExecutionContext, of: Case) => Promise<void>): void => {
  for (const [name, replicas] of Object.entries(databases)) test.serial(`${name}: ${title}`, async (t) => run(t, new Case(await replicas)));
};

on("a refund and its bet are closed by one statement, with the audit entry", async (t, of) => {
  const { bet, refund } = await of.pair();
  const updates: string[] = [];
  const listen = ({ sql }: { sql: string }) => void (/UPDATE tx|UPDATE \(/.test(sql) && updates.push(sql));
  of.database.knex.on("query", listen);
  t.true(await of.support.resolve(of.line(refund, bet), of.audit));
  of.database.knex.off("query", listen);
  t.is(updates.length, 1);
  t.like(await of.row(refund.txId), { status: "success", resolvedBy: "manual", nextAt: null, leaseUntil: null });
  t.like(await of.row(bet.txId), { status: "success", resolvedBy: "refund:ACME:f", nextAt: null, leaseUntil: null });
  t.is(await of.audited(), 1);
});

on("an attempt whose process died stays in the log without an end, in both rows", async (t, of) => {
  const { bet, refund } = await of.pair();
  await of.support.resolve(of.line(refund, bet, { change: FAILED }), of.audit);
  for (const row of [bet, refund]) {
    t.deepEqual((await of.reader.find(row))?.log, [{ n: 1, at: row.updatedAt, durationMs: null, httpStatus: null, result: null, requestId: null }], row.txId);
    t.is((await of.row(row.txId)).silentAt, row.leaseUntil, row.txId);
  }
});

on("a bet alone is closed with the end of its dead attempt unknown", async (t, of) => {
  const { bet } = await of.pair();
  await of.database.knex("tx").where({ merchant_id: of.merchantId, tx_id: bet.txId }).update({ reversed_by: null });
  const { reversed: _, ...alone } = of.line({ ...bet, reversedBy: null }, bet);
  t.true(await of.support.resolve(alone, of.audit));
  const found = await of.reader.find(bet);
  t.like(found?.transaction, { status: "success", resolvedBy: "manual" });
  t.is(found?.log.length, 1);
});

on("a bet that stays as it is holds its refund's end up as well when it changes meanwhile", async (t, of) => {
  const { bet, refund } = await of.pair({ betLeaseMs: LONG_MS });
  await of.settle(bet, SUCCESS);
  const asSeen = { txId: bet.txId, change: null } as const;
  t.false(await of.support.resolve(of.line(refund, bet, { change: FAILED, reversed: { ...asSeen, seen: "failed" } }), of.audit));
  t.is((await of.row(refund.txId)).status, "pending");
  const before = await of.row(bet.txId);
  t.true(await of.support.resolve(of.line(refund, bet, { change: FAILED, reversed: { ...asSeen, seen: "success" } }), of.audit));
  t.deepEqual({ ...(await of.row(bet.txId)), readAt: 0 }, { ...before, readAt: 0 });
  t.is((await of.row(refund.txId)).status, "failed");
  t.is(await of.audited(), 1);
});

on("nothing is written while a call of either is in flight, before the horizon, or when somebody was faster", async (t, of) => {
  const { bet, refund } = await of.pair({ betLeaseMs: LONG_MS });
  t.false(await of.support.resolve(of.line(refund, bet), of.audit), "the bet's call may be under way");
  await of.settle(bet, ended({ status: "pending" }, null));
  const open = await of.row(bet.txId);
  for (const [why, line] of Object.entries({
    "younger than the horizon": of.line(refund, open, { horizonMs: LONG_MS }),
    "another attempt began": of.line({ ...refund, leaseToken: bet.leaseToken }, open),
    "the bet has ended": of.line(refund, { ...open, status: "failed", error: "X" }),
  }))
    t.false(await of.support.resolve(line, of.audit), why);
  t.is(await of.audited(), 0);
  for (const row of [refund, bet]) t.is((await of.row(row.txId)).status, "pending");
  t.true(await of.support.resolve(of.line(refund, open), of.audit));
});

on("a refund whose call is in flight is never closed", async (t, of) => {
  const { bet, refund } = await of.pair({ refundLeaseMs: LONG_MS });
  t.false(await of.support.resolve(of.line(refund, bet), of.audit));
  t.like(await of.row(refund.txId), { status: "pending", leaseUntil: refund.leaseUntil });
  t.like(await of.row(bet.txId), { status: "pending" });
});

on("asked again in the same words, a closing that was stored says so and changes nothing more", async (t, of) => {
  const { bet, refund } = await of.pair();
  const line = of.line(refund, bet);
  t.true(await of.support.resolve(line, of.audit));
  t.true(await of.support.resolve(line, of.audit));
  t.is(await of.audited(), 1);
});
