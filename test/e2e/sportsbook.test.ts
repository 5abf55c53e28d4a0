import { once } from "node:events";
import test, { type ExecutionContext } from "ava";
import { WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { BetService } from "../../src/gen/aggregator/sportsbook/v1/bet_service_pb.ts";
import { BrandService } from "../../src/gen/aggregator/sportsbook/v1/brand_service_pb.ts";
import { SessionService } from "../../src/gen/aggregator/sportsbook/v1/session_service_pb.ts";
import { TransactionStatus } from "../../src/gen/aggregator/sportsbook/v1/transaction_status_pb.ts";
import { Health } from "../../src/gen/grpc/health/v1/health_pb.ts";
import { PRODUCT } from "../../testbed/database/products.ts";
import { type DatabaseServer, startDatabaseServer } from "../../testbed/database/server.ts";
import { OPENING_MINOR, SPORTSBOOK_URL, startSportsbookWorld, until } from "../../testbed/stage/sportsbook-world.ts";

const { exchangeToken, getSession, endSession } = SessionService.method;
type World = Awaited<ReturnType<typeof startSportsbookWorld>>;

let server: DatabaseServer;
/** Worlds that several tests share, each test with its own players, because processes are expensive. */
let sqlite: World;
let mariadb: World;
const ends: (() => unknown)[] = [];
test.before(async () => {
  server = await startDatabaseServer();
  const file = { teardown: (end: () => unknown) => void ends.unshift(end) } as Pick<
    ExecutionContext,
    "teardown"
  > as ExecutionContext;
  const env = { WALLET_TIMEOUT_MS: "3000", REFUND_QUIET_PERIOD_MS: "1500" };
  [sqlite, mariadb] = await Promise.all([
    startSportsbookWorld(file, { env }),
    startSportsbookWorld(file, { env, databaseUrl: await server.createDatabase() }),
  ]);
});
test.after.always(async () => {
  for (const end of ends) await end();
  await server?.stop();
});

const DATABASES = { SQLite: async () => ({}), MariaDB: async () => ({ databaseUrl: await server.createDatabase() }) };

for (const [name, database] of Object.entries(DATABASES)) {
  test(`${name}: a player launches the sportsbook, and a slip is settled long after the session`, async (t) => {
    const world = name === "SQLite" ? sqlite : mariadb;
    const launched = await world.launch("ana", { lang: "pt-BR" });
    const token = launched.searchParams.get("jwt") ?? "";
    t.is(String(launched), `${SPORTSBOOK_URL}/pt/?jwt=${token}&brand=shop`);

    const session = await world.ask(exchangeToken, { token });
    if (typeof session === "string") return t.fail(session);
    const { sessionId, playerRef } = session;
    t.like(session, { merchant: "shop-brl", currency: "BRL", language: "pt-BR" });
    t.like(session.brand, { brandId: "shop", theme: "mint-carbon", layout: "sidebar" });
    const leftMs = Number(session.expiresAt?.seconds ?? 0n) * 1_000 - Date.now();
    t.true(leftMs > 28 * 60_000 && leftMs < 31 * 60_000);
    t.is(await world.ask(exchangeToken, { token }), "TOKEN_USED");
    t.is(await world.ask(exchangeToken, { token: `${token}x` }), "TOKEN_INVALID");
    t.is(await world.ask(getSession, { sessionId: "0".repeat(32) }), "SESSION_NOT_FOUND");
    t.like(await world.ask(getSession, { sessionId }), { sessionId, playerRef });

    t.is(await world.slip(sessionId, "s1", "b1:250 b2:750"), "success: b1 success, b2 success");
    t.is(world.balanceOf("ana"), 9_000n);
    const bets = [250n, 750n].map((amountMinor, i) => ({ txId: `b${i + 1}`, roundId: `r-b${i + 1}`, amountMinor }));
    const repeated = await world.ask(BetService.method.placeBetslip, {
      sessionId,
      slipId: "s1",
      bets,
      currency: "BRL",
    });
    t.like(repeated, { status: TransactionStatus.SUCCESS, accepted: true, balanceMinor: 9_000n });
    t.is(
      await world.slip(sessionId, "s2", "c1:4000 c2:6000 c3:1"),
      "failed: c1 success/success, c2 failed INSUFFICIENT_FUNDS, c3 failed NOT_SENT",
    );
    t.is(await world.slip(sessionId, "s2", "c1:4000 c2:6000"), "TRANSACTION_MISMATCH");
    t.is(world.balanceOf("ana"), 9_000n);

    t.not(typeof (await world.ask(endSession, { sessionId })), "string");
    t.is(await world.ask(getSession, { sessionId }), "SESSION_EXPIRED");
    t.is(await world.slip(sessionId, "s3", "d1:1"), "SESSION_EXPIRED");
    t.is(await world.slip(sessionId, "s1", "b1:250 b2:750"), "success: b1 success, b2 success");
    t.is(await world.move("win", { sessionId, txId: "w1", roundId: "r-b1", amountMinor: 900n }), "success");
    t.is(await world.move("win", { playerRef, txId: "w2", roundId: "r-b2", amountMinor: 100n }), "success");
    t.is(
      await world.move("refund", { playerRef, txId: "f1", refTxId: "b2", roundId: "r-b2", amountMinor: 750n }),
      "success",
    );
    t.is(
      await world.move("refund", { playerRef, txId: "refund~b1", refTxId: "b1", roundId: "r-b1", amountMinor: 250n }),
      "VALIDATION_ERROR",
    );
    // The sportsbook may not use such an id before the refund exists, because the slip's own refund needs the id.
    t.is(
      await world.move("refund", { sessionId, txId: "f2", refTxId: "refund~e1", roundId: "r-e1", amountMinor: 100n }),
      "VALIDATION_ERROR",
    );
    t.is(world.balanceOf("ana"), 10_750n);
    const balance = await world.ask(BetService.method.getBalance, { playerRef });
    t.is(typeof balance === "object" && balance.balanceMinor, 10_750n);
    const callbacks = world.callbacks.map(({ body }) => JSON.parse(body)).filter((body) => body.player_id === "ana");
    t.true(
      callbacks.length > 0 &&
        callbacks.every(({ provider, game }) => provider === "SPORTSBOOK" && game === "sportsbook"),
    );
  });

  test(`${name}: after kill -9 in a slip's first bet, second bet or refund another replica finishes the slip, and money moves once`, async (t) => {
    const world = await startSportsbookWorld(t, { ...(await database()), env: { WALLET_TIMEOUT_MS: "60000" } });
    const players = ["first", "second", "refund"] as const;
    const sessions = Object.fromEntries(
      await Promise.all(players.map(async (player) => [player, await world.session(player)] as const)),
    );
    const slips = { first: "a1:100 a2:200", second: "b1:100 b2:200 b3:300", refund: "c1:100 c2:99999" };
    const stuck = { kind: "applied_no_reply" } as const;
    // Enough time between a bet's debit and its reply to make the next call silent.
    const slow = { kind: "slow", ms: 500 } as const;
    const ask = (player: (typeof players)[number]) => world.slip(sessions[player] ?? "", player, slips[player]);
    world.wallet.setFault(slow, "refund");
    const cut = [ask("refund")];
    await until(() => world.callCount("c2") > 0);
    world.wallet.setFault(stuck, "refund");
    world.wallet.setFault(slow, "second");
    cut.push(ask("second"));
    await until(() => world.callCount("b1") > 0);
    world.wallet.setFault(stuck, "second");
    world.wallet.setFault(stuck, "first");
    cut.push(ask("first"));
    await until(() => world.callCount("a1") > 0 && world.callCount("b2") > 0 && world.callCount("refund~c1") > 0);
    world.first.process.kill("SIGKILL");
    await once(world.first.process, "exit");
    for (const answer of await Promise.all(cut)) t.notRegex(answer, /^(success|failed)/);
    t.is(world.balanceOf("first"), OPENING_MINOR - 100n);
    t.is(world.balanceOf("second"), OPENING_MINOR - 300n);
    t.is(world.balanceOf("refund"), OPENING_MINOR);

    for (const player of players) world.wallet.setFault({ kind: "none" }, player);
    // The dead process's calls could take a minute, and so do its leases. They end now.
    const now = Date.now();
    await world.database.knex("slips").whereNotNull("due_at").update({ due_at: now });
    await world.database.knex("tx").whereNotNull("lease_until").update({ lease_until: now });
    const second = await world.start({ WALLET_TIMEOUT_MS: "4000" });
    const answers = {
      first: "success: a1 success, a2 success",
      second: "success: b1 success, b2 success, b3 success",
      refund: "failed: c1 success/success, c2 failed INSUFFICIENT_FUNDS",
    };
    // Two slips are requested again, and a replica finishes the third slip by itself.
    for (const player of ["first", "refund"] as const) {
      await until(
        async () => (await world.slip(sessions[player] ?? "", player, slips[player], second)) === answers[player],
      );
    }
    await until(() => world.callCount("b3") > 0);
    t.is(await world.slip(sessions.second ?? "", "second", slips.second, second), answers.second);
    t.is(world.balanceOf("first"), OPENING_MINOR - 300n);
    t.is(world.balanceOf("second"), OPENING_MINOR - 600n);
    t.is(world.balanceOf("refund"), OPENING_MINOR);
    t.deepEqual(
      ["a1", "a2", "b1", "b2", "b3", "c1", "c2", "refund~c1"].map((id) => world.callCount(id)),
      [2, 1, 1, 2, 1, 1, 1, 2],
    );

    // During a stop, the slip in progress is finished and answered.
    world.wallet.setFault({ kind: "slow", ms: 400 }, "first");
    const last = world.slip(sessions.first ?? "", "last", "d1:100 d2:200", second);
    await until(() => world.callCount("d1") > 0);
    second.process.kill("SIGTERM");
    const [code] = await once(second.process, "exit");
    t.is(code, 0, second.output());
    t.is(await last, "success: d1 success, d2 success");
  });
}

test(`${PRODUCT.name}: exactly one of a thousand exchanges of the same token at three replicas gets the session`, async (t) => {
  const world = mariadb;
  const replicas = [world.first, await world.start(), await world.start()];
  for (const replica of replicas)
    await until(async () => (await world.ask(getSession, { sessionId: "x" }, replica)) === "SESSION_NOT_FOUND");
  const token = (await world.launch("once")).searchParams.get("jwt") ?? "";
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, i) => world.ask(exchangeToken, { token }, replicas[i % 3])),
  );
  const sessions = answers.filter((answer) => typeof answer === "object");
  t.is(sessions.length, 1);
  t.deepEqual([...new Set(answers.filter((answer) => typeof answer === "string"))], ["TOKEN_USED"]);
  t.is(
    await world.slip(sessions[0]?.sessionId ?? "", "once", "one:100", replicas[1]),
    "failed: one failed PLAYER_NOT_FOUND",
  );
});

test("after each of six faults of the wallet in a slip's second bet the sum of the slip's effects is zero", async (t) => {
  const world = sqlite;
  const faults = ["silent", "applied_no_reply", "http_500", "html", "reset", "truncated"] as const;
  const answers = faults.map(async (kind) => {
    const sessionId = await world.session(kind);
    world.wallet.setFault({ kind: "slow", ms: 300 }, kind);
    const answer = world.slip(sessionId, kind, `${kind}-1:100 ${kind}-2:200 ${kind}-3:300`);
    await until(() => world.callCount(`${kind}-1`) > 0);
    world.wallet.setFault({ kind }, kind);
    t.regex(
      await answer,
      new RegExp(`^failed: ${kind}-1 success/(pending|success), ${kind}-2 pending/pending, ${kind}-3 failed NOT_SENT$`),
      kind,
    );
    world.wallet.setFault({ kind: "none" }, kind);
    await until(
      async () => !(await world.slip(sessionId, kind, `${kind}-1:100 ${kind}-2:200 ${kind}-3:300`)).includes("pending"),
    );
    t.is(world.balanceOf(kind), OPENING_MINOR, kind);
    t.is(world.callCount(`${kind}-2`), 1);
    t.is(world.callCount(`${kind}-3`), 0);
  });
  await Promise.all(answers);
});

test("the sportsbook's key is accepted only in its own package, on every listener; other keys are refused there", async (t) => {
  const world = sqlite;
  const sessionId = await world.session("keys");
  const caller = world.callerOf(world.first);
  const code = async (call: Promise<unknown>) =>
    call.then(
      () => "ok",
      (error: { metadata: { get(name: string): unknown[] } }) => error.metadata.get("error-code")[0],
    );
  t.is(await code(caller.call(BrandService.method.getBrand, { brandId: "shop" }, { keys: [world.key] })), "ok");
  t.is(
    await code(caller.call(BrandService.method.getBrand, { brandId: "nobody" }, { keys: [world.key] })),
    "RECORD_NOT_FOUND",
  );
  t.is(
    await code(caller.call(WalletService.method.getBalance, { sessionId }, { keys: [world.key] })),
    "INVALID_API_KEY",
  );
  for (const method of [
    getSession,
    exchangeToken,
    endSession,
    BetService.method.getBalance,
    BetService.method.placeBetslip,
    BrandService.method.getBrand,
  ]) {
    t.is(
      await code(caller.call(method as typeof getSession, { sessionId }, { keys: world.keys })),
      "INVALID_API_KEY",
      method.name,
    );
    t.is(await code(caller.call(method as typeof getSession, { sessionId })), "INVALID_API_KEY", method.name);
  }
  for (const service of [SessionService, BetService, BrandService]) {
    t.is((await caller.call(Health.method.check, { service: service.typeName })).status, 1, service.typeName);
  }
  const settings = { default_language: "es", odds: { format: "decimal", steps: [1, null, "x"] } };
  const brand = {
    code: "tiles",
    name: "Tiles",
    theme: "lilac-light",
    layout: "tile",
    settings,
    allowedOrigins: ["https://a.example", "https://b.example:8443"],
  };
  await world.settings.save({ kind: "brand", brand });
  await until(async () => typeof (await world.ask(BrandService.method.getBrand, { brandId: "tiles" })) === "object");
  const { code: brandId, name: _, ...looks } = brand;
  t.like(await world.ask(BrandService.method.getBrand, { brandId }), { brandId, ...looks });

  const connect = await fetch(
    `http://127.0.0.1:${world.first.ports.internalHttp}/aggregator.sportsbook.v1.BrandService/GetBrand`,
    {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${world.key}` },
      body: JSON.stringify({ brandId: "shop" }),
    },
  );
  t.deepEqual(await connect.json(), { brandId: "shop", theme: "mint-carbon", layout: "sidebar", settings: {} });
});
