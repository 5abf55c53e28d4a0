import test from "ava";
import { ITEM_FIELDS } from "../../../../contract/transactions/fields.ts";
import { dataOf, errorOf } from "../../../../testbed/callers/rest-server.ts";
import { type Item, type Listed, startTransactions } from "./transactions-api.ts";

const time = (ms: number): string => encodeURIComponent(new Date(ms).toISOString());
const DAY_MS = 86_400_000;

test("an item of the listing has every field, and its amounts are exact JSON numbers", async (t) => {
  const api = await startTransactions(t);
  const createdAt = Date.now() - 5_000;
  const at = new Date(createdAt).toISOString();
  await api.store([
    api.row("b", { createdAt, amountMinor: 999_999_999_999n, balanceMinor: -999_999_999_999_999n }),
    api.row("w", {
      createdAt: createdAt + 1,
      action: "win",
      status: "failed",
      error: "PLAYER_BLOCKED",
      amountMinor: 10n,
      balanceMinor: 5n,
    }),
    api.row("f", {
      createdAt: createdAt + 2,
      action: "refund",
      status: "pending",
      refTxId: "ACME:b",
      amountMinor: 100n,
    }),
    api.row("o", { createdAt: createdAt + 3, error: "INSUFFICIENT_FUNDS" }),
    api.row("c", { createdAt: createdAt + 4, currency: "CLP", amountMinor: 1_500n, balanceMinor: 7n }),
  ]);
  const { body } = await api.get("transactions?order=asc");
  const { items } = JSON.parse(body).data as Listed;
  t.deepEqual(items[0], {
    ...Object.fromEntries(Object.keys(ITEM_FIELDS).map((name) => [name, null])),
    tx_id: "ACME:b",
    round_id: "r1",
    ref_tx_id: null,
    action: "bet",
    amount: 9_999_999_999.99,
    currency: "BRL",
    status: "success",
    error: null,
    provider: "ACME",
    game: "fruits",
    player_id: "ana",
    balance: -9_999_999_999_999.99,
    attempts: 1,
    last_result: "accepted",
    next_attempt_at: null,
    resolved_by: null,
    created_at: at,
    updated_at: at,
  });
  t.regex(body, /"amount":9999999999\.99,.*"balance":-9999999999999\.99,/);
  t.like(items[1], { status: "failed", error: "PLAYER_BLOCKED", amount: 0.1, balance: null, last_result: "rejected" });
  t.like(items[2], {
    status: "pending",
    ref_tx_id: "ACME:b",
    amount: 1,
    next_attempt_at: null,
    last_result: "timeout",
  });
  t.like(items[4], { amount: 1_500, currency: "CLP", balance: 7 });
  t.like(
    items[3],
    { status: "success", error: null },
    "a rejection is not shown as the error any more after the wallet has accepted the refund",
  );
});

test("an item has its kind, promotion, jackpot and settlement, in JSON, NDJSON and CSV, and the filter kind finds it", async (t) => {
  const api = await startTransactions(t);
  const createdAt = Date.now() - 5_000;
  await api.store([
    api.row("b", {
      createdAt,
      settledBy: "ACME:j",
      labels: { kind: "feature_buy", jackpotMicros: 9_007_199_254_740_991n },
    }),
    api.row("j", {
      createdAt: createdAt + 1,
      action: "win",
      labels: { kind: "jackpot", jackpotId: 'a "1"', jackpotTier: "grand" },
    }),
    api.row("p", { createdAt: createdAt + 2, action: "win", labels: { promoId: "=p" } }),
    api.row("m", { createdAt: createdAt + 3, action: "win", labels: { kind: "promo", jackpotId: "x" } }),
    api.row("a", { createdAt: createdAt + 4, labels: { kind: "adjustment" } }),
    api.row("w", { createdAt: createdAt + 5, action: "win", labels: { kind: "adjustment" } }),
  ]);
  const none = { kind: null, promo_id: null, jackpot: null, jackpot_contribution_micros: null, settled_by: null };
  const { items } = await api.list("?order=asc");
  t.like(items[0], {
    ...none,
    kind: "feature_buy",
    settled_by: "ACME:j",
    jackpot_contribution_micros: 9_007_199_254_740_991,
  });
  t.like(items[1], { ...none, kind: "jackpot", jackpot: { id: 'a "1"', tier: "grand" } });
  t.like(items[2], { ...none, promo_id: "=p" });
  t.like(items[3], { ...none, kind: "promo", jackpot: { id: "x", tier: null } });
  const lines = (await api.get("transactions?order=asc&format=ndjson")).body.split("\n");
  t.deepEqual(
    lines.slice(0, 6).map((line) => JSON.parse(line)),
    items as never,
  );
  const csv = (await api.get("transactions?order=asc&format=csv")).body.split("\r\n");
  t.true(csv[1]?.endsWith(",feature_buy,,,9007199254740991,ACME:j"), csv[1]);
  t.true(csv[2]?.endsWith(`,jackpot,,"{""id"":""a \\""1\\"""",""tier"":""grand""}",,`), csv[2]);
  t.true(csv[3]?.endsWith(",,'=p,,,"), csv[3]);
  t.deepEqual(await api.ids("?kind=jackpot"), ["j"]);
  t.deepEqual(await api.ids("?kind=jackpot&action=bet"), []);
  t.deepEqual(await api.ids("?kind=adjustment"), ["w", "a"]);
  t.deepEqual(await api.ids("?kind=adjustment&action=win"), ["w"]);
  t.deepEqual(await api.ids("?kind=tip"), []);
  t.deepEqual(await api.faults("transactions?kind=other"), ["kind"]);
  t.deepEqual(await api.faults("transactions?kind="), ["kind"]);
});

test("a listing has the merchant's transactions of the last 24 hours, newest first, and no other merchant's", async (t) => {
  const api = await startTransactions(t);
  const now = Date.now();
  await api.store([
    api.row("old", { createdAt: now - DAY_MS - 60_000 }),
    api.row("first", { createdAt: now - DAY_MS + 60_000 }),
    api.row("last", { createdAt: now - 1_000 }),
    api.row("void", { createdAt: now - 1_000, status: "void" }),
    api.row("theirs", { createdAt: now - 1_000, merchantId: 999 }),
  ]);
  t.deepEqual(await api.ids(), ["last", "first"]);
  t.deepEqual(await api.ids("?order=asc"), ["first", "last"]);
  t.deepEqual(await api.ids(`?from=${time(now - 2 * DAY_MS)}`), ["last", "first", "old"]);
  t.deepEqual(await api.ids(`?to=${time(now - DAY_MS)}`), ["old"]);
  t.deepEqual(
    await api.ids(`?from=${time(now - 31 * DAY_MS)}`),
    ["last", "first", "old"],
    "31 days ago, reckoned a moment ago",
  );
  t.deepEqual(await api.ids(`?from=${time(now)}&to=${time(now)}`), []);
  t.deepEqual(dataOf(await api.get("transactions", "casa-cl")), { items: [], next_cursor: null });
});

test("every filter selects the transactions that match it", async (t) => {
  const api = await startTransactions(t);
  const old = Date.now() - 90 * DAY_MS;
  await api.store([
    api.row("b", { playerId: "joão & co", roundId: "r/1" }),
    api.row("w", { action: "win", status: "pending" }),
    api.row("f", { action: "refund", status: "failed", refTxId: "ACME:b", createdAt: old }),
  ]);
  const player = encodeURIComponent("joão & co");
  const cases: readonly (readonly [string, string[]])[] = [
    ["?status=success", ["b"]],
    ["?status=pending", ["w"]],
    ["?status=failed", []],
    ["?action=win", ["w"]],
    ["?action=rollback", []],
    [`?player_id=${player}`, ["b"]],
    [`?player_id=${player.replaceAll("%20", "+")}`, ["b"]],
    ["?player_id=joao", []],
    ["?round_id=r%2F1", ["b"]],
    ["?tx_id=ACME%3Aw", ["w"]],
    ["?tx_id=ACME:w&status=success", []],
    ["?tx_id=ACME:f", ["f"]],
    ["?ref_tx_id=ACME:b", ["f"]],
    ["?ref_tx_id=ACME:b&action=refund&status=failed&player_id=ana&provider=ACME&game=fruits", ["f"]],
    [`?ref_tx_id=ACME:b&from=${time(Date.now() - DAY_MS)}`, []],
    [`?round_id=r1&from=${time(old - DAY_MS)}`, ["w", "f"]],
    ["?provider=ACME", ["w", "b"]],
    ["?provider=OTHER", []],
    ["?game=fruits", ["w", "b"]],
    ["?game=other", []],
  ];
  for (const [query, expected] of cases) t.deepEqual((await api.ids(query)).toSorted(), expected.toSorted(), query);
});

test("the reply lists all faults at once, by field", async (t) => {
  const api = await startTransactions(t);
  const from = (days: number): string => time(Date.now() - days * DAY_MS);
  const cases: readonly (readonly [string, string[]])[] = [
    ["from=yesterday", ["from"]],
    ["from=2026-01-01", ["from"]],
    ["from=2026-01-01T00:00:00", ["from"]],
    ["from=2026-02-30T00:00:00Z", ["from"]],
    ["from=2026-01-01T00:00:60Z", ["from"]],
    ["to=2026-01-01T00:00:00+02:00", ["to"]],
    ["to=1767225600000", ["to"]],
    [`from=${from(33)}`, ["from"]],
    [`from=${from(40)}&to=${from(8)}`, ["to"]],
    [`from=${from(1)}&to=${from(2)}`, ["to"]],
    ["status=void", ["status"]],
    ["status=", ["status"]],
    ["action=balance", ["action"]],
    ["player_id=", ["player_id"]],
    [`player_id=${"x".repeat(129)}`, ["player_id"]],
    ["player_id=a%00", ["player_id"]],
    ["player_id=%FF", ["player_id=%FF"]],
    [`round_id=${"x".repeat(129)}`, ["round_id"]],
    [`tx_id=${"x".repeat(129)}`, ["tx_id"]],
    ["ref_tx_id=", ["ref_tx_id"]],
    ["provider=acme", ["provider"]],
    [`game=${"x".repeat(129)}`, ["game"]],
    ["order=newest", ["order"]],
    ["limit=0", ["limit"]],
    ["limit=1001", ["limit"]],
    ["limit=ten", ["limit"]],
    ["limit=1e2", ["limit"]],
    ["cursor=abc", ["cursor"]],
    ["cursor=", ["cursor"]],
    ["format=xml", ["format"]],
    ["format=csv&limit=5", ["limit"]],
    ["format=csv&csv_dialect=excel", ["csv_dialect"]],
    ["format=ndjson&cursor=abc&status=no", ["status", "cursor"]],
    ["updated_since=now", ["updated_since"]],
    [`updated_since=${from(1)}&status=success`, ["status"]],
    [
      `updated_since=${from(1)}&from=${from(1)}&to=${from(0)}&order=desc&status=failed`,
      ["from", "to", "status", "order"],
    ],
    ["offset=5", ["offset"]],
    ["status=success&status=failed", ["status"]],
    [
      "status=no&action=no&limit=no&cursor=no&offset=1&format=no",
      ["offset", "format", "status", "action", "limit", "cursor"],
    ],
    [`updated_since=${from(1)}&status=pending&limit=0&zzz=1`, ["zzz", "status", "limit"]],
  ];
  for (const [query, fields] of cases)
    t.deepEqual((await api.faults(`transactions?${query}`)).toSorted(), fields.toSorted(), query);
  const { details } = errorOf(await api.get("transactions?limit=0"));
  t.deepEqual(details, [{ field: "limit", rule: "1..1000", message: "limit deve ser um número inteiro de 1 a 1000." }]);
});

test("a single transaction is shown with its wallet calls", async (t) => {
  const api = await startTransactions(t);
  const log = [
    {
      n: 1,
      at: 1_767_225_600_010,
      duration_ms: 8_000.4,
      http_status: null,
      result: "timeout",
      request_id: "6c0a5b0e-3f0e-4f0b-9d0e-2f6f6f1b7a11",
      reply_start: "<h1>Not Found</h1>",
      error: null,
    },
    { n: 2, at: 1_767_225_610_010, duration_ms: null, http_status: null, result: null, request_id: null },
    {
      n: 3,
      at: 1_767_225_620_010,
      duration_ms: 5,
      http_status: 200,
      result: "rejected",
      request_id: "0f3c0f6a-8f57-4f0f-a7a5-c0e8d1f2b3a4",
      error: "PLAYER_BLOCKED",
    },
  ];
  await api.store([api.row("1/ä +", {}), api.row("void", { status: "void" })]);
  await api.database.knex("tx").update({ attempt_log: log.map((line) => JSON.stringify(line)).join("\n") });
  const shown = dataOf(await api.get(`transactions/${encodeURIComponent("ACME:1/ä +")}`)) as unknown as Item & {
    attempt_log: unknown;
  };
  t.is(shown.tx_id, "ACME:1/ä +");
  t.deepEqual(shown.attempt_log, [
    { ...log[0], at: "2026-01-01T00:00:00.010Z", duration_ms: 8_000 },
    { ...log[1], at: "2026-01-01T00:00:10.010Z", reply_start: null, error: null },
    { ...log[2], at: "2026-01-01T00:00:20.010Z", reply_start: null },
  ]);
  for (const id of ["ACME:none", "ACME:void", "%00", "x".repeat(200)])
    t.deepEqual(errorOf(await api.get(`transactions/${id}`)).code, "TRANSACTION_NOT_FOUND", id);
  t.is(
    errorOf(await api.get("transactions/ACME:1%2F%C3%A4%20+", "casa-cl")).code,
    "TRANSACTION_NOT_FOUND",
    "another merchant's",
  );
  t.deepEqual(await api.faults("transactions/ACME:none?log=1"), ["log"]);
});

test("a resend makes a pending or failed win or refund due, and no other transaction", async (t) => {
  const api = await startTransactions(t);
  await api.store([
    api.row("failed", { action: "win", status: "failed", error: "PLAYER_BLOCKED" }),
    api.row("waiting", { action: "refund", status: "pending", refTxId: "ACME:b" }),
    api.row("typed", { action: "win", status: "pending" }),
    api.row("paid", { action: "win" }),
    api.row("bet", { status: "pending" }),
    api.row("rollback", { action: "rollback", status: "pending", refTxId: "ACME:held" }),
    api.row("held", { action: "win", status: "pending" }),
  ]);
  await api.database.knex("tx").where({ tx_id: "ACME:held" }).update({ reversed_by: "ACME:rollback" });
  const post = (own: string, more: object = {}) =>
    api.send({ method: "POST", target: `/v1/transactions/ACME:${own}/resend`, ...more });
  const bare = { headers: { "Content-Type": null } };

  const failed = await post("failed", bare);
  t.is(failed.status, 202);
  const item = dataOf(failed);
  t.like(item, { tx_id: "ACME:failed", status: "pending", error: null });
  t.true(Date.parse(String(item.next_attempt_at)) <= Date.now(), "due now");
  t.is((await post("waiting", { body: "{}", ...bare })).status, 202);
  t.is((await post("typed", { body: "{}" })).status, 202);
  t.is((await post("failed")).status, 202, "again does it once more");
  t.is(api.changed.length, 4, "the sequencer is told");
  for (const own of ["paid", "bet", "rollback", "held"]) t.is(errorOf(await post(own)).code, "NOT_RESENDABLE", own);
  t.is(errorOf(await post("none")).code, "TRANSACTION_NOT_FOUND");
  t.deepEqual(errorOf(await post("typed", { body: '{"force":true}' })).details, [
    { field: "force", rule: "unknown", message: "Campo desconhecido." },
  ]);
  t.is(errorOf(await post("typed", { body: "[]" })).code, "VALIDATION_ERROR");
  t.is(errorOf(await post("typed", { body: "{" })).code, "BAD_REQUEST");
  t.is(
    errorOf(await post("typed", { body: "{}", headers: { "Content-Type": "text/plain" } })).code,
    "UNSUPPORTED_MEDIA_TYPE",
  );
  t.is(errorOf(await api.get("transactions/ACME:typed/resend")).code, "METHOD_NOT_ALLOWED");
});

test("a round's transactions come in pages, with exact sums of the whole round", async (t) => {
  const api = await startTransactions(t);
  const roundId = "rodada/1 ç";
  const createdAt = Date.now() - 60_000;
  await api.store([
    ...Array.from({ length: 1_001 }, (_, i) =>
      api.row(`b${i}`, { roundId, amountMinor: 999_999_999_999n, createdAt: createdAt + i }),
    ),
    api.row("w", { roundId, action: "win", amountMinor: 5n, createdAt: createdAt - 1 }),
    api.row("p", { roundId, action: "win", status: "pending", amountMinor: 70n, createdAt: createdAt - 2 }),
  ]);
  const target = `rounds/ACME/${encodeURIComponent(roundId)}`;
  const reply = await api.get(target);
  const round = dataOf(reply) as unknown as Listed & { provider: string; round_id: string };
  t.like(round, { provider: "ACME", round_id: roundId });
  t.regex(
    reply.body,
    /"sums":\{"bets":10009999999989\.99,"refunds":0,"wins":0\.05,"rollbacks":0,"pending":\{"count":1,"bets":0,"refunds":0,"wins":0\.7,"rollbacks":0\}\}/,
  );
  t.deepEqual([round.items.length, round.items[0]?.tx_id, round.items[1]?.tx_id], [1_000, "ACME:p", "ACME:w"]);
  const rest = dataOf(await api.get(`${target}?cursor=${round.next_cursor}`)) as unknown as Listed;
  t.deepEqual(
    rest.items.map(({ tx_id }) => tx_id),
    ["ACME:b998", "ACME:b999", "ACME:b1000"],
  );
  t.is(rest.next_cursor, null);
  t.is((dataOf(await api.get(`${target}?limit=2`)) as unknown as Listed).items.length, 2);
  for (const none of ["rounds/ACME/none", "rounds/NONE/r", "rounds/acme/r", "rounds/ACME/%00"])
    t.is(errorOf(await api.get(none)).code, "ROUND_NOT_FOUND", none);
  t.deepEqual((await api.faults(`${target}?limit=1001&cursor=no&page=2`)).toSorted(), ["cursor", "limit", "page"]);
  t.deepEqual(await api.faults(`rounds/ACME/other?cursor=${round.next_cursor}`), ["cursor"], "another round's");
});
