/** The timeline of a transaction and the search, through a whole service with a wallet. */
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ExecutionContext } from "ava";
import type { TimelineTransaction } from "../../../src/gen/aggregator/admin/v1/timeline_pb.ts";
import { ADMIN_KEY, adminOf, refusalOf } from "../../../testbed/callers/administration.ts";
import { startSportsbookWorld, until } from "../../../testbed/stage/sportsbook-world.ts";
import { onBothDatabases } from "../databases.ts";

const test = onBothDatabases();
const merchant = "shop-brl";

async function administered(t: ExecutionContext, databaseUrl: string) {
  const env = { ADMIN_KEY, WALLET_TIMEOUT_MS: "3000", REFUND_QUIET_PERIOD_MS: "0" };
  const world = await startSportsbookWorld(t, { databaseUrl, env });
  const admin = adminOf({ ports: world.first.ports } as never);
  const { key } = await admin.keys.createKey({ role: "support", name: "ana" });
  const support = adminOf({ ports: world.first.ports } as never, key);
  const timeline = async (txId: string) => {
    const found = (await support.console.getTimeline({ merchant, txId })).timeline;
    if (found === undefined) throw new Error(`no timeline of ${txId}`);
    return found;
  };
  return { world, admin, support, timeline };
}

const inShort = (part: TimelineTransaction | undefined): string =>
  part === undefined
    ? ""
    : `${part.transaction?.txId} ${part.transaction?.status}: ${part.attemptLog.map(({ result }) => result).join(" ")}`;

test("a timeline has the wallet calls of a bet and its refund, its slip, the actions that are possible, and who has read it", async (t, url) => {
  const { world, admin, support, timeline } = await administered(t, url);
  await world.launch("ana", { game: "fruits" });
  const acme = world.opened.at(-1)?.sessionId ?? "";
  world.wallet.setFault({ kind: "http_500" });
  t.is(await world.request("bet", { sessionId: acme, txId: "b1", roundId: "r1" }), "pending");
  const pending = await timeline("ACME:b1");
  t.is(inShort(pending.transaction), "ACME:b1 pending: http_5xx");
  t.deepEqual([pending.resendable, pending.resolvable, pending.notResolvableBecause], [false, false, "opened_at"]);
  const { transaction, horizonAt } = pending.transaction ?? {};
  t.is((horizonAt && timestampMs(horizonAt)) ?? 0, timestampMs(transaction?.openedAt as never) + 72 * 3_600_000);
  t.is(pending.related, undefined);
  t.is(pending.slip, undefined);

  await world.database
    .knex("tx")
    .where({ tx_id: "ACME:b1" })
    .decrement("opened_at", 73 * 3_600_000);
  t.deepEqual([(await timeline("ACME:b1")).resolvable, (await timeline("ACME:b1")).notResolvableBecause], [true, ""]);
  world.wallet.setFault({ kind: "none" });
  t.is(await world.request("bet", { sessionId: acme, txId: "b1", roundId: "r1" }), "success");
  t.is(await world.request("refund", { sessionId: acme, txId: "f1", refTxId: "b1", roundId: "r1" }), "success");

  const bet = await timeline("ACME:b1");
  t.is(inShort(bet.transaction), "ACME:b1 success: http_5xx accepted");
  t.is(inShort(bet.related), "ACME:f1 success: accepted");
  t.deepEqual([bet.resendable, bet.notResolvableBecause], [false, "status"]);
  t.is(bet.transaction?.horizonAt, undefined);
  const refund = await timeline("ACME:f1");
  t.is(inShort(refund.transaction), inShort(bet.related));
  t.is(inShort(refund.related), inShort(bet.transaction));

  await admin.transactions.getTransaction({ merchant, txId: "ACME:f1" });
  const who = (await timeline("ACME:f1")).auditEntries.map(
    ({ actor, action, target }) => `${actor} ${action} ${target}`,
  );
  t.deepEqual(
    who.filter((line) => line.startsWith("ADMIN_KEY")),
    [`ADMIN_KEY transaction show transaction ${merchant} ACME:f1`],
  );
  t.true(who.includes(`ana transaction show transaction ${merchant} ACME:b1`), "the bet's entries are here too");
  t.is(who.at(-1), `ana transaction show transaction ${merchant} ACME:f1`, "this look is the last entry");

  t.is(await refusalOf(support.console.getTimeline({ merchant, txId: "ACME:none" })), "TRANSACTION_NOT_FOUND tx_id");
  t.is(await refusalOf(support.console.getTimeline({ merchant: "none", txId: "x" })), "RECORD_NOT_FOUND merchant");

  // A win that the wallet has rejected.
  await world.launch("leo", { game: "fruits" });
  const owed = world.opened.at(-1)?.sessionId ?? "";
  world.wallet.ledger.addPlayer(merchant, "leo", 1_000n);
  await world.request("bet", { sessionId: owed, txId: "b2", roundId: "r2" });
  world.wallet.setFault({ kind: "http_500" });
  t.is(await world.request("win", { sessionId: owed, txId: "w1", roundId: "r2" }), "pending");
  t.true((await timeline("ACME:w1")).resendable);
  world.wallet.setFault({ kind: "none" });
  await support.transactions.resendTransaction({ merchant, txId: "ACME:w1", reason: "it is back" });
  await until(async () => {
    const { transactions } = await support.transactions.listTransactions({ merchant, txId: "ACME:w1" });
    return transactions[0]?.status === "success";
  });
  const paid = await timeline("ACME:w1");
  t.false(paid.resendable);
  t.true(paid.auditEntries.some(({ action, reason }) => action === "transaction resend" && reason === "it is back"));

  // A slip. The search also finds it by its refund.
  const slips = await world.session("eva");
  t.is(
    await world.slip(slips, "s1", "a:4000 b:7000 c:1"),
    "failed: a success/success, b failed INSUFFICIENT_FUNDS, c failed NOT_SENT",
  );
  for (const txId of ["SPORTSBOOK:a", "SPORTSBOOK:b", "SPORTSBOOK:refund~a"]) {
    const { slip } = await timeline(txId);
    t.like(slip, { slipId: "s1", status: "failed", failedTxId: "SPORTSBOOK:b", failure: "INSUFFICIENT_FUNDS" });
    t.deepEqual(
      slip?.bets.map(({ txId: id, amountMinor, status, reversedBy }) => [id, amountMinor, status, reversedBy]),
      [
        ["SPORTSBOOK:a", 4_000n, "success", "SPORTSBOOK:refund~a"],
        ["SPORTSBOOK:b", 7_000n, "failed", ""],
        ["SPORTSBOOK:c", 1n, "", ""],
      ],
      txId,
    );
  }
  t.is(await world.slip(slips, "s2", "d:100"), "success: d success");
  t.like((await timeline("SPORTSBOOK:d")).slip, { slipId: "s2", status: "accepted", failure: "", unfinished: false });
});

test("a search finds a transaction by its id, the provider's own id, its round or its player", async (t, url) => {
  const { world, admin, support } = await administered(t, url);
  for (const player of ["rui", "ana"]) {
    world.wallet.ledger.addPlayer(merchant, player, 100_000n);
    await world.launch(player, { game: "fruits" });
    const sessionId = world.opened.at(-1)?.sessionId ?? "";
    for (let n = 1; n <= 3; n++)
      await world.request("bet", { sessionId, txId: `${player}-${n}`, roundId: `round-${n}` });
  }
  const find = async (text: string, more: object = {}) => {
    const { hits, more: cut } = await support.console.searchTransactions({ text, ...more });
    return [...hits.map(({ matched, transaction }) => `${matched} ${transaction?.txId}`), ...(cut ? ["more"] : [])];
  };
  t.deepEqual(await find("ACME:rui-2"), ["tx_id ACME:rui-2"]);
  t.deepEqual(await find("rui-2"), ["tx_id ACME:rui-2"]);
  t.deepEqual(await find("round-3"), ["round_id ACME:ana-3", "round_id ACME:rui-3"]);
  t.deepEqual(await find("rui"), ["player_id ACME:rui-3", "player_id ACME:rui-2", "player_id ACME:rui-1"]);
  t.deepEqual(await find("rui", { limit: 2 }), ["player_id ACME:rui-3", "player_id ACME:rui-2", "more"]);
  t.deepEqual(await find("rui", { merchant: "shop-clp" }), []);
  t.deepEqual(await find("Rui"), []);
  t.deepEqual(await find("'; DROP TABLE tx; --"), []);
  t.deepEqual(await find("%"), []);

  t.is(await refusalOf(support.console.searchTransactions({})), "VALIDATION_ERROR text");
  t.is(await refusalOf(support.console.searchTransactions({ text: " \n " })), "VALIDATION_ERROR text");
  t.is(await refusalOf(support.console.searchTransactions({ text: "é".repeat(257) })), "VALIDATION_ERROR text");
  t.is(await refusalOf(support.console.searchTransactions({ text: "a", limit: 101 })), "VALIDATION_ERROR limit");
  t.is(await refusalOf(support.console.searchTransactions({ text: "a", merchant: "x" })), "RECORD_NOT_FOUND merchant");
  const { entries } = await admin.audit.listAuditEntries({ action: "transaction search", limit: 1 });
  t.like(entries[0], { actor: "ana", target: "all merchants" });
  t.is(entries[0]?.changes[0]?.to, '"%"');
});
