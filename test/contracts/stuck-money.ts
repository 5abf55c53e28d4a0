import test, { type ExecutionContext } from "ava";
import { NOT_FOUND } from "../../src/domain/transaction/reversal.ts";
import { STUCK_KINDS, type StuckKind } from "../../src/domain/transaction/stuck.ts";
import type { Content, RowChange } from "../../src/domain/transaction/transaction.ts";
import type { PlayerId } from "../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";
import type { SlipStore } from "../../src/ports/transactions/slip-store.ts";
import type { StuckMoney, StuckNotes, StuckPosition, StuckQuery } from "../../src/ports/transactions/stuck-money.ts";
import { Actions, type ChangeStoreSetup, type Held } from "./changes/actions.ts";
import { id } from "./content.ts";

/** Both stores over the same transactions and slips. The merchants have no rows yet. */
export interface StuckMoneySetup extends ChangeStoreSetup {
  readonly stuck: StuckMoney;
  readonly notes: StuckNotes;
  readonly slips: SlipStore;
  /** Makes all present rows of the merchants older by this time, in ms. */
  age(ms: number): Promise<void>;
}

const HOUR_MS = 3_600_000;
const HORIZON_MS = 72 * HOUR_MS;
const DAYS_MS = [0, 24 * HOUR_MS] as const;

/** The contract of ports/transactions/stuck-money.ts, for every implementation. */
export function stuckMoneyContract(name: string, open: () => Promise<StuckMoneySetup>): void {
  const on = (title: string, run: (t: ExecutionContext, a: StuckActions) => Promise<void>): void =>
    test.serial(`${name}: ${title}`, async (t) => {
      await run(t, new StuckActions(await open()));
    });

  on("without transactions nothing is stuck", async (t, a) => {
    t.deepEqual(await a.figures(), {});
    for (const kind of ["pending", "owed", "contradiction"] as const) t.deepEqual(await a.list(kind), []);
    t.deepEqual(await a.listSlips(), []);
    t.true(await a.of.notes.isComplete());
  });

  on("failed wins and refunds are owed; other transactions are not", async (t, a) => {
    await a.ended({ txId: id("bet") }, a.success());
    await a.ended({ txId: id("refused-bet") }, a.failed("INSUFFICIENT_FUNDS"));
    await a.ended({ txId: id("paid"), action: "win" }, a.success());
    await a.ended({ txId: id("owed"), action: "win", amountMinor: 700n }, a.failed("PLAYER_BLOCKED"));
    await a.refund("refund", "bet", a.failed("PLAYER_BLOCKED"));
    await a.ended({ txId: id("bea"), action: "win", playerId: "bea" as PlayerId }, a.failed("X"));
    t.deepEqual(await a.list("owed"), [], "the changes have no number yet");
    t.true(await a.numberAll());
    t.deepEqual(await a.list("owed"), [id("owed"), id("refund"), id("bea")]);
    t.deepEqual(await a.figures(), { owed: "3 of 2 players: 1200, old: 0" });
  });

  on("a credit is owed until the wallet accepts it", async (t, a) => {
    const win = await a.ended({ action: "win" }, a.failed("X"));
    t.true(await a.numberAll());
    const again = await a.takeOver(win);
    t.deepEqual(await a.list("owed"), [], "a call is in flight");
    await a.settle(again, a.failed("X"));
    t.true(await a.numberAll());
    t.deepEqual(await a.list("owed"), [id("tx")]);
    const last = await a.takeOver(again);
    await a.settle(last, { ...a.success(), resolvedBy: "resend" });
    t.true(await a.numberAll());
    t.deepEqual(await a.list("owed"), []);
    t.deepEqual(await a.figures(), {});
  });

  on(
    "a contradiction that a person closed is shown no more, until the wallet contradicts itself again",
    async (t, a) => {
      const bet = await a.ended({ txId: id("bet") }, a.failed("PLAYER_BLOCKED"));
      await a.ended({ txId: id("other") }, a.failed("PLAYER_BLOCKED"));
      await a.ended({ txId: id("fine") }, a.success());
      const entry = {
        actor: "ana",
        action: "transaction close-contradiction",
        target: `transaction shop ${bet.content.txId}`,
        reason: "settled",
        changes: [{ field: "evidence", to: "one debit" }],
      };
      const { merchantId } = a.setup;
      const close = (own: string) => a.of.notes.close({ merchantId, txId: id(own) }, entry);
      const isOpen = (own: string) => a.of.stuck.isContradiction({ merchantId, txId: id(own) });
      for (const own of ["bet", "other"]) await a.of.notes.contradicted({ merchantId, txId: id(own) });
      t.true(await a.numberAll());
      t.deepEqual(await a.list("contradiction"), [id("bet"), id("other")]);
      t.deepEqual([await isOpen("bet"), await isOpen("fine"), await isOpen("nothing")], [true, false, false]);
      t.deepEqual([await close("fine"), await close("nothing")], [false, false]);
      t.true(await close("bet"));
      t.false(await close("bet"), "it is closed already");
      t.deepEqual(await a.list("contradiction"), [id("other")]);
      t.false(await isOpen("bet"));
      t.deepEqual(await a.figures(), { contradiction: "1 of 1 players: 250, old: 0" });
      await a.of.notes.contradicted({ merchantId, txId: id("bet") });
      t.deepEqual(await a.list("contradiction"), [id("bet"), id("other")]);
    },
  );

  on("a refund of a bet that nobody has is not owed, and no contradiction", async (t, a) => {
    const bet = await a.claimed({ txId: id("bet") });
    await a.settle(bet, a.silent("never"));
    await a.refund("refund", "bet", a.failed(NOT_FOUND), {
      seen: "pending",
      change: { ...a.failed(NOT_FOUND), resolvedBy: `refund:${id("refund")}` },
    });
    t.true(await a.numberAll());
    t.deepEqual(await a.figures(), {});
  });

  on("a wallet that does not know a bet that it accepted contradicts itself, and the refund is owed", async (t, a) => {
    await a.ended({ txId: id("bet") }, a.success());
    const refund = await a.refund("refund", "bet", a.failed(NOT_FOUND));
    t.true(await a.numberAll());
    t.deepEqual(await a.list("contradiction"), [id("refund")]);
    t.deepEqual(await a.list("owed"), [id("refund")]);
    const again = await a.takeOver({ ...refund, reversedBy: null });
    await a.settle(again, { ...a.success(), resolvedBy: "resend" }, { txId: id("bet"), seen: "success", change: null });
    t.true(await a.numberAll());
    t.deepEqual(await a.figures(), {});
  });

  on("a refund that support closed as not applied is owed, but no contradiction", async (t, a) => {
    await a.ended({ txId: id("bet") }, a.success());
    await a.refund("refund", "bet", { ...a.failed(NOT_FOUND), resolvedBy: "manual" });
    t.true(await a.numberAll());
    t.deepEqual([await a.list("owed"), await a.list("contradiction")], [[id("refund")], []]);
  });

  on(
    "a wallet that accepts the rollback of a win that it had refused contradicts itself, and nothing is owed",
    async (t, a) => {
      const win = await a.ended({ txId: id("win"), action: "win" }, a.failed("X"));
      t.true(await a.numberAll());
      t.deepEqual(await a.list("owed"), [id("win")]);
      await a.reverse("rollback", "rollback", "win", a.success(), {
        seen: "failed",
        change: {
          state: { status: "success", balanceMinor: null, rejected: "X" },
          resolvedBy: `rollback:${id("rollback")}`,
          silent: false,
          next: null,
        },
      });
      t.true(await a.numberAll());
      t.deepEqual([await a.list("owed"), await a.list("contradiction")], [[], [win.content.txId]]);
    },
  );

  on("a late answer that contradicts is noted once, until the credit is paid", async (t, a) => {
    const [bet, win] = [
      await a.ended({ txId: id("bet") }, a.failed("X")),
      await a.ended({ txId: id("win"), action: "win" }, a.failed("X")),
    ];
    t.true(await a.numberAll());
    for (const { content } of [bet, win, win]) await a.of.notes.contradicted(content);
    await a.of.notes.contradicted({ merchantId: a.setup.merchantId, txId: id("unknown") });
    t.deepEqual(await a.list("contradiction"), [id("bet"), id("win")]);
    t.deepEqual((await a.figures()).contradiction, "2 of 1 players: 500, old: 0");
    await a.settle(await a.takeOver(win), { ...a.success(), resolvedBy: "resend" });
    t.deepEqual(await a.list("contradiction"), [id("bet")]);
    t.true(await a.numberAll());
    t.deepEqual(await a.figures(), { contradiction: "1 of 1 players: 250, old: 0" });
    await a.of.age(89 * 24 * HOUR_MS);
    t.deepEqual(await a.list("contradiction"), [id("bet")]);
    await a.of.age(2 * 24 * HOUR_MS);
    t.deepEqual([await a.list("contradiction"), await a.figures()], [[], {}], "contradictions of 90 days are shown");
  });

  on("a number that is not given notes nothing", async (t, a) => {
    await a.ended({ action: "win" }, a.failed("X"));
    const seen = await a.unnumbered();
    t.false(await a.number({ ...seen, seq: 7n }));
    t.deepEqual(await a.list("owed"), []);
  });

  on("a transaction is stuck pending when it is past its horizon and not sent any more", async (t, a) => {
    await a.settle(await a.claimed({ txId: id("bet") }), a.silent("never"));
    await a.settle(await a.claimed({ txId: id("win"), action: "win" }), a.silent(60_000));
    await a.settle(await a.claimed({ txId: id("over"), action: "win", amountMinor: 30n }), a.silent("never"));
    t.true(await a.numberAll());
    t.deepEqual(await a.list("pending"), [], "all are young");
    await a.of.age(HORIZON_MS + 1_000);
    await a.settle(await a.claimed({ txId: id("young") }), a.silent("never"));
    t.deepEqual(await a.list("pending"), [id("bet"), id("over")], "the service still sends the win");
    t.deepEqual(await a.figures(), {
      retrying: "1 of 1 players: 250, old: 250",
      unanswered: "1 of 1 players: 30, old: 30",
      pending: "1 of 1 players: 250, old: 250",
    });
    t.deepEqual(await a.list("pending", { olderThanMs: HORIZON_MS + HOUR_MS }), []);
  });

  on("the sums of open transactions have each pending transaction once, stuck or not", async (t, a) => {
    const { merchantId, otherMerchantId } = a.setup;
    const merchantIds = [otherMerchantId, merchantId];
    t.deepEqual(await a.of.stuck.open(merchantIds, DAYS_MS, HORIZON_MS), []);
    await a.settle(await a.claimed({ txId: id("bet"), amountMinor: 1n }), a.silent("never"));
    await a.settle(await a.claimed({ txId: id("win"), action: "win", amountMinor: 10n }), a.silent(60_000));
    await a.settle(await a.claimed({ txId: id("over"), action: "win", amountMinor: 100n }), a.silent("never"));
    await a.of.age(HORIZON_MS + 1_000);
    await a.settle(await a.claimed({ txId: id("young"), amountMinor: 1_000n }), a.silent("never"));
    await a.settle(await a.claimed({ txId: id("new"), action: "win", amountMinor: 10_000n }), a.silent("never"));
    await a.ended({ txId: id("fine") }, a.success());
    await a.ended({ txId: id("owed"), action: "win" }, a.failed("X"));
    t.true(await a.numberAll());
    const sum = (count: number, sumMinor: bigint) => ({ count, sumMinor });
    t.deepEqual(await a.of.stuck.open(merchantIds, DAYS_MS, HORIZON_MS), [
      {
        merchantId,
        ages: [sum(5, 11_111n), sum(3, 111n)],
        retrying: [sum(1, 10n), sum(1, 10n)],
        unanswered: [sum(1, 100n), sum(1, 100n)],
      },
    ]);
  });

  on("a credit is retried while the service still sends it, and the next one to be sent comes first", async (t, a) => {
    await a.settle(await a.claimed({ txId: id("bet") }), a.silent("never"));
    await a.settle(await a.claimed({ txId: id("late"), action: "win", amountMinor: 7n }), a.silent(120_000));
    const soon = await a.claimed({ txId: id("soon"), action: "win", amountMinor: 5n });
    await a.settle(soon, a.silent(60_000));
    t.true(await a.numberAll());
    t.deepEqual(await a.list("retrying"), [id("soon"), id("late")]);
    t.deepEqual(await a.figures(), { retrying: "2 of 1 players: 12, old: 0" });
    t.deepEqual(await a.of.stuck.sums([a.setup.merchantId], DAYS_MS, HORIZON_MS, ["owed"]), []);
    const again = await a.takeOver(soon);
    t.deepEqual((await a.list("retrying")).sort(), [id("late"), id("soon")], "also while its call is in flight");
    await a.settle(again, a.success());
    t.true(await a.numberAll());
    t.deepEqual(await a.list("retrying"), [id("late")]);
  });

  on("slips are stuck after ten minutes, until they end", async (t, a) => {
    const { merchantId } = a.setup;
    const token = "00".repeat(16);
    const bets = [
      { txId: `${merchantId}-a`, roundId: "r", amountMinor: 100n },
      { txId: `${merchantId}-b`, roundId: "r", amountMinor: 50n },
    ];
    const slip = { merchantId, slipId: "s1", playerId: "ana" as PlayerId, currency: "BRL", bets } as const;
    await a.of.slips.open(slip, token, wholeMs(60_000));
    await a.of.age(9 * 60_000);
    t.deepEqual(await a.listSlips(), []);
    await a.of.age(2 * 60_000);
    const found = await a.of.stuck.slips({ merchantIds: [merchantId], olderThanMs: 0 }, 10);
    t.deepEqual(
      found.map(({ createdAt: _, ...shown }) => shown),
      [
        {
          merchantId,
          slipId: "s1",
          firstTxId: `${merchantId}-a`,
          playerId: "ana" as PlayerId,
          currency: "BRL",
          amountMinor: 150n,
          status: "running",
        },
      ],
    );
    t.deepEqual(await a.figures(), { slip: "1 of 1 players: 150, old: 0" });
    t.deepEqual(await a.listSlips({ olderThanMs: HOUR_MS }), []);
    t.deepEqual(await a.of.stuck.slips({ merchantIds: [a.setup.otherMerchantId], olderThanMs: 0 }, 10), []);
    await a.of.slips.decide(slip, token, { status: "accepted" }, wholeMs(0));
    t.deepEqual([await a.listSlips(), await a.figures()], [[], {}]);
  });

  on("pages show every transaction once, the oldest first, in the order of the merchants", async (t, a) => {
    const { merchantId, otherMerchantId } = a.setup;
    const other = a.another();
    for (const [of, count] of [
      [other, 3],
      [a, 4],
    ] as const) {
      for (let i = 0; i < count; i++) {
        const content = { txId: id(`w${i}`), action: "win", merchantId: of.setup.merchantId } as const;
        await of.settle(await of.claimed(content), of.failed("X"));
        await of.settle(await of.claimed({ ...content, action: "bet", txId: id(`b${i}`) }), of.silent("never"));
        // Two of them are due at the same time.
        await of.settle(await of.claimed({ ...content, txId: id(`r${i}`) }), of.silent(60_000 + (i >> 1) * 60_000));
        await a.setup.pass(2);
      }
      t.true(await of.numberAll());
    }
    await a.of.age(HORIZON_MS + 1_000);
    for (const [kind, letters] of [
      ["owed", "w"],
      ["pending", "b"],
      ["retrying", "r"],
      ["open", "rb"],
    ] as const) {
      const shown: string[] = [];
      let merchantIds: readonly number[] = [otherMerchantId, merchantId];
      let after: StuckPosition | undefined;
      for (;;) {
        const query = { kind, merchantIds, olderThanMs: 0, horizonMs: HORIZON_MS, after };
        const page = await a.of.stuck.list(query, 2);
        const last = page.at(-1);
        if (last === undefined) break;
        shown.push(...page.map(({ transaction }) => `${transaction.merchantId} ${transaction.txId}`));
        merchantIds = merchantIds.slice(merchantIds.indexOf(last.transaction.merchantId));
        const { createdAt, nextAt } = last.transaction;
        after = { at: kind === "retrying" || kind === "open" ? (nextAt ?? 0) : createdAt, id: String(last.id) };
      }
      t.deepEqual(shown, [
        ...[...letters].flatMap((letter) => [0, 1, 2].map((i) => `${otherMerchantId} ${id(`${letter}${i}`)}`)),
        ...[...letters].flatMap((letter) => [0, 1, 2, 3].map((i) => `${merchantId} ${id(`${letter}${i}`)}`)),
      ]);
    }
  });
}

class StuckActions extends Actions {
  readonly of: StuckMoneySetup;

  constructor(setup: StuckMoneySetup) {
    super(setup);
    this.of = setup;
  }

  /** The same actions for the other merchant. */
  another(): StuckActions {
    const { merchantId, otherMerchantId } = this.of;
    return new StuckActions({ ...this.of, merchantId: otherMerchantId, otherMerchantId: merchantId });
  }

  claimed(more: Partial<Content>): Promise<Held> {
    return this.claim(more);
  }

  async ended(more: Partial<Content>, change: RowChange): Promise<Held> {
    const held = await this.claim(more);
    await this.settle(held, change);
    return held;
  }

  refund(own: string, bet: string, change: RowChange, reversed?: Reversed): Promise<Held> {
    return this.reverse("refund", own, bet, change, reversed);
  }

  /** A reversal of a success, unless `reversed` says otherwise. */
  async reverse(
    action: "refund" | "rollback",
    own: string,
    original: string,
    change: RowChange,
    reversed: Reversed = { seen: "success", change: null },
  ): Promise<Held> {
    const held = await this.claim({ txId: id(own), action, refTxId: id(original) }, "void");
    await this.setup.transactions.mark([{ key: held.content, seen: held.token, reversed: id(original) }]);
    const taken = await this.takeOver({ ...held, reversedBy: null });
    await this.settle(taken, change, { txId: id(original), ...reversed });
    return taken;
  }

  /** The ids of one kind. */
  async list(kind: StuckQuery["kind"], { olderThanMs = 0 } = {}): Promise<string[]> {
    const query = { kind, merchantIds: [this.setup.merchantId], olderThanMs, horizonMs: HORIZON_MS };
    return (await this.of.stuck.list(query, 10)).map(({ transaction }) => transaction.txId);
  }

  async listSlips({ olderThanMs = 0 } = {}): Promise<string[]> {
    const slips = await this.of.stuck.slips({ merchantIds: [this.setup.merchantId], olderThanMs }, 10);
    return slips.map(({ slipId }) => slipId);
  }

  /** The sums of each kind as a text; `old`: the sum of the transactions and slips that are older than a day. */
  async figures(): Promise<Partial<Record<StuckKind, string>>> {
    const found = await this.of.stuck.sums([this.setup.merchantId], DAYS_MS, HORIZON_MS, STUCK_KINDS);
    return Object.fromEntries(
      found.map(({ kind, players, ages: [all, old] }) => [
        kind,
        `${all?.count} of ${players} players: ${all?.sumMinor}, old: ${old?.sumMinor}`,
      ]),
    );
  }
}

interface Reversed {
  readonly seen: "pending" | "success" | "failed";
  readonly change: RowChange | null;
}
