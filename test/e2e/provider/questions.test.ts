/** GetTransaction, GetRound and GetSession on the real service: what a provider learns of its own records, and of nothing else. */
import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import test, { type ExecutionContext } from "ava";
import { RecordState, TransactionAction } from "../../../src/gen/aggregator/provider/v1/transaction_record_pb.ts";
import { TransactionStatus } from "../../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { patiently, repeated } from "../../../testbed/callers/busy.ts";
import { type DatabaseServer, startDatabaseServer } from "../../../testbed/database/server.ts";
import { gameRecord, keyRecord, merchantRecord, providerRecord } from "../../../testbed/directory/records.ts";
import type { Running } from "../../../testbed/service/replica.ts";
import { startWorld, startWorldOfProcesses } from "../../../testbed/stage/world.ts";

const { getTransaction, getRound, getSession } = WalletService.method;
const HOUR_MS = 3_600_000;

let server: DatabaseServer;
test.before(async () => {
  server = await startDatabaseServer();
});
test.after.always(() => server.stop());

const DATABASES = { SQLite: async () => ({}), MariaDB: async () => ({ databaseUrl: await server.createDatabase() }) };

type World = Awaited<ReturnType<typeof startWorld>> | Awaited<ReturnType<typeof startWorldOfProcesses>>;

/** Asks as the provider with these keys. */
const questions = (world: World, keys: readonly string[] = world.keys, on: Running = world.first) => {
  const caller = world.callerOf(on);
  const call = <I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
  ) => patiently(() => caller.call(method, request, { keys }));
  return {
    transaction: (request: MessageInitShape<typeof getTransaction.input>) => call(getTransaction, request),
    round: (request: MessageInitShape<typeof getRound.input>) => call(getRound, request),
    session: (request: MessageInitShape<typeof getSession.input>) => call(getSession, request),
    /** The code of the refusal, and the field that it names. */
    refusal: async (
      method: typeof getTransaction | typeof getRound | typeof getSession,
      request: Record<string, string | number>,
    ): Promise<string> => {
      const { trailer, info } = await repeated(
        () => caller.failure(method as typeof getTransaction, request, { keys }),
        ({ trailer: code }) => String(code),
      );
      return `${trailer} ${info?.metadata.field ?? ""}`.trim();
    },
  };
};

/** Adds a second provider, which has a game of its own, and returns its key. */
async function addRival(world: World): Promise<string> {
  const key = "key-of-the-rival-0123456789abcdef";
  const rival = { ...providerRecord("RIVAL", [`http://127.0.0.1:${world.provider.port}`]), keys: [keyRecord(key)] };
  await world.settings.save({ kind: "provider", provider: rival });
  await world.settings.save({ kind: "games", provider: rival.code, games: [gameRecord("cards")] });
  return key;
}

/** Makes the session look as if its last use was this long ago. */
const age = async (world: World, ms: number): Promise<void> =>
  void (await world.database.knex("sessions").update({ used_at: world.database.knex.raw("used_at - ?", [ms]) }));

for (const [name, database] of Object.entries(DATABASES)) {
  test.serial(`${name}: GetTransaction says unknown, marked, or what the record has`, async (t) => {
    const world = await startWorld(t, await database());
    const sessionId = await world.session();
    const playerRef = world.opened.at(-1)?.playerRef ?? "";
    const ask = questions(world);
    const unknown = await ask.transaction({ sessionId, txId: "b1" });
    t.is(unknown.state, RecordState.UNKNOWN);
    t.is(unknown.transaction, undefined);

    t.is(await world.request("bet", { sessionId, txId: "b1", roundId: "r7", amountMinor: 250n }), "success");
    const { state, transaction, reversedBy } = await ask.transaction({ sessionId, txId: "b1" });
    t.is(state, RecordState.FOUND);
    t.is(reversedBy, "");
    t.like(transaction, {
      txId: "b1",
      wireTxId: "ACME:b1",
      action: TransactionAction.BET,
      status: TransactionStatus.SUCCESS,
      error: "",
      balanceMinor: 9_750n,
      amountMinor: 250n,
      currency: "BRL",
      playerRef,
      game: "fruits",
      roundId: "r7",
      refTxId: "",
      reversedBy: "",
      merchant: "shop-brl",
    });
    t.true(transaction?.createdAt !== undefined && Math.abs(timestampMs(transaction.createdAt) - Date.now()) < HOUR_MS);

    t.is(await world.request("bet", { sessionId, txId: "b2", amountMinor: 99_999n }), "failed:INSUFFICIENT_FUNDS");
    t.like((await ask.transaction({ playerRef, txId: "b2" })).transaction, {
      status: TransactionStatus.FAILED,
      error: "INSUFFICIENT_FUNDS",
    });

    t.is(await world.request("refund", { sessionId, txId: "f1", refTxId: "b1", roundId: "r7" }), "success");
    t.like((await ask.transaction({ sessionId, txId: "b1" })).transaction, {
      status: TransactionStatus.SUCCESS,
      reversedBy: "f1",
    });
    t.like((await ask.transaction({ sessionId, txId: "f1" })).transaction, {
      action: TransactionAction.REFUND,
      refTxId: "b1",
      balanceMinor: 10_000n,
    });
    // A second refund gets the result of the first, and so does the question about it.
    t.is(await world.request("refund", { sessionId, txId: "f2", refTxId: "b1", roundId: "r7" }), "success");
    t.like((await ask.transaction({ sessionId, txId: "f2" })).transaction, { txId: "f1", wireTxId: "ACME:f1" });

    const settlement = { txId: "w5", betTxId: "b5", settles: true, roundId: "r9", amountMinor: 0n, currency: "BRL" };
    t.is(await world.request("bet", { sessionId, txId: "b5", roundId: "r9" }), "success");
    await patiently(() =>
      world.callerOf(world.first).call(WalletService.method.payWin, { ...settlement, sessionId }, { keys: world.keys }),
    );
    t.like((await ask.transaction({ sessionId, txId: "b5" })).transaction, { settledBy: "w5", reversedBy: "" });
    t.is((await ask.transaction({ sessionId, txId: "w5" })).state, RecordState.UNKNOWN);

    await world.request("refund", { sessionId, txId: "f3", refTxId: "never-came", roundId: "r8" });
    const marked = await ask.transaction({ sessionId, txId: "never-came" });
    t.is(marked.state, RecordState.MARKED);
    t.is(marked.transaction, undefined);
    t.is(marked.reversedBy, "f3");
    t.regex(
      await world.request("bet", { sessionId, txId: "never-came", roundId: "r8" }),
      /TRANSACTION_REVERSED|pending/,
    );
  });

  test.serial(
    `${name}: a question without a session or player searches all merchants, and refuses to choose between two`,
    async (t) => {
      const world = await startWorld(t, await database());
      const [brl, clp] = [await world.session("shop-brl"), await world.session("shop-clp")];
      const ask = questions(world);
      t.is((await ask.transaction({ txId: "w1" })).state, RecordState.UNKNOWN);
      t.is((await ask.round({ roundId: "r1" })).state, RecordState.UNKNOWN);
      t.is(await world.request("win", { sessionId: clp, txId: "w1", currency: "CLP" }), "success");
      t.is((await ask.transaction({ txId: "w1" })).transaction?.merchant, "shop-clp");
      t.is((await ask.round({ roundId: "r1" })).transactions[0]?.merchant, "shop-clp");
      t.is((await ask.transaction({ sessionId: brl, txId: "w1" })).state, RecordState.UNKNOWN);

      t.is(await world.request("win", { sessionId: brl, txId: "w1" }), "success");
      for (const [method, request] of [
        [getTransaction, { txId: "w1" }],
        [getRound, { roundId: "r1" }],
      ] as const) {
        t.is(await ask.refusal(method, request), "VALIDATION_ERROR session_id");
      }
      t.is((await ask.transaction({ sessionId: brl, txId: "w1" })).transaction?.merchant, "shop-brl");
      t.is((await ask.round({ sessionId: clp, roundId: "r1" })).transactions[0]?.merchant, "shop-clp");
    },
  );

  test.serial(`${name}: GetRound gives a round page by page, oldest first`, async (t) => {
    const world = await startWorld(t, await database());
    const sessionId = await world.session();
    const ask = questions(world);
    const ids = ["b1", "b2", "w1", "w2", "w3"];
    for (const txId of ids)
      t.is(await world.request(txId.startsWith("b") ? "bet" : "win", { sessionId, txId, roundId: "r1" }), "success");
    t.is(await world.request("win", { sessionId, txId: "w9", roundId: "r2" }), "success");

    const whole = await ask.round({ sessionId, roundId: "r1" });
    t.deepEqual([whole.state, whole.nextCursor], [RecordState.FOUND, ""]);
    t.deepEqual(
      whole.transactions.map(({ txId }) => txId),
      ids,
    );
    const read: string[] = [];
    const pages: number[] = [];
    for (let cursor = ""; pages.length === 0 || cursor !== ""; ) {
      const page = await ask.round({ sessionId, roundId: "r1", limit: 2, cursor });
      read.push(...page.transactions.map(({ txId }) => txId));
      pages.push(page.transactions.length);
      cursor = page.nextCursor;
    }
    t.deepEqual([read, pages], [ids, [2, 2, 1]]);

    const { nextCursor } = await ask.round({ sessionId, roundId: "r1", limit: 2 });
    for (const request of [
      { sessionId, roundId: "r2", cursor: nextCursor },
      { sessionId, roundId: "r3", cursor: nextCursor },
      { sessionId, roundId: "r1", cursor: "x" },
      { sessionId, roundId: "r1", limit: 1_001 },
    ] as Record<string, string | number>[]) {
      const field = request.limit === 1_001 ? "limit" : "cursor";
      t.is(await ask.refusal(getRound, request), `VALIDATION_ERROR ${field}`);
    }
  });

  test.serial(`${name}: GetSession says what a session is, and only touch makes its time begin again`, async (t) => {
    const world = await startWorld(t, await database());
    const sessionId = await world.session("shop-brl", { lang: "pt-BR", country: "BR" });
    const ask = questions(world);
    const expiresAt = async (touch = false): Promise<number> => {
      const reply = await ask.session({ sessionId, touch });
      return reply.expiresAt === undefined ? 0 : timestampMs(reply.expiresAt);
    };
    const { $typeName: _, expiresAt: first, ...session } = await ask.session({ sessionId });
    t.deepEqual(session, {
      playerRef: world.opened.at(-1)?.playerRef ?? "",
      currency: "BRL",
      country: "BR",
      language: "pt-BR",
      merchant: "shop-brl",
      brand: "shop",
      jurisdiction: "",
      game: "fruits",
      acceptsBets: true,
    });
    t.true(first !== undefined && Math.abs(timestampMs(first) - Date.now() - 24 * HOUR_MS) < HOUR_MS);

    await age(world, 23 * HOUR_MS);
    const before = await expiresAt();
    t.is(await expiresAt(), before);
    t.true((await expiresAt(true)) > before + 22 * HOUR_MS);
    t.true((await expiresAt()) > before + 22 * HOUR_MS);
    t.is(world.callbacks.length, 0);
  });

  test.serial(`${name}: GetSession and OpenGame have the merchant's present jurisdiction`, async (t) => {
    const world = await startWorld(t, await database());
    const sessionId = await world.session();
    t.is(world.opened.at(-1)?.jurisdiction, "");
    const ask = questions(world);
    for (const jurisdiction of ["MX", "AR-B", null]) {
      const merchant = merchantRecord("shop-brl", {
        brand: "shop",
        products: ["slot"],
        jurisdiction,
        secret: world.secrets.get("shop-brl") ?? "",
      });
      await world.settings.save({ kind: "merchant", merchant });
      const told = jurisdiction ?? "";
      while ((await ask.session({ sessionId })).jurisdiction !== told);
      await world.session();
      t.is(world.opened.at(-1)?.jurisdiction, told);
    }
  });

  test.serial(`${name}: an expired session stays expired; a disabled merchant takes no bets`, async (t) => {
    const world = await startWorldOfProcesses(t, await database());
    const sessionId = await world.session();
    await world.settings.save({
      kind: "merchant",
      merchant: merchantRecord("shop-brl", { brand: "shop", products: ["slot"], enabled: false }),
    });
    const ask = questions(world);
    let reply = await ask.session({ sessionId });
    while (reply.acceptsBets) reply = await ask.session({ sessionId });
    t.true(
      timestampMs(reply.expiresAt ?? { $typeName: "google.protobuf.Timestamp", seconds: 0n, nanos: 0 }) > Date.now(),
    );
  });

  test.serial(
    `${name}: a provider learns nothing of another provider's transactions, rounds and sessions`,
    async (t) => {
      const world = await startWorld(t, await database());
      const sessionId = await world.session();
      const playerRef = world.opened.at(-1)?.playerRef ?? "";
      t.is(await world.request("bet", { sessionId, txId: "b1", roundId: "r1" }), "success");
      await world.request("refund", { sessionId, txId: "f2", refTxId: "b2", roundId: "r1" });
      const rivalKey = await addRival(world);
      const rival = questions(world, [rivalKey]);
      while ((await rival.refusal(getSession, { sessionId })) === "INVALID_API_KEY");

      for (const txId of ["b1", "f2", "b2", "ACME:b1"])
        t.is((await rival.transaction({ txId })).state, RecordState.UNKNOWN, txId);
      t.like(await rival.round({ roundId: "r1" }), { state: RecordState.UNKNOWN, transactions: [] });
      for (const [method, request, field] of [
        [getSession, { sessionId }, "session_id"],
        [getTransaction, { sessionId, txId: "b1" }, "session_id"],
        [getTransaction, { playerRef, txId: "b1" }, "player_ref"],
        [getRound, { sessionId, roundId: "r1" }, "session_id"],
        [getRound, { playerRef, roundId: "r1" }, "player_ref"],
      ] as const) {
        t.is(await rival.refusal(method, request), `SESSION_NOT_FOUND ${field}`);
      }
      // The other provider may have the same ids at the same merchant.
      await world.session("shop-brl", { game: "cards" });
      t.is((await rival.transaction({ playerRef, txId: "b1" })).state, RecordState.UNKNOWN);
      t.is((await rival.round({ playerRef, roundId: "r1" })).state, RecordState.UNKNOWN);
      t.is(await rival.refusal(getSession, { sessionId }), "SESSION_NOT_FOUND session_id");
    },
  );

  test.serial(`${name}: wrong requests get the codes of the other calls`, async (t) => {
    const world = await startWorld(t, await database());
    const ask = questions(world);
    const demo = await world.session("shop-brl", { demo: true });
    const cases: [Parameters<typeof ask.refusal>[0], Record<string, string>, string][] = [
      [getTransaction, {}, "VALIDATION_ERROR tx_id"],
      [getTransaction, { txId: "x".repeat(96) }, "VALIDATION_ERROR tx_id"],
      [getRound, {}, "VALIDATION_ERROR round_id"],
      [getSession, {}, "VALIDATION_ERROR session_id"],
      [getSession, { sessionId: "unknown" }, "SESSION_NOT_FOUND session_id"],
      [getSession, { sessionId: demo }, "DEMO_SESSION session_id"],
      [getTransaction, { sessionId: demo, txId: "b1" }, "DEMO_SESSION session_id"],
    ];
    for (const [method, request, refusal] of cases) t.is(await ask.refusal(method, request), refusal);
    const stranger = questions(world, ["no-such-key-0123456789abcdef"]);
    for (const method of [getTransaction, getRound, getSession])
      t.is(await stranger.refusal(method, {}), "INVALID_API_KEY");
  });
}

/** Sends the same change to one replica, and asks another one at once. */
async function onTwoReplicas(t: ExecutionContext) {
  const world = await startWorldOfProcesses(t, { databaseUrl: await server.createDatabase() });
  const second = await world.start();
  return { world, second, ask: questions(world, world.keys, second) };
}

test.serial("two replicas: each knows at once what the other has stored", async (t) => {
  const { world, ask } = await onTwoReplicas(t);
  const sessionId = await world.session();
  const playerRef = world.opened.at(-1)?.playerRef ?? "";
  for (let n = 1; n <= 20; n++) {
    const txId = `b${n}`;
    // The second replica is asked before, so that an answer in its memory would be wrong afterwards.
    t.is((await ask.transaction({ sessionId, txId })).state, RecordState.UNKNOWN);
    t.is(await world.request("bet", { sessionId, txId, roundId: "r1" }), "success");
    t.is((await ask.transaction({ sessionId, txId })).transaction?.status, TransactionStatus.SUCCESS);
    t.is((await ask.round({ playerRef, roundId: "r1" })).transactions.length, 2 * n - 1);
    t.is(await world.request("refund", { sessionId, txId: `f${n}`, refTxId: txId, roundId: "r1" }), "success");
    t.is((await ask.transaction({ sessionId, txId })).transaction?.reversedBy, `f${n}`);
    t.is((await ask.round({ playerRef, roundId: "r1" })).transactions.length, 2 * n);
  }
});

test.serial(
  "two replicas: a touch on one is seen on the other at once, and an expired session stays expired on both",
  async (t) => {
    const { world, second, ask } = await onTwoReplicas(t);
    const first = questions(world);
    const sessionId = await world.session();
    const expiry = async (on: typeof ask, touch = false): Promise<bigint> =>
      (await on.session({ sessionId, touch })).expiresAt?.seconds ?? 0n;
    for (let n = 0; n < 5; n++) {
      await age(world, HOUR_MS);
      const before = await expiry(ask);
      const touched = await expiry(first, true);
      t.true(touched > before + 3_000n);
      t.is(await expiry(ask), touched);
    }
    await age(world, 25 * HOUR_MS);
    // The second replica has never used the session, so it goes by what is stored.
    t.false((await ask.session({ sessionId, touch: true })).acceptsBets);
    t.is(await world.request("bet", { sessionId, txId: "late" }, second), "SESSION_EXPIRED");
  },
);
