/** Tests stuck money in a whole service: sums and lists, their bounds, who may read them, and the audit log. */
import { openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import type { StuckSum } from "../../../src/gen/aggregator/admin/v1/stuck_money_pb.ts";
import { ADMIN_KEY, type Admin, adminOf, refusalOf, startReplica } from "../../../testbed/callers/administration.ts";
import { allNumbered } from "../../../testbed/database/numbered.ts";
import { type StoredRow, storedRow, storeRows } from "../../../testbed/database/stored-rows.ts";
import { until } from "../../../testbed/stage/sportsbook-world.ts";
import { startWorld } from "../../../testbed/stage/world.ts";
import { onBothDatabases } from "../databases.ts";

const test = onBothDatabases();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const inShort = ({ kind, merchant, currency, players, ages, more }: StuckSum): string =>
  `${kind} ${merchant} ${currency} of ${players}${more ? ", more" : ""}: ${ages.map(({ count, amountMinor }) => `${count}/${amountMinor}`).join(" ")}`;

test("stuck money of all merchants: the sums by kind and age, and the list page by page", async (t, url) => {
  t.timeout(120_000);
  const service = await startReplica(t, url, { RESEND_HORIZON_HOURS: "48" });
  const admin = adminOf(service);
  await admin.brands.createBrand({ code: "house" });
  for (const [code, currency] of [
    ["b-brl", "BRL"],
    ["a-clp", "CLP"],
    ["empty", "BRL"],
  ])
    await admin.merchants.createMerchant({ code: code as string, currency: currency as string, brand: "house" });
  const none = await admin.console.getStuckMoney({});
  t.deepEqual([none.sums, none.complete], [[], true]);

  const database = openDatabase(url);
  t.teardown(() => database.close());
  const ids = new Map((await database.knex("merchants").select("code", "id")).map((row) => [row.code, Number(row.id)]));
  const [a, b] = [ids.get("a-clp") as number, ids.get("b-brl") as number];
  const game = await database.knex("games").first("id", "provider_id");
  const now = Date.now();
  const row = (merchantId: number, own: string, ageMs: number, more: Partial<StoredRow> = {}): StoredRow =>
    storedRow({
      merchantId,
      txId: `A:${own}`,
      createdAt: now - ageMs,
      providerId: Number(game.provider_id),
      gameId: Number(game.id),
      feedSeq: null,
      ...more,
    });
  const failed = { status: "failed", action: "win" } as const;
  const credit = { status: "pending", action: "win", feedSeq: 0 } as const;
  await storeRows(database, [
    ...Array.from({ length: 1_003 }, (_, i) => row(b, `w${i}`, 40 * DAY - i, { ...failed, playerId: `p${i % 7}` })),
    row(b, "young", HOUR, failed),
    row(a, "week", 8 * DAY, { ...failed, amountMinor: 11n }),
    row(a, "day", 2 * DAY, { ...failed, amountMinor: 5n }),
    row(a, "kept", 3 * DAY, { error: "PLAYER_BLOCKED" }),
    row(a, "old-kept", 91 * DAY, { error: "PLAYER_BLOCKED" }),
    row(a, "pending", 3 * DAY, { status: "pending", feedSeq: 0 }),
    row(a, "pending-young", 47 * HOUR, { status: "pending", feedSeq: 0 }),
    row(a, "over", 3 * DAY, { ...credit, amountMinor: 31n }),
    row(a, "over-bet", 3 * DAY - 1, { status: "pending", feedSeq: 0 }),
    row(a, "over-2", 3 * DAY - 2, { ...credit, amountMinor: 31n }),
    ...[0, 1, 2].map((i) => row(b, `sent-${i}`, i * DAY, { ...credit, playerId: `p${i}` })),
  ]);
  // The service sends these wins tomorrow.
  await database
    .knex("tx")
    .where("tx_id", "like", "A:sent-%")
    .update({ next_at: now + DAY });
  await database.knex("slips").insert([
    ...[40n, 2n].map((amount, position) => ({
      merchant_id: a,
      slip_id: "s1",
      position,
      tx_id: `bet-${position}`,
      round_id: "r",
      amount_minor: amount.toString(),
      ...(position === 0 && {
        player_id: "ana",
        currency: "CLP",
        status: 1,
        lease_token: Buffer.alloc(16),
        // Its lease never ends, so that no worker takes the slip.
        due_at: now + DAY,
        created_at: now - HOUR,
      }),
    })),
  ]);
  await allNumbered(database);
  const { sums, complete } = await admin.console.getStuckMoney({});
  t.true(complete);
  t.deepEqual(sums.map(inShort), [
    "retrying b-brl BRL of 3: 3/750 2/500 0/0 0/0",
    "unanswered a-clp CLP of 1: 2/62 2/62 0/0 0/0",
    "owed a-clp CLP of 1: 2/16 2/16 1/11 0/0",
    "owed b-brl BRL of 7, more: 1000/250000 1000/250000 1000/250000 1000/250000",
    "pending a-clp CLP of 1: 2/500 2/500 0/0 0/0",
    "contradiction a-clp CLP of 1: 1/250 1/250 0/0 0/0",
    "slip a-clp CLP of 1: 1/42 0/0 0/0 0/0",
  ]);
  t.deepEqual(
    sums[0]?.ages.map(({ olderThanS }) => olderThanS * 1_000),
    [0, DAY, 7 * DAY, 30 * DAY],
  );
  const { sums: ofOne } = await admin.console.getStuckMoney({ merchant: "a-clp" });
  t.deepEqual(
    ofOne,
    sums.filter(({ merchant }) => merchant === "a-clp"),
  );

  const listed = async (request: Parameters<typeof admin.console.listStuckMoney>[0]): Promise<string[]> => {
    const shown: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await admin.console.listStuckMoney({ ...request, cursor });
      shown.push(
        ...page.items.map(({ transaction, slip }) =>
          slip === undefined
            ? `${transaction?.merchant} ${transaction?.txId}`
            : `${slip.merchant} ${slip.slipId} ${slip.txId} ${slip.amountMinor} ${slip.status}`,
        ),
      );
      cursor = page.nextCursor;
      if (cursor === "") return shown;
    }
  };
  const owed = [
    "a-clp A:week",
    "a-clp A:day",
    ...Array.from({ length: 1_003 }, (_, i) => `b-brl A:w${i}`),
    "b-brl A:young",
  ];
  t.deepEqual(await listed({ kind: "owed", limit: 200 }), owed, "the list has all, the sums have the oldest 1 000");
  t.deepEqual(await listed({ kind: "owed", limit: 1, merchant: "a-clp" }), owed.slice(0, 2));
  t.deepEqual(await listed({ kind: "owed", olderThanS: (7 * DAY) / 1_000, limit: 200 }), [
    "a-clp A:week",
    ...owed.slice(2, -1),
  ]);
  t.deepEqual(await listed({ kind: "pending" }), ["a-clp A:pending", "a-clp A:over-bet"]);
  for (const limit of [0, 1])
    t.deepEqual(await listed({ kind: "unanswered", limit }), ["a-clp A:over", "a-clp A:over-2"]);
  t.deepEqual(await listed({ kind: "open", merchant: "a-clp", limit: 2 }), [
    ...["pending", "pending-young", "over", "over-bet", "over-2"].map((own) => `a-clp A:${own}`),
  ]);
  const sent = [0, 1, 2].map((i) => `b-brl A:sent-${i}`);
  for (const limit of [0, 1, 2]) t.deepEqual(await listed({ kind: "retrying", limit }), sent);
  t.deepEqual(await listed({ kind: "retrying", olderThanS: DAY / 1_000, limit: 1 }), sent.slice(1));
  t.deepEqual(await listed({ kind: "contradiction" }), ["a-clp A:kept"]);
  t.deepEqual(await listed({ kind: "slip" }), ["a-clp s1 SPORTSBOOK:bet-0 42 running"]);
  t.deepEqual(await listed({ kind: "owed", merchant: "empty" }), []);

  const [entry] = (await admin.audit.listAuditEntries({ action: "transaction stuck", limit: 1 })).entries;
  t.deepEqual(
    [entry?.target, entry?.changes.map(({ field, to }) => `${field} ${to}`)],
    ["merchant empty", ['kind "owed"']],
  );
});

test("the sums need the role viewer and the list the role support, and wrong requests name their field", async (t, url) => {
  const service = await startReplica(t, url);
  const admin = adminOf(service);
  const { key } = await admin.keys.createKey({ role: "viewer", name: "vera" });
  const viewer = adminOf(service, key).console;
  t.deepEqual((await viewer.getStuckMoney({})).sums, []);
  t.is(await refusalOf(viewer.listStuckMoney({ kind: "owed" })), "ROLE_NOT_ALLOWED");
  const { console: pages } = admin;
  t.is(await refusalOf(pages.getStuckMoney({ merchant: "nobody" })), "RECORD_NOT_FOUND merchant");
  t.is(await refusalOf(pages.listStuckMoney({ kind: "owed", merchant: "nobody" })), "RECORD_NOT_FOUND merchant");
  t.is(await refusalOf(pages.listStuckMoney({})), "VALIDATION_ERROR kind");
  t.is(await refusalOf(pages.listStuckMoney({ kind: "owed", limit: 201 })), "VALIDATION_ERROR limit");
  t.is(await refusalOf(pages.listStuckMoney({ kind: "owed", cursor: "x" })), "VALIDATION_ERROR cursor");
});

test("a manager closes a contradiction with evidence and a reason, and the timeline shows it", async (t, url) => {
  t.timeout(180_000);
  const world = await startWorld(t, { databaseUrl: url, env: { ADMIN_KEY } });
  const of = (key: string) => adminOf({ ports: world.first.ports } as never, key);
  const owner = of(ADMIN_KEY);
  const keyOf = async (role: "support" | "manager") =>
    of((await owner.keys.createKey({ role, name: `${role}-1`, reason: "a test" })).key);
  const [support, manager] = [await keyOf("support"), await keyOf("manager")];
  const sessionId = await world.session();
  for (const txId of ["twice", "fine"]) t.is(await world.request("bet", { sessionId, txId }), "success");
  await allNumbered(world.database);
  // The wallet accepted a refund of a bet that it had rejected. The sequencer numbers the change.
  await world.database.knex("tx").where({ tx_id: "ACME:twice" }).update({ error: "PLAYER_BLOCKED", feed_seq: null });
  const listed = async () =>
    (await support.console.listStuckMoney({ kind: "contradiction" })).items.map(({ transaction }) => transaction?.txId);
  await until(async () => (await listed()).length > 0);
  const twice = { merchant: "shop-brl", txId: "ACME:twice" };
  const timeline = async (txId = twice.txId) => (await support.console.getTimeline({ ...twice, txId })).timeline;
  t.deepEqual([(await timeline())?.contradiction, (await timeline("ACME:fine"))?.contradiction], [true, false]);

  const told = { evidence: "one debit in the statement", reason: "settled with the merchant" };
  const close = (admin: Admin, more: object = {}) =>
    admin.transactions.closeContradiction({ ...twice, ...told, ...more });
  t.is(await refusalOf(close(support)), "ROLE_NOT_ALLOWED");
  t.is(await refusalOf(close(manager, { evidence: " ", reason: "" })), "VALIDATION_ERROR evidence reason");
  t.is(await refusalOf(close(manager, { txId: "ACME:nothing" })), "TRANSACTION_NOT_FOUND tx_id");
  t.is(await refusalOf(close(manager, { txId: "ACME:fine" })), "RECORD_NOT_FOUND contradiction");
  t.is(await refusalOf(close(manager, { merchant: "nobody" })), "RECORD_NOT_FOUND merchant");
  t.deepEqual(await listed(), ["ACME:twice"]);
  t.like((await close(manager)).transaction, { txId: "ACME:twice", status: "success" });
  t.is(await refusalOf(close(manager)), "RECORD_NOT_FOUND contradiction");
  t.deepEqual(await listed(), []);
  t.deepEqual((await owner.console.getStuckMoney({})).sums, []);
  const shown = await timeline();
  t.is(shown?.contradiction, false);
  const entries = shown?.auditEntries.filter(({ action }) => action === "transaction close-contradiction") ?? [];
  t.is(entries.length, 1);
  t.like(entries[0], { actor: "manager-1", reason: told.reason, target: "transaction shop-brl ACME:twice" });
  t.deepEqual(
    entries[0]?.changes.map(({ field, to }) => [field, to]),
    [["evidence", JSON.stringify(told.evidence)]],
  );
});
