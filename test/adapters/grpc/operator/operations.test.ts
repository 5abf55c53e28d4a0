/**
 * Compares aggregator.operator.v1 with the REST API: both give the same answers for the same state, and the audit log
 * names the caller.
 */
import { type DescMessage, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";
import { timestampFromDate, timestampMs } from "@bufbuild/protobuf/wkt";
import test, { type ExecutionContext } from "ava";
import {
  GetGameResponseSchema,
  ListGamesResponseSchema,
  ListProvidersResponseSchema,
} from "../../../../src/gen/aggregator/operator/v1/catalog_service_pb.ts";
import { GetMerchantResponseSchema } from "../../../../src/gen/aggregator/operator/v1/merchant_service_pb.ts";
import { GetGgrReportResponseSchema } from "../../../../src/gen/aggregator/operator/v1/report_service_pb.ts";
import {
  GetRoundResponseSchema,
  GetTransactionResponseSchema,
  ListTransactionsResponseSchema,
} from "../../../../src/gen/aggregator/operator/v1/transaction_service_pb.ts";
import { ADMIN_KEY, adminOf, operatorOf, refusalOf } from "../../../../testbed/callers/administration.ts";
import { startWorld } from "../../../../testbed/stage/world.ts";

/** JSON of any form, whose fields the comparisons read. */
// biome-ignore lint/suspicious/noExplicitAny: a wrong guess fails the test.
type Json = Readonly<Record<string, any>>;

const merchant = "shop-brl";
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
/** The days of this test's transactions, also if midnight passes meanwhile. */
const days = { from: day(0), to: day(1) };

const undo: (() => unknown)[] = [];
let played: Awaited<ReturnType<typeof play>>;
test.before(async () => {
  played = await play({ teardown: (step: () => unknown) => undo.push(step) } as unknown as ExecutionContext);
});
test.after.always(async () => {
  for (const step of undo.reverse()) await step();
});

/**
 * A world with a transaction of every kind: successes, failures, reversals, and one pending transaction of each action.
 * The service resends none of them by itself.
 */
async function play(t: ExecutionContext) {
  const world = await startWorld(t, {
    env: {
      ADMIN_KEY,
      REFUND_QUIET_PERIOD_MS: "0",
      RESEND_HORIZON_HOURS: "0.00001",
      SPORTSBOOK_URL: "https://sports.example",
    },
  });
  const sessionId = await world.session();
  await world.request("bet", { sessionId, txId: "b1" });
  await world.request("bet", { sessionId, txId: "b2" });
  await world.request("bet", { sessionId, txId: "tip", kind: "tip" });
  await world.request("refund", { sessionId, txId: "f2", refTxId: "b2" });
  await world.request("win", { sessionId, txId: "w1" });
  await world.request("rollback", { sessionId, txId: "r1", refTxId: "w1" });
  world.wallet.setFault({ kind: "rejected" });
  for (const txId of ["w2", "w3"]) await world.request("win", { sessionId, txId });
  world.wallet.setFault({ kind: "none" });
  await world.request("win", { sessionId, txId: "w5", amountMinor: 70n });
  world.wallet.setFault({ kind: "http_500" });
  await world.request("bet", { sessionId, txId: "b3", amountMinor: 260n });
  await world.request("win", { sessionId, txId: "w4", amountMinor: 300n });
  await world.request("refund", { sessionId, txId: "f1", refTxId: "b1" });
  await world.request("rollback", { sessionId, txId: "r5", refTxId: "w5", amountMinor: 70n });
  const get = async (target: string): Promise<Json> => {
    const reply = await world.rest("GET", target);
    if (!reply.ok) throw new Error(`${target}: ${reply.code}`);
    return reply.data as Json;
  };
  return { world, get, ...operatorOf(world.first), admin: adminOf(world.first) };
}

/** A reply with the names and forms of REST's JSON. */
const inRest = <D extends DescMessage>(schema: D, message: MessageShape<D>): Json =>
  plain(toJson(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true })) as Json;

/**
 * Changes protobuf's forms into REST's: minor units have other names, lists may be absent, and times have no trailing
 * zeros.
 */
function plain(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT.*Z$/.test(value)) return new Date(value).toISOString();
  if (typeof value !== "object" || value === null) return value;
  if (Object.keys(value).join() === "values") return value.values;
  if (Object.keys(value).join() === "sums") return plain(value.sums as JsonValue);
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) =>
      name.endsWith("_minor")
        ? [name.slice(0, -"_minor".length), Number(held) / 100]
        : [name, plain(held as JsonValue)],
    ),
  );
}

/** Converts absent fields and empty texts of protobuf to REST's null. */
const normalized = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(normalized);
  if (typeof value !== "object" || value === null) return value;
  const there = Object.entries(value).filter(([, held]) => held !== null && held !== "");
  return Object.fromEntries(there.map(([name, held]) => [name, normalized(held)]));
};

const same = (t: ExecutionContext, reply: unknown, rest: unknown, what: string): void =>
  void t.deepEqual(normalized(reply), normalized(rest), what);

test.serial("every operation gives the same answer over gRPC as over REST for the same state", async (t) => {
  const { world, get, launches, merchants, catalog, transactions, reports } = played;

  const opened = await launches.launchGame({
    merchant,
    playerId: "ana",
    game: "fruits",
    lang: "ES-mx",
    lobbyUrl: "https://shop.example/",
  });
  t.like(opened, {
    game: "fruits",
    provider: "ACME",
    demo: false,
    launchUrl: `https://games.example/fruits?s=${world.opened.at(-1)?.sessionId}`,
  });
  t.like(world.opened.at(-1), { language: "es-MX", lobbyUrl: "https://shop.example/", country: "BR" });

  const { server_time, ...itself } = await get("/v1/merchant");
  const shown = await merchants.getMerchant({ merchant });
  const { server_time: time, ...message } = inRest(GetMerchantResponseSchema, shown);
  same(t, message, itself, "merchant");
  t.true(Math.abs(Date.parse(time) - server_time) < 60_000);

  const games = inRest(
    ListGamesResponseSchema,
    await catalog.listGames({ merchant, type: "slot", q: "FRUÍTS", lang: "pt-BR" }),
  );
  const { items, ...listed } = await get("/v1/games?type=slot&q=FRU%C3%8DTS&lang=pt-BR");
  const noNames = (game: Json) => ({ ...game, names: undefined });
  same(t, { ...games, games: games.games.map(noNames) }, { ...listed, games: items.map(noNames) }, "games");
  t.is(items.length, 1);
  const game = inRest(GetGameResponseSchema, await catalog.getGame({ merchant, provider: "ACME", code: "fruits" }));
  same(t, noNames(game.game), noNames(await get("/v1/games/ACME/fruits")), "game");
  const { items: providers, ...restPage } = await get("/v1/providers?limit=1");
  const page = inRest(ListProvidersResponseSchema, await catalog.listProviders({ merchant, limit: 1 }));
  same(t, page.providers, providers, "providers");
  t.is(page.total, restPage.total);
  t.deepEqual(
    (await catalog.listProviders({ merchant, cursor: page.next_cursor })).providers.map(({ code }) => code),
    ["SPORTSBOOK"],
  );

  for (const [request, query] of [
    [{}, ""],
    [{ status: "success", order: "asc" }, "?status=success&order=asc"],
    [{ action: "refund" }, "?action=refund"],
    [
      { refTxId: "ACME:b2", playerId: "ana", provider: "ACME", game: "fruits", roundId: "r1" },
      "?ref_tx_id=ACME:b2&player_id=ana&provider=ACME&game=fruits&round_id=r1",
    ],
    [
      {
        from: timestampFromDate(new Date("2026-01-01T00:00:00Z")),
        to: timestampFromDate(new Date("2026-01-02T00:00:00Z")),
      },
      "?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z",
    ],
  ] as const) {
    const { transactions: found } = inRest(
      ListTransactionsResponseSchema,
      await transactions.listTransactions({ merchant, ...request }),
    );
    same(t, found, (await get(`/v1/transactions${query}`)).items, query);
  }
  const first = await transactions.listTransactions({ merchant, limit: 4 });
  const rest = await transactions.listTransactions({ merchant, limit: 100, cursor: first.nextCursor });
  t.deepEqual([first.transactions.length, rest.transactions.length, rest.nextCursor], [4, 9, ""]);
  same(
    t,
    inRest(ListTransactionsResponseSchema, rest).transactions,
    (await get("/v1/transactions")).items.slice(4),
    "second page",
  );

  const since = new Date(Date.now() - 3_600_000);
  let changes = await transactions.listTransactions({ merchant, updatedSince: timestampFromDate(since) });
  for (
    ;
    changes.transactions.length < 12;
    changes = await transactions.listTransactions({ merchant, updatedSince: timestampFromDate(since) })
  )
    await new Promise((resolve) => setTimeout(resolve, 100));
  same(
    t,
    inRest(ListTransactionsResponseSchema, changes).transactions,
    (await get(`/v1/transactions?updated_since=${since.toISOString()}`)).items,
    "feed",
  );
  t.true((changes.behindMs ?? -1n) >= 0n);
  t.not(changes.nextCursor, "");
  t.is(first.behindMs, undefined);

  const { attempt_log, ...item } = await get("/v1/transactions/ACME:w2");
  const one = inRest(GetTransactionResponseSchema, await transactions.getTransaction({ merchant, txId: "ACME:w2" }));
  same(t, one, { transaction: item, attempt_log }, "transaction");
  t.is(attempt_log.length, 1);

  const { sums, ...round } = await get("/v1/rounds/ACME/r1");
  const {
    success,
    pending,
    pending_count,
    transactions: ofRound,
  } = inRest(GetRoundResponseSchema, await transactions.getRound({ merchant, provider: "ACME", roundId: "r1" }));
  same(t, ofRound, round.items, "round");
  same(t, { ...success, pending: { count: pending_count, ...pending } }, sums, "sums");
  t.deepEqual({ pending_count, ...pending }, { pending_count: 4, bets: 2.6, refunds: 2.5, wins: 3, rollbacks: 0.7 });

  for (const groupBy of ["day", "game", "player"]) {
    const report = inRest(GetGgrReportResponseSchema, await reports.getGgrReport({ merchant, ...days, groupBy }));
    const { as_of, ...ggr } = await get(`/v1/reports/ggr?from=${days.from}&to=${days.to}&group_by=${groupBy}`);
    same(t, { ...report, as_of: null, rows: report.rows.map(flat), totals: flat(report.totals) }, ggr, groupBy);
    t.true(Date.parse(report.as_of) <= Date.parse(as_of));
  }

  world.wallet.setFault({ kind: "none" });
  const resent = await transactions.resendTransaction({ merchant, txId: "ACME:w2", reason: "the wallet was wrong" });
  t.is(resent.transaction?.txId, "ACME:w2");
  while ((await transactions.getTransaction({ merchant, txId: "ACME:w2" })).transaction?.status !== "success")
    await new Promise((resolve) => setTimeout(resolve, 50));
  t.is(world.calls("w2"), 2);
});

test.serial("a report of a currency has all its merchants, and no merchant of another currency", async (t) => {
  const { world, reports } = played;
  const sessionId = await world.session("shop-clp");
  await world.request("bet", { sessionId, txId: "clp-1", currency: "CLP", amountMinor: 7n });
  const rowsOf = async (currency: string, groupBy: string) => {
    const report = await reports.getGgrReport({ currency, groupBy, ...days });
    t.deepEqual([report.currency, report.groupBy], [currency, groupBy]);
    return report.rows.map(({ key, bets }) => [key, bets?.amountMinor]);
  };
  const own = await reports.getGgrReport({ merchant, ...days });
  const staked = own.totals?.bets?.amountMinor ?? 0n;
  t.true(staked > 0n);
  t.deepEqual(await rowsOf("BRL", "merchant"), [[merchant, staked]]);
  t.deepEqual(await rowsOf("CLP", "merchant"), [["shop-clp", 7n]]);
  t.deepEqual(await rowsOf("CLP", "game"), [["ACME/fruits", 7n]]);
  for (const [groupBy, name] of [
    ["game", "Fruits"],
    ["provider", "Acme"],
    ["type", ""],
  ] as const) {
    const { rows, totals } = await reports.getGgrReport({ currency: "CLP", groupBy, ...days });
    t.deepEqual([rows.map((row) => row.name), totals?.name], [[name], ""], groupBy);
  }
  t.deepEqual((await reports.getGgrReport({ currency: "BRL", ...days })).totals, own.totals);

  for (const [request, refusal] of [
    [{ currency: "USD", ...days }, "RECORD_NOT_FOUND currency"],
    [{ currency: "brl", ...days }, "RECORD_NOT_FOUND currency"],
    [{ currency: "BRL", merchant, ...days }, "VALIDATION_ERROR currency"],
    [{ currency: "BRL", groupBy: "player", ...days }, "VALIDATION_ERROR group_by"],
    [{ merchant, groupBy: "merchant", ...days }, "VALIDATION_ERROR group_by"],
    [days, "VALIDATION_ERROR merchant"],
  ] as const)
    t.is(await refusalOf(reports.getGgrReport(request)), refusal, JSON.stringify(request));
});

/** The sums of all actions in one flat object, as in REST's rows. */
function flat({ ggr, pending, key, name: _, of_which = null, ...actions }: Json): Json {
  const sums = Object.entries(actions).flatMap(([action, { count, amount }]) => [
    [action, amount],
    [`${action}_count`, count],
  ]);
  return { key, ...Object.fromEntries(sums), ggr, pending, of_which };
}

test.serial("a request that REST refuses is refused over gRPC with the same code and fields", async (t) => {
  const { world, launches, catalog, transactions, reports } = played;
  const codeOf = async (method: "GET" | "POST", target: string, body?: unknown) => {
    const reply = await world.rest(method, target, body);
    return reply.ok ? "none" : reply.code;
  };
  for (const [call, method, target, body] of [
    [
      launches.launchGame({ merchant, playerId: "ana", game: "none" }),
      "POST",
      "/v1/game/launch",
      { player_id: "ana", game: "none" },
    ],
    [
      launches.launchGame({ merchant, playerId: "ana", game: "fruits", currency: "usd" }),
      "POST",
      "/v1/game/launch",
      { player_id: "ana", game: "fruits", currency: "usd" },
    ],
    [
      launches.launchGame({ merchant, playerId: "ana", game: "fruits", country: "xx" }),
      "POST",
      "/v1/game/launch",
      { player_id: "ana", game: "fruits", country: "xx" },
    ],
    [catalog.getGame({ merchant, provider: "ACME", code: "none" }), "GET", "/v1/games/ACME/none"],
    [transactions.getTransaction({ merchant, txId: "ACME:none" }), "GET", "/v1/transactions/ACME:none"],
    [transactions.getRound({ merchant, provider: "ACME", roundId: "none" }), "GET", "/v1/rounds/ACME/none"],
    [
      transactions.resendTransaction({ merchant, txId: "ACME:b1", reason: "asked" }),
      "POST",
      "/v1/transactions/ACME:b1/resend",
    ],
  ] as const) {
    t.is((await refusalOf(call)).split(" ")[0], await codeOf(method, target, body), target);
  }
  t.is(
    await refusalOf(launches.launchGame({ merchant, lang: "xx", lobbyUrl: "ftp://a" })),
    "VALIDATION_ERROR player_id game lang lobby_url",
  );
  t.is(
    await refusalOf(
      catalog.listGames({ merchant, type: "dice", provider: "a", active: "maybe", lang: "xx", limit: 501 }),
    ),
    "VALIDATION_ERROR type provider active lang limit",
  );
  t.is(
    await refusalOf(
      transactions.listTransactions({ merchant, status: "void", action: "balance", order: "up", limit: 1_001 }),
    ),
    "VALIDATION_ERROR status action order limit",
  );
  const before1970 = { seconds: -1n, nanos: 0 };
  t.is(
    await refusalOf(transactions.listTransactions({ merchant, from: before1970, to: before1970, status: "void" })),
    "VALIDATION_ERROR from to status",
  );
  t.is(
    await refusalOf(catalog.listGames({ merchant, type: "dice", updatedSince: before1970 })),
    "VALIDATION_ERROR type updated_since",
  );
  t.is(await refusalOf(transactions.listTransactions({ merchant, cursor: "made-up" })), "VALIDATION_ERROR cursor");
  t.is(
    await refusalOf(reports.getGgrReport({ merchant, from: "2026-02-30", groupBy: "week" })),
    "VALIDATION_ERROR from to group_by",
  );
  t.is(await refusalOf(transactions.resendTransaction({ merchant, txId: "ACME:w2" })), "VALIDATION_ERROR reason");
  t.is(await refusalOf(transactions.listTransactions({ merchant: "nobody" })), "RECORD_NOT_FOUND merchant");

  const { nextCursor } = await catalog.listProviders({ merchant, limit: 1 });
  t.is(await refusalOf(catalog.listProviders({ merchant: "shop-clp", cursor: nextCursor })), "VALIDATION_ERROR cursor");
  t.is(await refusalOf(catalog.listGames({ merchant, cursor: nextCursor })), "VALIDATION_ERROR cursor");
});

test.serial("the cursor of a page of games contains the listing's parameters", async (t) => {
  const { catalog, admin } = played;
  const rows = ["a", "b", "c"].map((code) => ({
    provider: "ACME",
    code: `extra-${code}`,
    name: `Extra ${code}`,
    type: "slot",
  }));
  await admin.catalog.importGames(
    (async function* () {
      yield { format: "json", chunk: Buffer.from(JSON.stringify(rows)) };
    })(),
  );
  const first = await catalog.listGames({ merchant, q: "extra", limit: 2 });
  t.deepEqual([first.games.map(({ code }) => code), first.total], [["extra-a", "extra-b"], 3]);
  const rest = await catalog.listGames({ merchant, cursor: first.nextCursor });
  t.deepEqual([rest.games.map(({ code }) => code), rest.nextCursor], [["extra-c"], ""]);
  t.is(await refusalOf(catalog.listGames({ merchant, q: "other", cursor: first.nextCursor })), "VALIDATION_ERROR q");
  // As in the REST API, the limit counts characters.
  t.is((await catalog.listGames({ merchant, q: "😀".repeat(128) })).total, 0);
  t.is(await refusalOf(catalog.listGames({ merchant, q: "😀".repeat(129) })), "VALIDATION_ERROR q");
  const repeated = await catalog.listGames({ merchant, active: "true", cursor: first.nextCursor });
  t.deepEqual(repeated.games, rest.games, "the same page without repeating the parameters");
  t.is(
    await refusalOf(catalog.listGames({ merchant, active: "all", cursor: first.nextCursor })),
    "VALIDATION_ERROR active",
  );
});

test.serial(
  "the audit log has reads of players' transactions, resends and launches; a viewer cannot read a player's data",
  async (t) => {
    const { world, launches, transactions, reports, admin } = played;
    const { key } = await admin.keys.createKey({ role: "support", name: "sue" });
    const sue = operatorOf(world.first, key);
    await sue.transactions.listTransactions({ merchant, playerId: "ana" });
    await sue.transactions.getTransaction({ merchant, txId: "ACME:b1" });
    await sue.transactions.getRound({ merchant, provider: "ACME", roundId: "r1" });
    await sue.transactions.resendTransaction({ merchant, txId: "ACME:w3", reason: "ticket 7" });
    await sue.reports.getGgrReport({ merchant, from: "2026-01-01", to: "2026-01-31", groupBy: "player" });
    await sue.reports.getGgrReport({ merchant, from: "2026-01-01", to: "2026-01-31" });
    await launches.launchGame({ merchant, playerId: "ana", game: "fruits" });
    await t.throwsAsync(transactions.getTransaction({ merchant, txId: "no\u0000id" }));
    await t.throwsAsync(reports.getGgrReport({ merchant }));

    const { entries } = await admin.audit.listAuditEntries({});
    t.deepEqual(entries.map(({ actor, action, target, reason }) => [actor, action, target, reason]).slice(0, 6), [
      ["ADMIN_KEY", "game launch", "player shop-brl ana", ""],
      ["sue", "report ggr", "merchant shop-brl", ""],
      ["sue", "transaction resend", "transaction shop-brl ACME:w3", "ticket 7"],
      ["sue", "round show", "round shop-brl ACME r1", ""],
      ["sue", "transaction show", "transaction shop-brl ACME:b1", ""],
      ["sue", "transaction list", "merchant shop-brl", ""],
    ]);
    t.deepEqual(
      entries[2]?.changes.map(({ field, from, to }) => [field, from, to]),
      [["status", '"failed"', '"pending"']],
    );
    t.deepEqual(
      entries[5]?.changes.map(({ field, to }) => [field, to]),
      [["player_id", '"ana"']],
    );

    const { key: viewer } = await admin.keys.createKey({ role: "viewer", name: "viv" });
    const viv = operatorOf(world.first, viewer);
    t.is(
      (await viv.reports.getGgrReport({ merchant, from: "2026-01-01", to: "2026-01-31", groupBy: "game" })).rows.length,
      0,
    );
    t.is(
      await refusalOf(viv.reports.getGgrReport({ merchant, from: "2026-01-01", to: "2026-01-31", groupBy: "player" })),
      "ROLE_NOT_ALLOWED group_by",
    );
  },
);

test.serial("a disabled merchant can still be read, but no game is opened for it", async (t) => {
  const { launches, merchants, admin } = played;
  await admin.merchants.disableMerchant({ code: merchant, reason: "test" });
  t.is((await merchants.getMerchant({ merchant })).code, merchant);
  t.is(
    await refusalOf(launches.launchGame({ merchant, playerId: "ana", game: "fruits" })),
    "MERCHANT_DISABLED merchant",
  );
  t.true(timestampMs((await merchants.getMerchant({ merchant })).serverTime ?? t.fail()) > 0);
});
