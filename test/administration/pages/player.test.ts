/** What may be wrong with a player's money, in a whole service with a wallet. */
import type { PlayerTrouble } from "../../../src/gen/aggregator/admin/v1/player_pb.ts";
import { ADMIN_KEY, adminOf, refusalOf } from "../../../testbed/callers/administration.ts";
import { storedRow, storeRows } from "../../../testbed/database/stored-rows.ts";
import { until } from "../../../testbed/stage/sportsbook-world.ts";
import { startWorld } from "../../../testbed/stage/world.ts";
import { onBothDatabases } from "../databases.ts";

const test = onBothDatabases();
const merchant = "shop-brl";
const DAY_MS = 86_400_000;

const inShort = ({ kind, transaction }: PlayerTrouble): string =>
  `${kind} ${transaction?.action} ${transaction?.txId.replace("ACME:", "")} ${transaction?.amountMinor}`;

test("a player's refused, pending and contradictory transactions are found, with the newest balance that the service knows", async (t, url) => {
  t.timeout(180_000);
  const env = { ADMIN_KEY, WALLET_TIMEOUT_MS: "1000", REFUND_QUIET_PERIOD_MS: "0" };
  const world = await startWorld(t, { databaseUrl: url, env });
  const { knex } = world.database;
  const of = (key?: string) => adminOf({ ports: world.first.ports } as never, key);
  const keyOf = async (role: "viewer" | "support") =>
    of((await of().keys.createKey({ role, name: `${role}-1`, reason: "a test" })).key);
  const [viewer, support] = [await keyOf("viewer"), await keyOf("support")];
  const show = (player = "ana") => support.console.getPlayer({ merchant, player });
  const none = await show();
  t.deepEqual([none.troubles, none.lastBalance, none.more, none.currency], [[], undefined, false, "BRL"]);

  const sessionId = await world.session();
  for (const txId of ["b1", "b2", "b3"]) t.is(await world.request("bet", { sessionId, txId }), "success");
  world.wallet.setFault({ kind: "rejected" });
  t.regex(await world.request("win", { sessionId, txId: "owed" }), /^failed/);
  t.regex(await world.request("bet", { sessionId, txId: "refused" }), /^failed/);
  world.wallet.setFault({ kind: "http_500" });
  t.is(await world.request("bet", { sessionId, txId: "unknown" }), "pending");
  t.is(await world.request("refund", { sessionId, txId: "f2", refTxId: "b2" }), "pending");
  await until(async () => (await show()).troubles.length === 3);
  const found = await show();
  t.deepEqual(found.troubles.map(inShort), ["pending refund f2 250", "pending bet unknown 250", "owed win owed 250"]);
  t.deepEqual([found.lastBalance?.txId, found.lastBalance?.balanceMinor], ["ACME:b3", 9_250n]);
  t.deepEqual((await show("bea")).troubles, [], "these are ana's");

  // The wallet accepted a refund of a bet that it had rejected, and the sequencer numbers the change.
  await until(
    async () => (await knex("tx").whereNull("feed_seq").whereNotNull("balance_minor").select("id")).length === 0,
  );
  await knex("tx").where({ tx_id: "ACME:b1" }).update({ error: "PLAYER_BLOCKED", feed_seq: null });
  await until(async () => (await show()).troubles.length === 4);
  t.is(inShort((await show()).troubles.at(-1) as PlayerTrouble), "contradiction bet b1 250");

  // A win that the wallet accepts later has the newest balance, although it was created earlier. The service sends the
  // refund again by itself, so the refund must be accepted before the win.
  world.wallet.setFault({ kind: "none" });
  await until(
    async () => !(await show()).troubles.map(inShort).some((trouble) => trouble.startsWith("pending refund")),
  );
  t.is(await world.request("win", { sessionId, txId: "owed" }), "success");
  const paid = await show();
  t.false(paid.troubles.map(inShort).includes("owed win owed 250"));
  t.is(paid.lastBalance?.txId, "ACME:owed");

  // Only the newest 2,000 transactions are looked at.
  const game = await knex("games").first("id", "provider_id");
  const { id } = await knex("merchants").where({ code: merchant }).first("id");
  const refs = { merchantId: Number(id), providerId: Number(game.provider_id), gameId: Number(game.id) };
  const now = Date.now();
  const old = (own: number, more: object) =>
    storedRow({
      ...refs,
      txId: `ACME:old-${own}`,
      playerId: "cai",
      createdAt: now - DAY_MS - own,
      feedSeq: 1,
      ...more,
    });
  const lost = { action: "bet", status: "pending", feedSeq: 0 };
  await storeRows(world.database, [
    ...Array.from({ length: 1_999 }, (_, i) => old(i, { balanceMinor: 5n })),
    old(1_999, lost),
  ]);
  const whole = await show("cai");
  t.deepEqual([whole.troubles.map(inShort), whole.more], [["pending bet old-1999 250"], false]);
  await storeRows(world.database, [old(2_000, lost)]);
  t.deepEqual(
    [(await show("cai")).troubles.map(inShort), (await show("cai")).more],
    [["pending bet old-1999 250"], true],
  );

  t.is(await refusalOf(viewer.console.getPlayer({ merchant, player: "ana" })), "ROLE_NOT_ALLOWED");
  t.is(await refusalOf(support.console.getPlayer({ merchant: "nobody", player: "ana" })), "RECORD_NOT_FOUND merchant");
  t.is(await refusalOf(support.console.getPlayer({ merchant, player: "" })), "VALIDATION_ERROR player");
  const { entries } = await of().audit.listAuditEntries({ action: "transaction player", limit: 1 });
  t.like(entries, { 0: { actor: "support-1", target: `player ${merchant} cai` } });
});
