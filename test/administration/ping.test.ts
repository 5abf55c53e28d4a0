/** `merchant ping` over the admin API, with the real service and a real wallet. */
import { ADMIN_KEY, adminOf, refusalOf } from "../../testbed/callers/administration.ts";
import { startWorld, startWorldOfProcesses } from "../../testbed/stage/world.ts";
import { onBothDatabases } from "./databases.ts";

const test = onBothDatabases();
const code = "shop-brl";

test("a ping returns the balance, is in the audit log, and needs the role support", async (t, databaseUrl) => {
  const world = await startWorld(t, { databaseUrl, env: { ADMIN_KEY } });
  const admin = adminOf(world.first);
  const found = await admin.merchants.pingWallet({ code, player: "ana", reason: "ticket 4711" });
  t.like(found, { outcome: "balance", ok: true, httpStatus: 200, balanceMinor: 10_000n, error: "" });
  t.regex(found.text, /^balance 100 BRL, answered in \d+ ms\./);
  t.like(found.timings, { dnsMs: undefined, tlsMs: undefined });
  t.is(world.callbacks.length, 1);
  t.is(world.callbacks[0]?.signature, "ok");
  t.is(world.callbacks[0]?.headers["x-request-id"], found.requestId);

  await admin.merchants.disableMerchant({ code, reason: "test" });
  t.like(await admin.merchants.pingWallet({ code, player: "nobody" }), {
    outcome: "player_not_found",
    ok: true,
    error: "PLAYER_NOT_FOUND",
    balanceMinor: undefined,
  });
  const { entries } = await admin.audit.listAuditEntries({ action: "merchant ping" });
  t.deepEqual(
    entries.map(({ actor, target, reason }) => [actor, target, reason]),
    [
      ["ADMIN_KEY", `player ${code} nobody`, ""],
      ["ADMIN_KEY", `player ${code} ana`, "ticket 4711"],
    ],
  );

  t.is(await refusalOf(admin.merchants.pingWallet({ code, player: "" })), "VALIDATION_ERROR player");
  t.is(await refusalOf(admin.merchants.pingWallet({ code: "nobody", player: "ana" })), "RECORD_NOT_FOUND code");
  const { key: viewer } = await admin.keys.createKey({ role: "viewer" });
  const { key: support } = await admin.keys.createKey({ role: "support" });
  t.is(await refusalOf(adminOf(world.first, viewer).merchants.pingWallet({ code, player: "ana" })), "ROLE_NOT_ALLOWED");
  t.true((await adminOf(world.first, support).merchants.pingWallet({ code, player: "ana" })).ok);
  t.is(world.callbacks.length, 3);
});

test("each merchant has a limit for pings; pings take no permit, do not open the circuit breaker and raise no alert", async (t, databaseUrl) => {
  const env = { ADMIN_KEY, WALLET_TIMEOUT_MS: "1500", WALLET_CONCURRENCY_PER_MERCHANT: "1" };
  const world = await startWorldOfProcesses(t, { databaseUrl, env });
  const { merchants } = adminOf(world.first);
  const sessionId = await world.session();
  t.is(await world.request("bet", { sessionId, txId: "before" }), "success");

  // A bet without an answer holds the only permit. A ping needs no permit.
  world.wallet.setFault({ kind: "silent" }, "ana");
  const slow = world.request("bet", { sessionId, txId: "slow" });
  while (world.calls("slow") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const during = await merchants.pingWallet({ code, player: "nobody" });
  t.is(during.outcome, "player_not_found");
  t.is(await slow, "pending");

  const pings = await Promise.all([1, 2, 3, 4].map(() => merchants.pingWallet({ code, player: "ana" })));
  t.true(pings.every(({ outcome }) => outcome === "timeout"));
  t.is(await refusalOf(merchants.pingWallet({ code, player: "ana" })), "RATE_LIMITED");
  t.is((await merchants.pingWallet({ code: "shop-clp", player: "nobody" })).outcome, "player_not_found");
  world.wallet.setFault({ kind: "none" }, "ana");
  t.is(await world.request("bet", { sessionId, txId: "after" }), "success");
  t.notRegex(world.first.output(), /"alert":"(breaker_open|wallet_)/);
});
