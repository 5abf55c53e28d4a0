import test, { type ExecutionContext } from "ava";
import type { Content, GameRef, RowChange, Transaction } from "../../src/domain/transaction/transaction.ts";
import type { PlayerId, TxId } from "../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";
import type { NewAuditEntry } from "../../src/ports/admin-store.ts";
import { type ClaimLine, StoreFault, type TransactionStore } from "../../src/ports/transactions/transaction-store.ts";
import type { ResolveLine, TransactionSupport } from "../../src/ports/transactions/transaction-support.ts";

/** The stores of one test. The merchant has no rows yet. */
export interface TransactionSupportSetup {
  readonly support: TransactionSupport;
  readonly transactions: TransactionStore;
  readonly merchantId: number;
  readonly game: GameRef;
  pass(ms: number): Promise<void>;
}

const LONG_MS = 60_000;
let tokens = 0;
const token = (): string => (++tokens).toString(16).padStart(32, "0");

const ended = (state: RowChange["state"], resolvedBy: RowChange["resolvedBy"] = "manual"): RowChange => ({
  state,
  resolvedBy,
  silent: false,
  next: null,
});
const SUCCESS = ended({ status: "success", balanceMinor: null });
export const NOT_FOUND = ended({ status: "failed", error: "TRANSACTION_NOT_FOUND" });

/** A merchant's bet and refund, and support that closes them. */
export class ClosingCase {
  readonly support: TransactionSupport;
  readonly merchantId: number;
  readonly audit: NewAuditEntry;
  readonly #setup: TransactionSupportSetup;

  constructor(setup: TransactionSupportSetup) {
    this.support = setup.support;
    this.merchantId = setup.merchantId;
    this.audit = {
      actor: "maria",
      action: "transaction resolve",
      target: `merchant ${setup.merchantId}`,
      reason: "ticket",
      changes: [],
    };
    this.#setup = setup;
  }

  async row(txId: TxId): Promise<Transaction> {
    const [row] = await this.#setup.transactions.read([{ merchantId: this.merchantId, txId }]);
    if (row === undefined || row instanceof StoreFault) throw new Error(`no row ${txId}`);
    return row;
  }

  /** A bet and its refund whose leases have these lengths, in ms. */
  async pair({ betLeaseMs = 1, refundLeaseMs = 1 } = {}): Promise<{ bet: Transaction; refund: Transaction }> {
    const { transactions, pass } = this.#setup;
    const bet = this.#line("bet", "ACME:b" as TxId, null, betLeaseMs, "leased");
    const refund = this.#line("refund", "ACME:f" as TxId, bet.content.txId, 0, "void");
    await transactions.claim([bet]);
    await transactions.claim([refund]);
    await transactions.mark([{ key: refund.content, seen: refund.token, reversed: bet.content.txId }]);
    const marked = await this.row(refund.content.txId);
    await transactions.takeOver([{ key: marked, seen: marked, token: token(), leaseMs: wholeMs(refundLeaseMs) }]);
    await pass(5);
    return { bet: await this.row(bet.content.txId), refund: await this.row(refund.content.txId) };
  }

  settle(row: Transaction, change: RowChange): Promise<unknown> {
    const attempt = {
      n: row.attempts,
      at: wholeMs(row.updatedAt),
      durationMs: wholeMs(1),
      httpStatus: 200,
      result: "accepted",
      requestId: null,
    } as const;
    return this.#setup.transactions.settle([{ key: row, token: row.leaseToken, change, attempt }]);
  }

  line(refund: Transaction, bet: Transaction, more: Partial<ResolveLine> = {}): ResolveLine {
    const reversed = {
      txId: bet.txId,
      seen: bet.status,
      change: { ...SUCCESS, resolvedBy: `refund:${refund.txId}` as const },
    };
    return { key: refund, seen: refund, token: token(), horizonMs: wholeMs(0), change: SUCCESS, reversed, ...more };
  }

  #line(action: "bet" | "refund", txId: TxId, refTxId: TxId | null, leaseMs: number, as: ClaimLine["as"]): ClaimLine {
    const content: Content = {
      merchantId: this.merchantId,
      txId,
      action,
      playerId: "ana" as PlayerId,
      roundId: "r",
      amountMinor: 250n,
      currency: "BRL",
      game: this.#setup.game,
      refTxId,
    };
    return { content, token: token(), as, leaseMs: wholeMs(leaseMs) };
  }
}

/** The contract of ports/transactions/transaction-support.ts, for every implementation. */
export function transactionSupportContract(name: string, open: () => Promise<TransactionSupportSetup>): void {
  const on = (title: string, run: (t: ExecutionContext, of: ClosingCase) => Promise<void>): void =>
    test.serial(`${name}: ${title}`, async (t) => run(t, new ClosingCase(await open())));

  on("a refund and its bet are closed together, and a late settle of either row does not apply", async (t, of) => {
    const { bet, refund } = await of.pair();
    t.true(await of.support.resolve(of.line(refund, bet), of.audit));
    t.like(await of.row(refund.txId), { status: "success", resolvedBy: "manual", nextAt: null, leaseUntil: null });
    t.like(await of.row(bet.txId), { status: "success", resolvedBy: "refund:ACME:f", nextAt: null, leaseUntil: null });
    for (const row of [bet, refund]) {
      t.deepEqual(await of.settle(row, NOT_FOUND), [false], row.txId);
      t.like(await of.row(row.txId), { status: "success", silentAt: row.leaseUntil }, row.txId);
    }
  });

  on(
    "a refund is not closed when its bet has changed since it was seen, even if the bet itself would stay as it is",
    async (t, of) => {
      const { bet, refund } = await of.pair({ betLeaseMs: LONG_MS });
      await of.settle(bet, SUCCESS);
      const asSeen = { txId: bet.txId, change: null } as const;
      t.false(
        await of.support.resolve(
          of.line(refund, bet, { change: NOT_FOUND, reversed: { ...asSeen, seen: "failed" } }),
          of.audit,
        ),
      );
      t.is((await of.row(refund.txId)).status, "pending");
      const before = await of.row(bet.txId);
      t.true(
        await of.support.resolve(
          of.line(refund, bet, { change: NOT_FOUND, reversed: { ...asSeen, seen: "success" } }),
          of.audit,
        ),
      );
      t.deepEqual({ ...(await of.row(bet.txId)), readAt: 0 }, { ...before, readAt: 0 });
      t.is((await of.row(refund.txId)).status, "failed");
    },
  );

  on(
    "nothing is written while a call of either row is in flight, before the horizon has passed, or after another change",
    async (t, of) => {
      const { bet, refund } = await of.pair({ betLeaseMs: LONG_MS });
      t.false(await of.support.resolve(of.line(refund, bet), of.audit), "the bet's call may be under way");
      await of.settle(bet, ended({ status: "pending" }, null));
      const open = await of.row(bet.txId);
      for (const [why, line] of Object.entries({
        "younger than the horizon": of.line(refund, open, { horizonMs: wholeMs(LONG_MS) }),
        "another attempt began": of.line({ ...refund, leaseToken: bet.leaseToken }, open),
        "a reversal has marked it": of.line({ ...refund, reversedBy: bet.txId }, open),
        "the bet has ended": of.line(refund, { ...open, status: "failed", error: "X" }),
      }))
        t.false(await of.support.resolve(line, of.audit), why);
      for (const row of [refund, bet]) t.is((await of.row(row.txId)).status, "pending");
      t.true(await of.support.resolve(of.line(refund, open), of.audit));
    },
  );

  on("a refund whose call is in flight is never closed", async (t, of) => {
    const { bet, refund } = await of.pair({ refundLeaseMs: LONG_MS });
    t.false(await of.support.resolve(of.line(refund, bet), of.audit));
    t.like(await of.row(refund.txId), { status: "pending", leaseUntil: refund.leaseUntil });
    t.like(await of.row(bet.txId), { status: "pending" });
  });

  on("if the same closing is sent again, the store returns the same result and changes nothing more", async (t, of) => {
    const { bet, refund } = await of.pair();
    const line = of.line(refund, bet);
    t.true(await of.support.resolve(line, of.audit));
    const closed = await of.row(refund.txId);
    t.true(await of.support.resolve(line, of.audit));
    t.deepEqual({ ...(await of.row(refund.txId)), readAt: 0 }, { ...closed, readAt: 0 });
  });
}
