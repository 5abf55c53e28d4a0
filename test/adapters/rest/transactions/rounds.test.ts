import test from "ava";
import { dataOf } from "../../../../testbed/callers/rest-server.ts";
import { startTransactions } from "./transactions-api.ts";

interface Item {
  readonly provider: string;
  readonly round_id: string;
  readonly state: string;
  readonly opened_at: string;
  readonly ended_at: string | null;
}

async function started(t: Parameters<typeof startTransactions>[0]) {
  const api = await startTransactions(t);
  const { merchantId, acme, rounds } = api;
  const begun = Date.now() - 600_000;
  const key = (roundId: string) => ({ merchantId, providerId: acme.id, roundId });
  const page = async (query: string) => {
    const { items, next_cursor } = dataOf(await api.get(`rounds${query}`)) as unknown as {
      items: readonly Item[];
      next_cursor: string | null;
    };
    return { items, next: next_cursor, names: items.map(({ round_id }) => round_id).join("") };
  };
  return {
    ...api,
    begun,
    page,
    end: (roundId: string, openedAt: number | null = begun) => rounds.end([{ ...key(roundId), openedAt }]),
    open: (roundId: string, openedAt: number) =>
      api.database.knex("rounds").insert({
        merchant_id: merchantId,
        provider_id: acme.id,
        round_id: roundId,
        opened_at: openedAt,
        ended_at: null,
      }),
  };
}

test("open rounds are listed in the order of their beginning, page by page", async (t) => {
  const { page, open, end, begun, get } = await started(t);
  await open("b", begun + 2);
  await open("a", begun + 1);
  await open("c", begun + 2);
  await end("over");
  const all = await page("");
  t.is(all.names, "abc");
  t.is(all.next, null);
  t.deepEqual(all.items[0], {
    provider: "ACME",
    round_id: "a",
    state: "open",
    opened_at: new Date(begun + 1).toISOString(),
    ended_at: null,
  });
  const first = await page("?state=open&limit=2");
  t.is(first.names, "ab");
  t.is((await page(`?limit=2&cursor=${first.next}`)).names, "c");
  t.is((await page(`?older_than=${new Date(begun + 2).toISOString()}`)).names, "a");
  const { items } = dataOf(await get("rounds", "casa-cl")) as { items: unknown };
  t.deepEqual(items, [], "another merchant's");
});

test("ended rounds are listed in the order of their end, and since a time", async (t) => {
  const { page, open, end, begun } = await started(t);
  await open("still", begun);
  for (const name of ["b", "a"]) {
    await end(name);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  const { items, names } = await page("?state=ended");
  t.is(names, "ba");
  t.true(items.every(({ state, ended_at }) => state === "ended" && ended_at !== null));
  const last = items[1]?.ended_at ?? "";
  t.is((await page(`?ended_since=${last}`)).names, "a", "ended_since alone means ended rounds");
  t.is((await page(`?state=ended&ended_since=${new Date(Date.now() + 60_000).toISOString()}`)).names, "");
  const first = await page("?state=ended&limit=1");
  t.is((await page(`?cursor=${first.next}`)).names, "a", "the cursor has the listing's state");
});

test("wrong parameters are refused, and a cursor of another listing", async (t) => {
  const { faults, page, open, begun } = await started(t);
  await open("a", begun);
  await open("b", begun);
  t.deepEqual(await faults("rounds?state=closed&older_than=yesterday&ended_since=1&limit=1001&player_id=x"), [
    "state",
    "older_than",
    "ended_since",
    "limit",
    "player_id",
  ]);
  t.deepEqual(await faults(`rounds?state=open&ended_since=${new Date().toISOString()}`), ["ended_since"]);
  t.deepEqual(await faults("rounds?cursor=abc"), ["cursor"]);
  const { next } = await page("?limit=1");
  t.deepEqual(await faults(`rounds?state=ended&cursor=${next}`), ["state"]);
});

test("the whole list of rounds comes as CSV and as NDJSON, however many there are", async (t) => {
  const { get, open, end, faults, begun } = await started(t);
  const many = Array.from({ length: 600 }, (_, n) => `r${String(n).padStart(3, "0")}`);
  for (const [n, roundId] of many.entries()) await open(roundId, begun + n);
  await open("=1+1", begun - 1);
  await end("over");
  const csv = await get("rounds?format=csv");
  t.is(csv.headers["content-type"], "text/csv; charset=utf-8");
  t.is(csv.headers["content-disposition"], 'attachment; filename="rounds.csv"');
  const lines = csv.body.split("\r\n");
  t.is(lines[0], "provider,round_id,state,opened_at,ended_at");
  t.is(lines[1], `ACME,'=1+1,open,${new Date(begun - 1).toISOString()},`);
  t.deepEqual(
    lines.slice(2, -1).map((line) => line.split(",")[1]),
    many,
  );
  t.regex((await get("rounds?format=csv&csv_dialect=semicolon")).body, /^\ufeffprovider;round_id;/);
  const old = new Date(begun + 1).toISOString();
  const items = (await get(`rounds?format=ndjson&older_than=${old}`)).body
    .trim()
    .split("\n")
    .map((one) => JSON.parse(one));
  t.deepEqual([items.length, items[1].round_id, items[2]], [3, "r000", { complete: true, items: 2 }]);
  t.regex((await get("rounds?format=csv&state=ended")).body, /\r\nACME,over,ended,/);
  t.deepEqual(await faults("rounds?format=csv&limit=1&cursor=x"), ["limit", "cursor"]);
  t.deepEqual(await faults(`rounds?format=csv&state=open&ended_since=${old}`), ["ended_since"]);
  t.deepEqual(await faults("rounds?format=xml"), ["format"]);
});

test("a round that ended without a transaction is in the list and has a page of its own", async (t) => {
  const { get, page, end, open, begun } = await started(t);
  await end("empty", null);
  await open("waits", begun);
  t.is((await page("?state=ended")).names, "empty");
  const { items, sums, state, ended_at } = dataOf(await get("rounds/ACME/empty")) as Record<string, unknown>;
  t.deepEqual([items, state, typeof ended_at], [[], "ended", "string"]);
  const none = { bets: 0, refunds: 0, wins: 0, rollbacks: 0 };
  t.deepEqual(sums, { ...none, pending: { count: 0, ...none } });
  t.is(dataOf(await get("rounds/ACME/waits")).state, "open");
  for (const other of ["rounds/ACME/none", "rounds/NOBODY/empty"]) t.is((await get(other)).status, 404, other);
  t.is((await get("rounds/ACME/empty", "casa-cl")).status, 404, "another merchant's");
});

test("a round shows its state: ended, open before and after it is stored, and unknown", async (t) => {
  const { get, row, store, end, open, begun, acme } = await started(t);
  const of = (roundId: string, createdAt: number) => row(`bet ${roundId}`, { roundId, createdAt });
  const since = acme.endsRoundsSince;
  const failed = row("poor", { roundId: "failed", createdAt: begun, status: "failed" });
  await store([of("ended", begun), of("stored", begun), of("new", begun), of("old", since - 1), failed]);
  await end("ended");
  await open("stored", begun);
  const state = async (roundId: string) => {
    const { state: text, ended_at } = dataOf(await get(`rounds/ACME/${roundId}`));
    return `${text} ${ended_at === null ? "without" : "with"} a time`;
  };
  t.is(await state("ended"), "ended with a time");
  t.is(await state("stored"), "open without a time");
  t.is(await state("new"), "open without a time");
  t.is(await state("old"), "unknown without a time");
  t.is(await state("failed"), "unknown without a time");
});
