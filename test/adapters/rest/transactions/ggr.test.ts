import test, { type ExecutionContext } from "ava";
import { KIND_SUMS } from "../../../../contract/transactions/kinds.ts";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { SqlGgrStore } from "../../../../src/adapters/sql/reports/ggr-store.ts";
import { migrate } from "../../../../src/adapters/sql/schema/migrate.ts";
import { dataOf, errorOf, type RestUnderTest, startRest } from "../../../../testbed/callers/rest-server.ts";
import { addGames, type Past, type PastTransaction, writePast } from "../../../../testbed/database/history.ts";
import { merchantRecord } from "../../../../testbed/directory/records.ts";

async function start(t: ExecutionContext): Promise<{ rest: RestUnderTest; database: Database }> {
  const database = openDatabase("sqlite::memory:");
  await migrate(database);
  t.teardown(() => database.close());
  return { rest: await startRest(t, { ggrStore: new SqlGgrStore(database) }), database };
}

let made = 0;
async function write(
  database: Database,
  merchantId: number,
  currency: Past["currency"],
  rows: readonly Partial<PastTransaction>[],
): Promise<void> {
  const [game] = await addGames(database, `G${++made}`);
  if (game === undefined) throw new Error("no game");
  const defaults = {
    action: "bet",
    status: "success",
    amountMinor: 250n,
    createdAt: Date.parse("2026-01-02T12:00Z"),
    playerId: "ana",
    game,
  } as const;
  const transactions = rows.map((row, n) => ({
    ...defaults,
    txId: `${game.provider}:${n}`,
    refTxId: null,
    kind: null,
    waits: "repeat" as const,
    ...row,
  }));
  await writePast(database, { merchantId, currency, transactions }, 0.5);
}

const get = (rest: RestUnderTest, query: string, merchant = "casa-br") =>
  rest.send({ target: `/v1/reports/ggr?${query}`, merchant });

test("a report has a row for each day with transactions, the totals, and the time of its snapshot", async (t) => {
  const { rest, database } = await start(t);
  await write(database, 1, "BRL", [
    { amountMinor: 1_000n },
    { action: "refund", amountMinor: 250n },
    { action: "win", amountMinor: 399n },
    { action: "rollback", amountMinor: 100n },
    { status: "failed" },
    { status: "void" },
    { status: "pending", action: "win", amountMinor: 5n },
    { createdAt: Date.parse("2026-01-04T02:59:59.999Z") },
    { createdAt: Date.parse("2026-01-04T03:00Z"), status: "pending" },
    { createdAt: Date.parse("2026-01-05T03:00Z") },
  ]);
  const reply = await get(rest, "from=2026-01-01&to=2026-01-04&tz=america/sao_paulo");
  t.is(reply.status, 200);
  t.is(reply.headers["content-type"], "application/json; charset=utf-8");
  const { as_of, ...data } = dataOf(reply);
  const none = { count: 0, bets: 0, refunds: 0, wins: 0, rollbacks: 0 };
  const second = {
    bets: 10,
    bets_count: 1,
    refunds: 2.5,
    refunds_count: 1,
    wins: 3.99,
    wins_count: 1,
    rollbacks: 1,
    rollbacks_count: 1,
    ggr: 4.51,
  };
  const nothing = {
    bets: 0,
    bets_count: 0,
    refunds: 0,
    refunds_count: 0,
    wins: 0,
    wins_count: 0,
    rollbacks: 0,
    rollbacks_count: 0,
    ggr: 0,
  };
  t.deepEqual(data, {
    currency: "BRL",
    tz: "America/Sao_Paulo",
    group_by: "day",
    rows: [
      { key: "2026-01-02", ...second, pending: { ...none, count: 1, wins: 0.05 } },
      { key: "2026-01-03", ...nothing, bets: 2.5, bets_count: 1, ggr: 2.5, pending: none },
      { key: "2026-01-04", ...nothing, pending: { ...none, count: 1, bets: 2.5 } },
    ],
    totals: { ...second, bets: 12.5, bets_count: 2, ggr: 7.01, pending: { ...none, count: 2, bets: 2.5, wins: 0.05 } },
  });
  t.regex(String(as_of), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("sums are exact, even if they are too large for a JavaScript number; CLP has no decimals", async (t) => {
  const { rest, database } = await start(t);
  await rest.store.save({ kind: "merchant", merchant: merchantRecord("casa-cl", { currency: "CLP" }) });
  await rest.settings.refresh();
  const amountMinor = 9_999_999_999n;
  await write(
    database,
    rest.settings.merchant("casa-cl")?.id ?? 0,
    "CLP",
    Array.from({ length: 5 }, () => ({ amountMinor })),
  );
  const largest = Array.from({ length: 25_001 }, (_, n) => ({
    txId: `X:${n}`,
    amountMinor: 999_999_999_999n,
    action: "win" as const,
  }));
  await write(database, 1, "BRL", [...largest, { amountMinor: 9n }]);
  const clp = await get(rest, "from=2026-01-02&to=2026-01-02", "casa-cl");
  t.true(clp.body.includes('"bets":49999999995,"bets_count":5,'));
  const brl = await get(rest, "from=2026-01-02&to=2026-01-02&group_by=type");
  t.true(brl.body.includes('"wins":250009999999749.99,"wins_count":25001,'), brl.body);
  t.true(brl.body.includes('"ggr":-250009999999749.9,"pending"'), brl.body);
});

test("a report as CSV has the right figures, and no cell that a spreadsheet would run as a formula", async (t) => {
  const { rest, database } = await start(t);
  await write(database, 1, "BRL", [
    ...["=1+1", 'ana, or\r\n"joão"', "-5", "+5", "@x", "\tx", "a=b"].map((playerId) => ({ playerId })),
    { playerId: "zoe", action: "win", amountMinor: 1_001n },
    { playerId: "zoe", status: "pending" },
  ]);
  const reply = await get(rest, "from=2026-01-02&to=2026-01-02&group_by=player&format=csv");
  t.is(reply.headers["content-type"], "text/csv; charset=utf-8");
  const kinds = KIND_SUMS.map(() => ",0,0").join("");
  const figures = `2.5,1,0,0,0,0,0,0,2.5,0,0,0,0,0${kinds}`;
  t.deepEqual(
    reply.body.split("\r\n").sort(),
    [
      ...[
        "",
        `""joão""",${figures}`,
        '"ana, or',
        `'\tx,${figures}`,
        `'+5,${figures}`,
        `'-5,${figures}`,
        `'=1+1,${figures}`,
        `'@x,${figures}`,
        `a=b,${figures}`,
      ],
      ...[
        "key,bets,bets_count,refunds,refunds_count,wins,wins_count,rollbacks,rollbacks_count,ggr,pending_count,pending_bets,pending_refunds,pending_wins,pending_rollbacks" +
          KIND_SUMS.map(({ column }) => `,${column},${column}_count`).join(""),
      ],
      `zoe,0,0,0,0,10.01,1,0,0,-10.01,1,2.5,0,0,0${kinds}`,
    ].sort(),
  );
});

test("a report by player with thousands of rows is complete", async (t) => {
  const { rest, database } = await start(t);
  await write(
    database,
    1,
    "BRL",
    Array.from({ length: 2_500 }, (_, n) => ({ playerId: `p${n}` })),
  );
  const data = dataOf(await get(rest, "from=2026-01-02&to=2026-01-02&group_by=player")) as {
    rows: { key: string }[];
    totals: { bets: number };
  };
  t.is(new Set(data.rows.map((row) => row.key)).size, 2_500);
  t.is(data.totals.bets, 6_250);
  const csv = await get(rest, "from=2026-01-02&to=2026-01-02&group_by=player&format=csv");
  t.is(csv.body.split("\r\n").length, 2_502);
});

test("a report without transactions has no rows, and its totals are zero", async (t) => {
  const { rest } = await start(t);
  const { rows, totals } = dataOf(await get(rest, "from=2026-01-01&to=2026-04-02&provider=NOBODY&type=live")) as {
    rows: unknown[];
    totals: { ggr: number };
  };
  t.deepEqual(rows, []);
  t.is(totals.ggr, 0);
});

test("bets and wins of a kind are a part of the sums, with a name of their own", async (t) => {
  const { rest, database } = await start(t);
  await write(database, 1, "BRL", [
    { amountMinor: 1_000n },
    { kind: "tip", amountMinor: 150n },
    { kind: "tip", amountMinor: 50n },
    { kind: "tip", amountMinor: 7n, status: "failed" },
    { kind: "tip", amountMinor: 8n, status: "pending" },
    { kind: "adjustment", amountMinor: 1n },
    { action: "win", kind: "jackpot", amountMinor: 90_000n, playerId: "zoe" },
    { action: "win", kind: "adjustment", amountMinor: 2n },
  ]);
  const days = "from=2026-01-02&to=2026-01-02";
  const tips = { action: "bet", kind: "tip", count: 2, amount: 2 };
  const jackpot = { action: "win", kind: "jackpot", count: 1, amount: 900 };
  const adjusted = { action: "bet", kind: "adjustment", count: 1, amount: 0.01 };
  const paid = { action: "win", kind: "adjustment", count: 1, amount: 0.02 };
  for (const by of ["day", "provider", "game", "type", "player"]) {
    const { rows, totals } = dataOf(await get(rest, `${days}&group_by=${by}`)) as {
      rows: { of_which?: unknown[] }[];
      totals: Record<string, unknown>;
    };
    t.deepEqual(totals.of_which, [tips, adjusted, jackpot, paid], by);
    t.deepEqual([totals.bets, totals.bets_count, totals.wins, totals.ggr], [12.01, 4, 900.02, -888.01], by);
    const ofRows = by === "player" ? [[tips, adjusted, paid], [jackpot]] : [totals.of_which];
    t.deepEqual(
      rows.map((row) => row.of_which),
      ofRows,
      by,
    );
  }
  const [header = "", row = ""] = (await get(rest, `${days}&format=csv`)).body.split("\r\n");
  const cells = new Map(header.split(",").map((name, i) => [name, row.split(",")[i]]));
  t.deepEqual(
    ["bets_tip", "bets_tip_count", "bets_feature_buy", "wins_jackpot", "wins_adjustment_count"].map((name) =>
      cells.get(name),
    ),
    ["2", "2", "0", "900", "1"],
  );
});

test("with csv_dialect=semicolon the report opens in a spreadsheet that writes a decimal comma", async (t) => {
  const { rest, database } = await start(t);
  await write(database, 1, "BRL", [{ playerId: "a;b" }]);
  const query = "from=2026-01-02&to=2026-01-02&group_by=player&format=csv";
  const [header = "", ...rows] = (await get(rest, `${query}&csv_dialect=semicolon`)).body.split("\r\n");
  t.regex(header, /^\ufeffkey;bets;bets_count;/);
  t.deepEqual(rows, [`"a;b";2,5;1;0;0;0;0;0;0;2,5;0;0;0;0;0${KIND_SUMS.map(() => ";0;0").join("")}`, ""]);
  t.is((await get(rest, `${query}&csv_dialect=standard`)).body, (await get(rest, query)).body);
  t.is(errorOf(await get(rest, `${query}&csv_dialect=tabs`)).code, "VALIDATION_ERROR");
});

test("the reply lists every fault of a request at once, by its field", async (t) => {
  const { rest } = await start(t);
  const faults = async (query: string): Promise<unknown> => {
    const { code, details } = errorOf(await get(rest, query));
    t.is(code, "VALIDATION_ERROR");
    return (details as { field: string; rule: string }[]).map(({ field, rule }) => `${field}: ${rule}`);
  };
  t.deepEqual(await faults("group_by=hour&tz=Mars/Olympus&provider=acme&type=bingo&format=xml&limit=5&to=2026-02-30"), [
    "format: json | csv",
    "limit: unknown",
    "from: required",
    "to: YYYY-MM-DD",
    "group_by: day|provider|game|type|player",
    "tz: an IANA time zone",
    "provider: 2 to 32 of A-Z, 0-9 and _",
    "type: slot|live|sportsbook",
  ]);
  t.deepEqual(await faults("from=2026-01-02&to=2026-01-01"), ["to: not before from"]);
  t.deepEqual(await faults("from=2026-01-01&to=2026-04-03"), ["to: at most 92 days"]);
  t.deepEqual(await faults("from=2026-01-01T00:00:00Z&to=2026-1-1"), ["from: YYYY-MM-DD", "to: YYYY-MM-DD"]);
  t.deepEqual(await faults("from=2026-01-01&to=2026-01-01&tz=%2B03:00"), ["tz: an IANA time zone"]);
});
