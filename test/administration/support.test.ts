import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ExecutionContext } from "ava";
import { ADMIN_KEY, adminOf, refusalOf } from "../../testbed/callers/administration.ts";
import { startWorld } from "../../testbed/stage/world.ts";
import { onBothDatabases } from "./databases.ts";

const test = onBothDatabases();
const merchant = "shop-brl";
const reason = "ticket 17";

/** A world with its administration. `age` makes a transaction older than the horizon. */
async function administered(t: ExecutionContext, databaseUrl: string) {
  const env = { ADMIN_KEY, WALLET_TIMEOUT_MS: "3000", REFUND_QUIET_PERIOD_MS: "0" };
  const world = await startWorld(t, { databaseUrl, env });
  const admin = adminOf({ ports: world.first.ports } as never);
  const show = async (id: string) =>
    (await admin.transactions.getTransaction({ merchant, txId: `ACME:${id}` })).transaction;
  const age = (id: string) =>
    world.database
      .knex("tx")
      .where({ tx_id: `ACME:${id}` })
      .decrement("opened_at", 73 * 3_600_000);
  return { world, ...admin, show, age };
}

test("the log of the first call shows a wrong wallet path, and a secret on the wallet's page is masked", async (t, url) => {
  const { world, merchants, transactions } = await administered(t, url);
  const sessionId = await world.session();
  const secret = world.secrets.get(merchant);
  const server = createServer((request, response) => {
    const signature = request.headers["x-signature"];
    response.writeHead(404, { "Content-Type": "text/html" });
    response.end(`<h1>Cannot POST ${request.url}</h1>\n${secret} X-Signature: ${signature} 😀`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => server.close());
  await merchants.setMerchant({
    code: merchant,
    walletUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/walet`,
    reason,
  });
  await pause(1_500);
  t.is(await world.request("bet", { sessionId, txId: "lost", roundId: "r1" }), "pending");

  const seen = {
    httpStatus: 404,
    result: "not_json",
    replyStart: "<h1>Cannot POST /walet</h1>\\n*** X-Signature: *** 😀",
  };
  const { attemptLog } = await transactions.getTransaction({ merchant, txId: "ACME:lost" });
  t.like(attemptLog, { 0: seen, length: 1 });
  const shown = await world.rest("GET", "/v1/transactions/ACME:lost");
  t.like(shown, { ok: true, data: { attempt_log: [{ http_status: 404, reply_start: seen.replyStart }] } });
  const { attempt_log: stored } = await world.database.knex("tx").where({ tx_id: "ACME:lost" }).first();
  t.false(String(stored).includes(String(secret)));
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test("support finds and shows transactions with their wallet calls, and each read is in the audit log", async (t, url) => {
  const { world, transactions, audit, show } = await administered(t, url);
  const sessionId = await world.session();
  await world.request("bet", { sessionId, txId: "b1", roundId: "r1" });
  world.wallet.setFault({ kind: "http_500" });
  await world.request("bet", { sessionId, txId: "b2", roundId: "r2" });
  world.wallet.setFault({ kind: "none" });
  await world.request("bet", { sessionId, txId: "b2", roundId: "r2" });
  await world.request("refund", { sessionId, txId: "f1", refTxId: "b1", roundId: "r1" });

  const { transaction, attemptLog } = await transactions.getTransaction({ merchant, txId: "ACME:b2" });
  t.like(transaction, {
    merchant,
    txId: "ACME:b2",
    roundId: "r2",
    action: "bet",
    amountMinor: 250n,
    currency: "BRL",
    status: "success",
    provider: "ACME",
    game: "fruits",
    playerId: "ana",
    attempts: 2,
    lastResult: "accepted",
    resolvedBy: "resend",
    reversedBy: "",
    inFlight: false,
    balanceMinor: 9_500n,
  });
  t.deepEqual(
    attemptLog.map(({ n, httpStatus, result }) => [n, httpStatus, result]),
    [
      [1, 500, "http_5xx"],
      [2, 200, "accepted"],
    ],
  );
  t.deepEqual(
    attemptLog.map(({ replyStart }) => replyStart),
    ['{"ok":true,"balance":1}', ""],
  );
  t.true(attemptLog.every(({ requestId, durationMs }) => requestId.length === 36 && durationMs !== undefined));
  t.is((await show("b1"))?.reversedBy, "ACME:f1");

  const ids = async (filter: object) =>
    (await transactions.listTransactions({ merchant, ...filter })).transactions.map(({ txId }) =>
      txId.replace("ACME:", ""),
    );
  t.deepEqual(await ids({}), ["f1", "b2", "b1"]);
  t.deepEqual(await ids({ roundId: "r1" }), ["f1", "b1"]);
  t.deepEqual(await ids({ action: "bet", status: "success" }), ["b2", "b1"]);
  t.deepEqual(await ids({ refTxId: "ACME:b1" }), ["f1"]);
  t.deepEqual(await ids({ txId: "ACME:b1", provider: "ACME", game: "fruits", playerId: "ana" }), ["b1"]);
  for (const none of [
    { playerId: "rui" },
    { provider: "OTHER" },
    { game: "other" },
    { status: "pending" },
    { to: { seconds: 1n, nanos: 0 } },
  ])
    t.deepEqual(await ids(none), []);
  const first = await transactions.listTransactions({ merchant, limit: 2 });
  const rest = await transactions.listTransactions({ merchant, limit: 2, cursor: first.nextCursor });
  t.deepEqual(
    [...first.transactions, ...rest.transactions].map(({ txId }) => txId),
    ["ACME:f1", "ACME:b2", "ACME:b1"],
  );
  t.is(rest.nextCursor, "");

  const { nextCursor: cursor } = await transactions.listTransactions({ merchant, action: "bet", limit: 1 });
  const aDayAfter = Date.now();
  await world.database
    .knex("tx")
    .where({ tx_id: "ACME:b1" })
    .update({ created_at: aDayAfter - 86_400_000 });
  while (Date.now() < aDayAfter + 5) await pause(1);
  t.deepEqual(await ids({ action: "bet" }), ["b2"], "b1 has become older than a day");
  t.deepEqual(await ids({ cursor }), ["b1"], "what was begun before goes on as it began");
  t.deepEqual(await ids({ action: "bet", limit: 1, cursor }), ["b1"], "its choice may be repeated");
  t.is(
    await refusalOf(ids({ action: "win", from: { seconds: 1n, nanos: 0 }, cursor })),
    "VALIDATION_ERROR from action",
  );
  t.is(await refusalOf(transactions.listTransactions({ merchant: "shop-clp", cursor })), "VALIDATION_ERROR cursor");

  t.is(await refusalOf(show("nothing")), "TRANSACTION_NOT_FOUND tx_id");
  t.is(
    await refusalOf(transactions.getTransaction({ merchant: "nobody", txId: "ACME:b1" })),
    "RECORD_NOT_FOUND merchant",
  );
  t.is(await refusalOf(ids({ status: "void", action: "balance" })), "VALIDATION_ERROR status action");

  const looks = (await audit.listAuditEntries({ action: "transaction" })).entries;
  t.deepEqual(
    looks.filter(({ action }) => action === "transaction show").map(({ actor, target }) => [actor, target]),
    ["nothing", "b1", "b2"].map((id) => ["ADMIN_KEY", `transaction shop-brl ACME:${id}`]),
  );
  t.true(
    looks.some(
      ({ action, target, changes }) =>
        action === "transaction list" &&
        target === "merchant shop-brl" &&
        changes.some(({ field }) => field === "round_id"),
    ),
  );
});

test("support resends a failed credit once, with the credit's own id", async (t, url) => {
  const { world, transactions, audit, show } = await administered(t, url);
  const sessionId = await world.session();
  world.wallet.setFault({ kind: "rejected" });
  t.regex(await world.request("win", { sessionId, txId: "w1" }), /^failed:/);
  world.wallet.setFault({ kind: "none" });
  await world.request("bet", { sessionId, txId: "b1" });
  const before = world.balance();

  const key = { merchant, txId: "ACME:w1" };
  t.is(await refusalOf(transactions.resendTransaction(key)), "VALIDATION_ERROR reason");
  t.is(await refusalOf(transactions.resendTransaction({ merchant, txId: "ACME:b1", reason })), "NOT_RESENDABLE status");
  t.is(
    await refusalOf(transactions.resendTransaction({ merchant, txId: "ACME:x", reason })),
    "TRANSACTION_NOT_FOUND tx_id",
  );
  const resolutions = await Promise.allSettled(
    Array.from({ length: 5 }, () => transactions.resendTransaction({ ...key, reason })),
  );
  t.true(resolutions.some(({ status }) => status === "fulfilled"));
  while ((await show("w1"))?.status !== "success") await pause(50);
  t.is(world.balance(), before + 250n);
  t.like(await show("w1"), { resolvedBy: "resend", error: "" });
  t.is(await refusalOf(transactions.resendTransaction({ ...key, reason })), "NOT_RESENDABLE status");
  const [entry] = (await audit.listAuditEntries({ action: "transaction resend", limit: 1 })).entries;
  t.like(entry, { actor: "ADMIN_KEY", target: "transaction shop-brl ACME:w1", reason });
});

test("support can close a bet only if nothing else can end it", async (t, url) => {
  const { world, transactions, audit, show, age } = await administered(t, url);
  const sessionId = await world.session();
  world.wallet.setFault({ kind: "http_500" });
  for (const txId of ["b1", "b2"]) t.is(await world.request("bet", { sessionId, txId }), "pending");
  const key = { merchant, txId: "ACME:b1", reason };
  t.is(await refusalOf(transactions.resolveTransaction({ ...key, status: "success" })), "NOT_RESOLVABLE opened_at");
  t.is(
    await refusalOf(transactions.resolveTransaction({ merchant, txId: "ACME:b1", status: "void" })),
    "VALIDATION_ERROR status reason",
  );
  for (const id of ["b1", "b2"]) await age(id);
  world.wallet.setFault({ kind: "slow", ms: 800 });
  const repeated = world.request("bet", { sessionId, txId: "b2" });
  while (!(await show("b2"))?.inFlight) await pause(10);
  t.is(
    await refusalOf(transactions.resolveTransaction({ ...key, txId: "ACME:b2", status: "failed" })),
    "NOT_RESOLVABLE in_flight",
  );
  t.is(await repeated, "success");

  const calls = world.calls("b1");
  const { transaction, reversed } = await transactions.resolveTransaction({ ...key, status: "success" });
  t.like(transaction, { status: "success", resolvedBy: "manual", balanceMinor: undefined });
  t.is(reversed, undefined);
  t.is(await world.request("bet", { sessionId, txId: "b1" }), "success");
  t.is(world.calls("b1"), calls, "the wallet isn't asked again");
  t.is(await refusalOf(transactions.resolveTransaction({ ...key, status: "failed" })), "NOT_RESOLVABLE status");
  const [entry] = (await audit.listAuditEntries({ action: "transaction resolve" })).entries;
  t.like(entry, { reason, target: "transaction shop-brl ACME:b1" });
  t.like(entry?.changes[0], { field: "status", from: '"pending"', to: '"success"' });
});

for (const [outcome, ends] of [
  ["success", ["success", "success"]],
  ["failed", ["failed", "failed"]],
] as const) {
  test(`a refund and the pending bet that it reverses are closed together as ${outcome}`, async (t, url) => {
    const { world, transactions, show, age } = await administered(t, url);
    const sessionId = await world.session();
    world.wallet.setFault({ kind: "http_500" });
    t.is(await world.request("bet", { sessionId, txId: "b1" }), "pending");
    t.is(await world.request("refund", { sessionId, txId: "f1", refTxId: "b1" }), "pending");
    await age("f1");
    t.is(
      await refusalOf(transactions.resolveTransaction({ merchant, txId: "ACME:b1", status: outcome, reason })),
      "NOT_RESOLVABLE reversed_by",
    );
    // The next attempt comes after the horizon. It is the last attempt.
    for (let row = await show("f1"); row?.inFlight || row?.nextAttemptAt !== undefined; row = await show("f1"))
      await pause(20);
    const { transaction, reversed } = await transactions.resolveTransaction({
      merchant,
      txId: "ACME:f1",
      status: outcome,
      reason,
    });
    t.deepEqual([transaction?.status, reversed?.status], [...ends]);
    t.like(transaction, { resolvedBy: "manual", error: outcome === "failed" ? "TRANSACTION_NOT_FOUND" : "" });
    t.is(reversed?.resolvedBy, "refund:ACME:f1");
    t.like(await show("f1"), { nextAttemptAt: undefined });
    world.wallet.setFault({ kind: "none" });
    t.is(
      await world.request("bet", { sessionId, txId: "b1" }),
      outcome === "success" ? "TRANSACTION_REVERSED" : "failed:TRANSACTION_NOT_FOUND",
    );
  });
}
