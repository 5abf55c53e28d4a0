/** Cursors, pages, and the feed of changes. */
import test from "ava";
import { writeCursor } from "../../../../src/app/merchant/cursor.ts";
import { errorOf } from "../../../../testbed/callers/rest-server.ts";
import { type Listed, startTransactions } from "./transactions-api.ts";

const time = (ms: number): string => encodeURIComponent(new Date(ms).toISOString());

test("a forged cursor gives access to no more than a normal request does", async (t) => {
  const api = await startTransactions(t);
  await api.store([api.row("a"), api.row("void", { status: "void" })]);
  const at = { until: "9999999999999", created_at: "9999999999999", id: "99" };
  const listing = { order: "desc", from: "2026-01-01T00:00:00.000Z" };
  const made = (...parts: readonly (string | Readonly<Record<string, string>>)[]) =>
    writeCursor("transactions", "casa-br", parts);
  t.deepEqual(await api.ids(`?cursor=${made(listing, at)}`), ["a"], "as we make them");
  const forged = [
    made({ ...listing, order: "* (CASE WHEN EXISTS (SELECT 1 FROM merchants) THEN 1 ELSE -1 END)" }, at),
    made({ from: "2026-01-01T00:00:00.000Z" }, at),
    made({ ...listing, status: "void" }, at),
    made({ ...listing, from: "yesterday" }, at),
    made({ order: "asc", updated_since: "x" }, { seq: "1" }),
    made({ order: "asc", updated_since: "2026-01-01T00:00:00.000Z" }, { seq: "1 OR 1=1" }),
    made({ order: "asc", updated_since: "2026-01-01T00:00:00.000Z" }, at),
    ...(["until", "created_at", "id"] as const).flatMap((name) =>
      ["x", "-1", "1e9", "9".repeat(40)].map((bad) => made(listing, { ...at, [name]: bad })),
    ),
    made(listing, { seq: "1" }),
    made(listing),
    made(),
    made("desc", "1"),
    made({ order: { toString: "desc" } } as never, at),
  ];
  for (const cursor of forged)
    t.deepEqual(
      await api.faults(`transactions?cursor=${cursor}`),
      ["cursor"],
      Buffer.from(cursor, "base64url").toString(),
    );
  const ofRound = (...parts: readonly string[]) => writeCursor("round", "casa-br", ["ACME", "r1", ...parts]);
  for (const cursor of [ofRound("x", "1"), ofRound("1", "x"), ofRound()])
    t.deepEqual(await api.faults(`rounds/ACME/r1?cursor=${cursor}`), ["cursor"]);
});

test("a request with a cursor may have another limit, and may only repeat the listing's other parameters", async (t) => {
  const api = await startTransactions(t);
  await api.store(
    Array.from({ length: 30 }, (_, i) =>
      api.row(`t${String(i).padStart(2, "0")}`, {
        createdAt: Date.now() - 60_000 - i * 10,
        action: i % 2 === 0 ? "bet" : "win",
      }),
    ),
  );
  const since = new Date(Date.now() - 3_600_000);
  const query = `action=bet&from=${time(since.getTime())}`;
  const first = await api.list(`?${query}&limit=2`);
  t.is(first.items.length, 2);
  const cursor = `cursor=${first.next_cursor}`;
  t.deepEqual(await api.ids(`?${cursor}&limit=3`), ["t04", "t06", "t08"]);
  const withOffset = encodeURIComponent(since.toISOString().replace("Z", "+00:00"));
  t.deepEqual(await api.ids(`?${cursor}&limit=1&action=bet&order=desc&format=json&from=${withOffset}`), ["t04"]);
  t.is((await api.list(`?${cursor}&limit=1000`)).next_cursor, null);

  const other = `action=win&from=${time(since.getTime() - 1)}&order=asc&player_id=ana&updated_since=${time(0)}`;
  t.deepEqual((await api.faults(`transactions?${cursor}&${other}`)).toSorted(), [
    "action",
    "from",
    "order",
    "player_id",
    "updated_since",
  ]);
  t.deepEqual(await api.faults(`transactions?${cursor}&format=csv`), ["cursor"]);
  const text = first.next_cursor ?? "";
  const damaged = [
    text.slice(0, -1),
    `${text}A`,
    `A${text}`,
    text.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    Buffer.from("[]").toString("base64url"),
  ];
  for (const bad of damaged) t.deepEqual(await api.faults(`transactions?cursor=${bad}`), ["cursor"], bad);
  t.deepEqual(
    errorOf(await api.get(`transactions?${cursor}`, "casa-cl")).code,
    "VALIDATION_ERROR",
    "another merchant's",
  );
  t.deepEqual(await api.faults(`rounds/ACME/r1?${cursor}`), ["cursor"], "another listing's");
});

for (const order of ["asc", "desc"]) {
  test(`paging in the order ${order} while rows are added misses no row and repeats no row`, async (t) => {
    const api = await startTransactions(t);
    const begun = Date.now();
    // Many rows have the same millisecond. If a page ends among them, their id decides the order.
    const there = Array.from({ length: 60 }, (_, i) =>
      api.row(`t${i}`, { createdAt: begun - 1_000 - Math.floor(i / 7) }),
    );
    await api.store(there);
    const seen: string[] = [];
    let cursor: string | null = "";
    for (let page = 0; cursor !== null; page++) {
      const listed: Listed = await api.list(cursor === "" ? `?order=${order}&limit=7` : `?cursor=${cursor}&limit=7`);
      seen.push(...listed.items.map(({ tx_id }) => tx_id));
      cursor = listed.next_cursor;
      await api.store([api.row(`new${page}`, { createdAt: Date.now() + 1 })]);
    }
    t.deepEqual(seen.toSorted(), there.map(({ txId }) => txId).toSorted());
  });
}

test("the feed never ends, and has each changed transaction once, in its newest state", async (t) => {
  const api = await startTransactions(t);
  const { knex } = api.database;
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  await api.store([
    api.row("a", { feedSeq: 1 }),
    api.row("b", { feedSeq: 3, action: "win" }),
    api.row("c", { feedSeq: 2, status: "failed" }),
    api.row("n", { feedSeq: null }),
  ]);
  await knex("feed_head").insert({ merchant_id: api.row("x").merchantId, seq: 3 });
  await knex("feed_mark").insert({ merchant_id: api.row("x").merchantId, minute: hour, seq: 0 });
  const follow = async (query: string): Promise<Listed & { ids: string[] }> => {
    const listed = await api.list(query);
    return { ...listed, ids: listed.items.map(({ tx_id }) => tx_id.replace("ACME:", "")) };
  };
  const since = `?updated_since=${time(hour)}`;
  const first = await follow(`${since}&limit=2`);
  t.deepEqual(first.ids, ["a", "c"]);
  t.true((first.behind_ms ?? 0) >= 60_000, "the one without a number has waited for a minute");
  const second = await follow(`?cursor=${first.next_cursor}&limit=2`);
  t.deepEqual(second.ids, ["b"]);
  const third = await follow(`?cursor=${second.next_cursor}&order=asc`);
  t.deepEqual([third.ids, typeof third.next_cursor], [[], "string"]);
  await knex("tx").where({ tx_id: "ACME:c" }).update({ feed_seq: 4, status: 1, error: null });
  await knex("feed_head").update({ seq: 4 });
  const fourth = await follow(`?cursor=${third.next_cursor}`);
  t.deepEqual([fourth.ids, fourth.items[0]?.status], [["c"], "success"]);
  t.deepEqual((await follow(`${since}&action=win`)).ids, ["b"]);
  t.deepEqual((await follow(`?updated_since=${time(hour + 3_600_000)}`)).ids, [], "nothing was numbered since");
  for (const parameter of [
    "status=failed",
    `from=${time(hour)}`,
    `to=${time(hour)}`,
    "order=desc",
    `updated_since=${time(hour + 1)}`,
  ])
    t.deepEqual(
      await api.faults(`transactions?cursor=${first.next_cursor}&${parameter}`),
      [parameter.split("=")[0]],
      parameter,
    );
});
