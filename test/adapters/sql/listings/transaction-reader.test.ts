/** The reads of `tx` for merchants and support, on both databases. */

import test, { type ExecutionContext } from "ava";
import { SqlTransactionReader } from "../../../../src/adapters/sql/listings/transaction-reader.ts";
import { SqlChangeStore } from "../../../../src/adapters/sql/reports/change-store.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { numberingOf } from "../../../../src/app/feed/sequencer.ts";
import type { Content, RowChange, Transaction } from "../../../../src/domain/transaction/transaction.ts";
import type { PlayerId, TxId } from "../../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../../src/domain/values/whole-ms.ts";
import type {
  FeedQuery,
  ListedTransaction,
  TransactionQuery,
} from "../../../../src/ports/transactions/transaction-reader.ts";
import { type ClaimLine, StoreFault } from "../../../../src/ports/transactions/transaction-store.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { type StoredRow, storedRow, storeRows } from "../../../../testbed/database/stored-rows.ts";
import { freshMerchants, type Replicas, serverReplicas, sqlite } from "../stores.ts";
import { addGames, assorted, BEGIN, matching, numbersFrom, one, someQuery } from "./assorted-rows.ts";

const MINUTE_MS = 60_000;

const idsOf = (items: readonly ListedTransaction[]): string[] => items.map(({ transaction }) => transaction.txId);

/** A whole listing, read in pages of this size. */
async function paged(reader: SqlTransactionReader, query: TransactionQuery, size: number): Promise<string[]> {
  const ids: string[] = [];
  for (let after: TransactionQuery["after"]; ; ) {
    const page = await reader.list({ ...query, after }, size);
    ids.push(...idsOf(page));
    const last = page.at(-1);
    if (page.length < size || last === undefined) return ids;
    after = { createdAt: last.transaction.createdAt, id: last.id };
  }
}

/** A merchant's rows, written and numbered like those of the service. */
class WrittenRows {
  readonly merchantId = freshMerchants().merchantId;
  readonly reader: SqlTransactionReader;
  readonly #store: SqlTransactionStore;
  readonly #changes: SqlChangeStore;
  readonly #replicas: Replicas;
  #tokens = 0;

  constructor(replicas: Replicas, feedWindow = 20_000) {
    const [database] = replicas.databases;
    this.#replicas = replicas;
    this.#store = new SqlTransactionStore(database);
    this.#changes = new SqlChangeStore(database);
    this.reader = new SqlTransactionReader(database, { pendingSorted: 5_000, feedWindow });
  }

  async claim(own: string, more: Partial<Content> = {}, leaseMs = 60_000): Promise<ClaimLine> {
    const content: Content = {
      merchantId: this.merchantId,
      txId: `ACME:${own}` as TxId,
      action: "bet",
      playerId: "ana" as PlayerId,
      roundId: "r1",
      amountMinor: 250n,
      currency: "BRL",
      game: this.#replicas.game,
      refTxId: null,
      ...more,
    };
    const line: ClaimLine = {
      content,
      token: (0xfeed0000 + ++this.#tokens).toString(16).padStart(32, "0"),
      as: "leased",
      leaseMs: wholeMs(leaseMs),
    };
    await this.#store.claim([line]);
    return line;
  }

  async settle(
    { content, token }: Pick<ClaimLine, "content" | "token">,
    state: RowChange["state"],
    n = 1,
  ): Promise<void> {
    const attempt = {
      n,
      at: wholeMs(1),
      durationMs: wholeMs(2),
      httpStatus: 200,
      result: "accepted",
      requestId: "q",
    } as const;
    const silent = state.status === "pending";
    await this.#store.settle([
      {
        key: content,
        token,
        change: { state, resolvedBy: null, silent, next: silent ? wholeMs(60_000) : null },
        attempt,
      },
    ]);
  }

  async settled(
    own: string,
    more: Partial<Content> = {},
    state: RowChange["state"] = { status: "success", balanceMinor: null },
  ): Promise<ClaimLine> {
    const line = await this.claim(own, more);
    await this.settle(line, state);
    return line;
  }

  /** Begins a further attempt. */
  async again({ content }: ClaimLine): Promise<ClaimLine> {
    const [seen] = await this.#store.read([content]);
    const token = (0xabba0000 + ++this.#tokens).toString(16).padStart(32, "0");
    const [taken] = await this.#store.takeOver([
      { key: content, seen: seen as Transaction, token, leaseMs: wholeMs(60_000) },
    ]);
    if (taken === undefined || taken instanceof StoreFault) throw new Error("the row was not taken over");
    return { content, token, as: "leased", leaseMs: wholeMs(60_000) };
  }

  async number(): Promise<void> {
    const found = await this.#changes.unnumbered([this.merchantId], 1_000);
    await this.#changes.number(found.map((unnumbered) => ({ ...numberingOf(unnumbered), sums: [] })));
  }

  feed(after: bigint, more: Partial<FeedQuery> = {}, limit = 100) {
    return this.reader.feed({ merchantId: this.merchantId, after, ...more }, limit);
  }
}

for (const [name, opened] of [
  ["SQLite", sqlite()],
  [PRODUCT.name, serverReplicas()],
] as const) {
  const on = (title: string, run: (t: ExecutionContext, replicas: Replicas) => Promise<void>): void =>
    test.serial(`${name}: ${title}`, async (t) => run(t, await opened));

  on(
    "a listing has exactly the transactions that its filters choose, in its order, in pages of any size",
    async (t, replicas) => {
      const [database] = replicas.databases;
      const games = await addGames(replicas);
      const next = numbersFrom(name.length);
      const { merchantId, otherMerchantId } = freshMerchants();
      const rows = assorted(merchantId, otherMerchantId, games, next);
      await storeRows(database, rows);
      const reader = new SqlTransactionReader(database);
      // With this limit the reader has too many pending rows to sort them.
      const crowded = new SqlTransactionReader(database, { pendingSorted: 0, feedWindow: 1 });
      let listed = 0;
      for (let i = 0; i < 150; i++) {
        const query = someQuery(merchantId, next);
        const expected = matching(rows, query, games);
        listed += expected.length;
        t.deepEqual(await paged(reader, query, one(next, [3, 40, 1_000])), expected, JSON.stringify(query));
        if (query.status === "pending") t.deepEqual(await paged(crowded, query, 40), expected, JSON.stringify(query));
      }
      t.true(listed > 1_000, "the queries match rows");
    },
  );

  on(
    "a kind's transactions are listed before their number and after it, also if an older release numbered them",
    async (t, replicas) => {
      const of = new WrittenRows(replicas);
      const [{ knex }] = replicas.databases;
      const labels = { kind: "tip", promoId: null, jackpotId: null, jackpotTier: null, jackpotMicros: null } as const;
      const tips = async () => {
        const query = { merchantId: of.merchantId, kind: "tip", order: "asc" } as const;
        return idsOf(await of.reader.list(query, 10));
      };
      await of.settled("plain");
      await of.settled("a", { labels });
      t.deepEqual(await tips(), ["ACME:a"]);
      await of.number();
      t.deepEqual(await tips(), ["ACME:a"]);
      await of.settled("b", { labels });
      t.deepEqual(await tips(), ["ACME:a", "ACME:b"]);
      await of.number();
      t.is(Number((await knex("kinds").where({ listed_merchant: of.merchantId }).count({ n: "*" }))[0]?.n), 2);
      // An older release lists no kinds, and leaves kind_seq as it is.
      await knex("kinds").where({ listed_merchant: of.merchantId }).delete();
      await knex("feed_head").where({ merchant_id: of.merchantId }).update({ kind_seq: 0 });
      t.deepEqual(await tips(), ["ACME:a", "ACME:b"]);
      const changes = new SqlChangeStore(replicas.databases[0]);
      while (await changes.catchUp());
      t.is(Number((await knex("kinds").where({ listed_merchant: of.merchantId }).count({ n: "*" }))[0]?.n), 2);
      t.deepEqual(await tips(), ["ACME:a", "ACME:b"]);
    },
  );

  on("a transaction is found with its attempts, and a void row is not found", async (t, replicas) => {
    const of = new WrittenRows(replicas);
    const line = await of.claim("t1");
    t.like(await of.reader.find(line.content), {
      transaction: { status: "pending", attempts: 1 },
      lastResult: null,
      log: [],
    });
    await of.settle(line, { status: "success", balanceMinor: -5n });
    const found = await of.reader.find(line.content);
    t.like(found, {
      transaction: { status: "success", balanceMinor: -5n, game: replicas.game },
      lastResult: "accepted",
    });
    t.deepEqual(found?.log, [
      { n: 1, at: wholeMs(1), durationMs: wholeMs(2), httpStatus: 200, result: "accepted", requestId: "q" },
    ]);
    await storeRows(replicas.databases[0], [
      storedRow({ merchantId: of.merchantId, txId: "ACME:v", status: "void", providerId: 1, gameId: replicas.game.id }),
    ]);
    t.is(await of.reader.find({ merchantId: of.merchantId, txId: "ACME:v" as TxId }), undefined);
    t.is(
      await of.reader.find({ merchantId: of.merchantId, txId: "ACME:T1" as TxId }),
      undefined,
      "ids are compared byte by byte",
    );
  });

  on("the feed has a change as soon as it is numbered, and each row once, in its newest state", async (t, replicas) => {
    const of = new WrittenRows(replicas);
    const first = await of.settled("a", { action: "win" }, { status: "failed", error: "PLAYER_BLOCKED" });
    const second = await of.claim("b");
    const silent = await of.settled("c", {}, { status: "pending" });
    t.deepEqual(await of.feed(0n).then(({ items, next }) => [idsOf(items), next]), [[], 0n]);
    await of.number();
    t.deepEqual(
      await of.feed(0n).then(({ items, next }) => [idsOf(items), next]),
      [["ACME:a", "ACME:c"], 2n],
      "a row with a call under way is not in the feed",
    );
    await of.settle(second, { status: "success", balanceMinor: null });
    await of.settle(await of.again(silent), { status: "pending" }, 2);
    await of.number();
    t.deepEqual(
      await of.feed(2n).then(({ items, next }) => [idsOf(items), next]),
      [["ACME:b"], 3n],
      "another silent attempt is not a change",
    );
    // A rejected credit is sent again. Until the attempt ends, the row is not in the feed. Then it is the newest row.
    const again = await of.again(first);
    t.deepEqual(idsOf((await of.feed(0n)).items), ["ACME:c", "ACME:b"]);
    await of.settle(again, { status: "success", balanceMinor: null }, 2);
    await of.number();
    t.deepEqual(idsOf((await of.feed(0n)).items), ["ACME:c", "ACME:b", "ACME:a"]);
    t.deepEqual(await of.feed(0n, {}, 2).then(({ items, next }) => [idsOf(items), next]), [["ACME:c", "ACME:b"], 3n]);
    t.deepEqual(await of.feed(4n).then(({ items, next }) => [idsOf(items), next]), [[], 4n]);
  });

  on("a filtered feed advances past rows that don't match, a bounded number at a time", async (t, replicas) => {
    const of = new WrittenRows(replicas, 3);
    for (let i = 1; i <= 7; i++)
      await of.settled(`x${i}`, { action: i === 5 ? "win" : "bet", playerId: (i === 7 ? "rui" : "ana") as PlayerId });
    await of.number();
    const follow = async (more: Partial<FeedQuery>): Promise<unknown[]> => {
      const pages: unknown[] = [];
      for (let after = 0n; ; ) {
        const { items, next } = await of.feed(after, more);
        if (next === after) return pages;
        pages.push([idsOf(items), Number(next)]);
        after = next;
      }
    };
    t.deepEqual(await follow({ action: "win" }), [
      [[], 3],
      [["ACME:x5"], 6],
      [[], 7],
    ]);
    t.deepEqual(await follow({ playerId: "rui" }), [
      [[], 3],
      [[], 6],
      [["ACME:x7"], 7],
    ]);
    t.deepEqual(await follow({ provider: "NONE" }), [
      [[], 3],
      [[], 6],
      [[], 7],
    ]);
    t.deepEqual(
      await of.feed(0n, { action: "bet" }, 2).then(({ items, next }) => [idsOf(items), next]),
      [["ACME:x1", "ACME:x2"], 2n],
      "a full page ends at its last row",
    );
  });

  on("the feed reports the age of its oldest change without a number", async (t, replicas) => {
    const of = new WrittenRows(replicas);
    t.is((await of.feed(0n)).behindMs, 0);
    await of.claim("flying");
    t.is((await of.feed(0n)).behindMs, 0, "a call in flight is not a change yet");
    const line = await of.settled("late");
    const { knex } = replicas.databases[0];
    await knex("tx").where({ merchant_id: of.merchantId, tx_id: line.content.txId }).decrement("updated_at", 90_000);
    const { behindMs } = await of.feed(0n);
    t.true(behindMs >= 90_000 && behindMs < 300_000, String(behindMs));
    await of.number();
    t.is((await of.feed(0n)).behindMs, 0);
  });

  on(
    "feedStart returns the number before the first change of the time's minute, else of a later minute, else the last number",
    async (t, replicas) => {
      const of = new WrittenRows(replicas);
      const { knex } = replicas.databases[0];
      t.is(await of.reader.feedStart(of.merchantId, BEGIN), 0n);
      await knex("feed_head").insert({ merchant_id: of.merchantId, seq: 50 });
      const marks = { 1: 10, 2: 20, 5: 30 };
      await knex("feed_mark").insert(
        Object.entries(marks).map(([minute, seq]) => ({
          merchant_id: of.merchantId,
          minute: BEGIN + Number(minute) * MINUTE_MS,
          seq,
        })),
      );
      const at = (minutes: number): Promise<bigint> => of.reader.feedStart(of.merchantId, BEGIN + minutes * MINUTE_MS);
      t.deepEqual(
        await Promise.all([
          at(0),
          at(1),
          at(1.999),
          at(2),
          at(2.016),
          at(2.017),
          at(4),
          at(4.999),
          at(5.5),
          at(6),
          at(6.017),
          at(9_999),
        ]),
        [10n, 10n, 10n, 10n, 10n, 20n, 30n, 30n, 30n, 30n, 50n, 50n],
      );
      await knex("feed_mark").insert({ merchant_id: of.merchantId, minute: BEGIN + 7 * MINUTE_MS, seq: 15 });
      t.is(await at(5), 15n, "a node with a fast clock marked a later minute");
    },
  );

  on("a round's sums are exact, and the same on every page", async (t, replicas) => {
    const { merchantId, otherMerchantId } = freshMerchants();
    const games = await addGames(replicas);
    const acme = games.find(({ provider, game }) => provider === "ACME" && game === "fruits") ?? games[0];
    const beta = games.find(({ provider }) => provider === "BETA") ?? games[0];
    if (acme === undefined || beta === undefined) throw new Error("the games were not found");
    const largest = 999_999_999_999n;
    const row = (txId: string, more: Partial<StoredRow>): StoredRow =>
      storedRow({ merchantId, txId, ...acme, roundId: "big", amountMinor: largest, ...more });
    await storeRows(replicas.databases[0], [
      ...Array.from({ length: 120 }, (_, i) => row(`ACME:b${i}`, { createdAt: BEGIN + 200 - i })),
      row("ACME:w", { action: "win", amountMinor: 1n }),
      row("ACME:f", { action: "refund", amountMinor: 2n, refTxId: "ACME:b1" }),
      row("ACME:k", { action: "rollback", amountMinor: 3n, refTxId: "ACME:w" }),
      row("ACME:p", { action: "win", status: "pending", amountMinor: 4n }),
      row("ACME:q", { status: "pending", amountMinor: 5n }),
      row("ACME:no", { status: "failed" }),
      row("ACME:void", { status: "void" }),
      row("BETA:b", { ...beta }),
      row("ACME:else", { roundId: "other" }),
      row("ACME:theirs", { merchantId: otherMerchantId }),
      row("ACME:onlyvoid", { roundId: "void", status: "void" }),
    ]);
    const reader = new SqlTransactionReader(replicas.databases[0]);
    const all = await reader.round({ merchantId, provider: "ACME", roundId: "big" }, 1_000);
    t.is(all?.items.length, 126);
    t.deepEqual(all?.sums, {
      success: { bet: 120n * largest, win: 1n, refund: 2n, rollback: 3n },
      pending: { bet: 5n, win: 4n, refund: 0n, rollback: 0n, count: 2 },
    });
    const last = all?.items[99];
    if (last === undefined) throw new Error("the round has fewer than 100 items");
    const rest = await reader.round(
      { merchantId, provider: "ACME", roundId: "big", after: { createdAt: last.transaction.createdAt, id: last.id } },
      1_000,
    );
    t.deepEqual([idsOf(rest?.items ?? []), rest?.sums], [idsOf(all?.items.slice(100) ?? []), all?.sums]);
    const times = all?.items.map(({ transaction }) => transaction.createdAt) ?? [];
    t.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    for (const [provider, roundId] of [
      ["ACME", "none"],
      ["ACME", "void"],
      ["NONE", "big"],
      ["BETA", "other"],
    ] as const)
      t.is(await reader.round({ merchantId, provider, roundId }, 10), undefined, `${provider}/${roundId}`);
  });
}
