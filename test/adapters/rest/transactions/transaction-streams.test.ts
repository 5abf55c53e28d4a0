import { once } from "node:events";
import { connect, type Socket } from "node:net";
import test, { type ExecutionContext } from "ava";
import { parse } from "csv-parse/sync";
import { ITEM_FIELDS } from "../../../../contract/transactions/fields.ts";
import { StoreUnavailable } from "../../../../src/ports/store-unavailable.ts";
import type { ListedTransaction } from "../../../../src/ports/transactions/transaction-reader.ts";
import { errorOf, signedRequest } from "../../../../testbed/callers/rest-server.ts";
import { around } from "../../../../testbed/failpoints/around.ts";
import { steady } from "../../../../testbed/in-process/steady.ts";
import { startTransactions } from "./transactions-api.ts";

/** The columns of the first release, in their order. New columns follow them. */
const FIRST =
  "tx_id,round_id,ref_tx_id,action,amount,currency,status,error,provider,game,player_id,balance,attempts,last_result,next_attempt_at,resolved_by,created_at,updated_at";
const HEADER = Object.keys(ITEM_FIELDS).join(",");

test("CSV has all selected transactions; another parser reads the same values, apart from an apostrophe before formulas", async (t) => {
  const api = await startTransactions(t);
  const hostile = [
    "=1+1",
    "+55 11",
    "-2",
    "@SUM(A1)",
    '=HYPERLINK("http://x","y")',
    'a "quoted", text',
    "'already",
    " =spaced",
    "ação\u2028",
    ",",
    '"',
  ];
  const createdAt = Date.now() - 60_000;
  await api.store(
    hostile.map((text, i) =>
      api.row(`${i}`, {
        playerId: text,
        roundId: `r${text}`,
        status: "failed",
        error: text,
        createdAt: createdAt + i,
        balanceMinor: -5n,
        amountMinor: 110n,
      }),
    ),
  );
  await api.store([api.row("ok", { createdAt: createdAt + 100, balanceMinor: -250n })]);
  const reply = await api.get("transactions?format=csv&order=asc");
  t.is(reply.headers["content-type"], "text/csv; charset=utf-8");
  t.regex(reply.headers["content-disposition"] ?? "", /^attachment; filename="transactions\.csv"$/);
  t.true(HEADER.startsWith(FIRST));
  t.true(reply.body.startsWith(`${HEADER}\r\n`) && reply.body.endsWith("\r\n"));
  const rows = parse(reply.body, { columns: true, record_delimiter: "\r\n" }) as Record<string, string>[];
  const expected = hostile.map((text) => (/^ ?[=+\-@]/.test(text) ? `'${text}` : text));
  t.deepEqual(
    rows.map(({ player_id }) => player_id),
    [...expected, "ana"],
  );
  t.deepEqual(
    rows.slice(0, -1).map(({ error }) => error),
    expected,
  );
  t.like(rows[0], {
    amount: "1.1",
    ref_tx_id: "",
    balance: "",
    next_attempt_at: "",
    attempts: "1",
    created_at: new Date(createdAt).toISOString(),
  });
  t.is(rows.at(-1)?.balance, "-2.5", "a number is not a formula");
  t.is((await api.get("transactions?format=csv&status=pending")).body, `${HEADER}\r\n`, "nothing was chosen");
  const semicolons = (await api.get("transactions?format=csv&order=asc&csv_dialect=semicolon")).body;
  t.true(semicolons.startsWith(`\ufeff${HEADER.replaceAll(",", ";")}\r\n`));
  const options = { columns: true, record_delimiter: "\r\n", delimiter: ";", bom: true } as const;
  const decimals = ({ amount, balance, ...row }: Record<string, string>) => ({
    ...row,
    amount: amount?.replace(",", "."),
    balance: balance?.replace(",", "."),
  });
  t.deepEqual((parse(semicolons, options) as Record<string, string>[]).map(decimals), rows.map(decimals));
  t.true(semicolons.includes(";1,1;") && semicolons.includes(";-2,5;"));
});

test("NDJSON has the same items as the pages, and its last line has their number", async (t) => {
  const api = await startTransactions(t);
  await api.store(
    Array.from({ length: 1_500 }, (_, i) =>
      api.row(`t${i}`, { createdAt: Date.now() - 60_000 - (i % 50), feedSeq: 1_500 - i }),
    ),
  );
  const lines = async (query: string): Promise<{ tx_id?: string }[]> => {
    const reply = await api.get(`transactions?format=ndjson${query}`);
    t.is(reply.headers["content-type"], "application/x-ndjson; charset=utf-8");
    t.true(reply.body.endsWith("\n"));
    return reply.body
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  const all = await lines("");
  t.deepEqual(all.at(-1), { complete: true, items: 1_500 });
  const pages = [...(await api.list("?limit=1000")).items];
  t.deepEqual(all.slice(0, 1_000), pages);
  t.is(new Set(all.slice(0, -1).map(({ tx_id }) => tx_id)).size, 1_500);
  await api.database.knex("feed_head").insert({ merchant_id: api.row("x").merchantId, seq: 1_500 });
  const feed = await lines(`&updated_since=${encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())}`);
  t.deepEqual(feed.at(-1), { complete: true, items: 0 }, "nothing was numbered in the last hour");
  await api.database
    .knex("feed_mark")
    .insert({ merchant_id: api.row("x").merchantId, minute: Date.now() + 60_000, seq: 0 });
  const fromBegin = await lines("&updated_since=2026-01-01T00:00:00Z");
  t.deepEqual(
    [fromBegin.at(-1), fromBegin[0]?.tx_id, fromBegin[1_499]?.tx_id],
    [{ complete: true, items: 1_500 }, "ACME:t1499", "ACME:t0"],
  );
});

/** An API whose listing never ends: each page repeats one real page. */
async function endless(t: ExecutionContext, before: (page: number) => void = () => {}) {
  const reader = { pages: 0 };
  let page: ListedTransaction[] | undefined;
  const api = await startTransactions(t, (real) =>
    around(real, {
      async list(list, query, limit) {
        before(++reader.pages);
        const [one] = page ?? (await list(query, 1));
        if (one === undefined) throw new Error("there is a row");
        page ??= Array.from({ length: limit }, () => one);
        return page;
      },
    }),
  );
  await api.store([api.row("one")]);
  /** A separate caller that has received its first bytes. */
  const call = async (format: string): Promise<{ socket: Socket; received: () => string }> => {
    const socket = connect(api.port, "127.0.0.1");
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    socket.write(
      signedRequest({ target: `/v1/transactions?format=${format}`, headers: { "Accept-Encoding": "identity" } }),
    );
    await once(socket, "data");
    return { socket, received: () => text };
  };
  /** Resolves when no page was read for some time. */
  const still = (): Promise<number> => steady(() => reader.pages);
  return { ...api, reader, call, still };
}

test("no page is read from the database while the caller does not read, or after the caller has hung up", async (t) => {
  const { call, still, reader, streamTelemetry } = await endless(t);
  const { socket } = await call("ndjson");
  socket.pause();
  const held = await still();
  t.true(held < 300, `${held} pages wait between here and there`);
  socket.resume();
  while (reader.pages < held + 20) await once(socket, "data");
  socket.destroy();
  const ended = await still();
  t.is(await still(), ended, "no page is read after the caller has gone");
  t.deepEqual(streamTelemetry.errors, []);
});

for (const [format, fault] of [
  ["csv", new StoreUnavailable("the database: lost")],
  ["ndjson", new Error("a bug")],
] as const) {
  test(`after a ${fault.name} a stream of ${format} ends without a final chunk`, async (t) => {
    const { call, telemetry } = await endless(t, (page) => {
      if (page === 4) throw fault;
    });
    const { socket, received } = await call(format);
    await once(socket, "close");
    const text = received();
    t.regex(text, /^HTTP\/1\.1 200 OK\r\n[\s\S]*transfer-encoding: chunked\r\n/i);
    t.false(text.endsWith("0\r\n\r\n") || text.includes('{"complete"'), text.slice(-100));
    t.true(text.split("ACME:one").length > 500, "what had been read was sent");
    t.deepEqual(
      telemetry.errors.map(({ what, cause }) => [what, cause]),
      [["a stream was cut", fault]],
    );
  });
}

test("a stream that can't begin gets a refusal like any other call", async (t) => {
  const { get, streamTelemetry } = await endless(t, () => {
    throw new StoreUnavailable("the database: lost");
  });
  for (const query of ["?format=csv", "?format=ndjson", ""]) {
    const reply = await get(`transactions${query}`);
    t.deepEqual(
      [reply.status, errorOf(reply).code, reply.headers["retry-after"]],
      [503, "SERVICE_UNAVAILABLE", "1"],
      query,
    );
  }
  t.is(streamTelemetry.errors.length, 3);
});
