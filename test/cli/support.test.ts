/** Support of transactions, on a service whose own resends end after less than a second. */
import { startWallet } from "../../sandbox/merchant/wallet.ts";
import { WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { GrpcCaller } from "../../testbed/callers/grpc-caller.ts";
import { signedCall } from "../../testbed/callers/signed-call.ts";
import { onBothDatabases } from "../administration/databases.ts";
import { startAdministered } from "./service.ts";

const test = onBothDatabases();

test("support finds, shows, resends and closes a win without a wallet answer, and each step is in the audit log", async (t, databaseUrl) => {
  const admin = await startAdministered(
    t,
    { RESEND_HORIZON_HOURS: "0.0001", WALLET_TIMEOUT_MS: "5000", REFUND_QUIET_PERIOD_MS: "0" },
    databaseUrl,
  );
  const secrets = new Map<string, readonly string[]>();
  const wallet = await startWallet({ secretsOf: (code) => secrets.get(code) ?? [] });
  t.teardown(() => wallet.close());
  await admin.done("brand create --code shop");
  const { secret } = await admin.done(
    `merchant create --code shop-brl --brand shop --currency BRL --products slot --wallet-url ${wallet.url}`,
  );
  secrets.set("shop-brl", [String(secret)]);
  wallet.ledger.addMerchant("shop-brl", "BRL");
  wallet.ledger.addPlayer("shop-brl", "ana", 10_000n);
  const { key } = await admin.done("provider create --code ACME");
  await admin.done(`provider add-source --code ACME --address ${admin.games.address}`);
  await admin.done("game import --file test/cli/games.json");
  const opened = await signedCall(
    `http://127.0.0.1:${admin.service.ports.rest}`,
    { code: "shop-brl", secret: String(secret) },
    "POST",
    "/v1/game/launch",
    {
      player_id: "ana",
      game: "fruits",
    },
  );
  t.like(opened, { ok: true });
  const sessionId = admin.games.opened.at(-1)?.sessionId ?? "";
  const provider = new GrpcCaller(t, admin.service.ports.grpc);
  const win = (txId: string) =>
    provider.call(
      WalletService.method.payWin,
      { sessionId, txId, roundId: "r1", amountMinor: 250n, currency: "BRL" },
      { keys: [String(key)], deadline: Date.now() + 10_000 },
    );

  wallet.setFault({ kind: "http_500" });
  await win("17");
  await win("18");
  await new Promise((resolve) => setTimeout(resolve, 1_000));

  const { out } = await admin.admin("transaction list --merchant shop-brl --status pending");
  t.regex(out, /^created_at +tx_id +action +amount +status +error +attempts +last_result +player_id +game\n/);
  t.regex(out, /Z {2}ACME:17 +win +2\.50 BRL +pending +- +\d+ +http_5xx +ana +fruits$/m);
  t.like(await admin.done("transaction show --merchant shop-brl --tx-id ACME:17"), {
    tx_id: "ACME:17",
    amount_minor: 250,
    balance_minor: null,
    last_result: "http_5xx",
    attempt_log: [{ n: 1, http_status: 500, reply_start: '{"ok":true,"balance":1}' }],
  });
  t.regex(
    (await admin.admin("transaction show --merchant shop-brl --tx-id ACME:17")).out,
    /^attempt_log\nn +at +duration_ms +http_status +result +request_id +reply_start +error\n1 .* \{"ok":true,"balance":1\} +-$/m,
  );

  const closed = await admin.admin(
    "transaction resolve --merchant shop-brl --tx-id ACME:17 --status success --reason 'ticket 4711'",
  );
  t.is(closed.code, 0, closed.err);
  t.regex(closed.out, /^ACME:17 is closed: success\.\n\n.*\nresolved_by +manual\n/s);
  const again = await admin.admin(
    "transaction resolve --merchant shop-brl --tx-id ACME:17 --status failed --reason 'ticket 4711'",
  );
  t.is(again.code, 1);
  t.regex(again.err, /^Refused: NOT_RESOLVABLE\n.*RESEND_HORIZON_HOURS/s);

  wallet.setFault({ kind: "none" });
  t.is(
    (await admin.admin("transaction resend --merchant shop-brl --tx-id ACME:18 --reason 'the wallet is back'")).code,
    0,
  );
  const settled = async () => (await admin.done("transaction show --merchant shop-brl --tx-id ACME:18")).status;
  for (let tries = 0; (await settled()) !== "success" && tries < 50; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  t.is(await settled(), "success");
  const refused = await admin.admin("transaction resend --merchant shop-brl --tx-id ACME:18 --reason again");
  t.is(refused.code, 1);
  t.regex(refused.err, /^Refused: NOT_RESENDABLE\n/);
  t.regex(
    (await admin.admin("transaction show --merchant shop-brl --tx-id ACME:404")).err,
    /^Refused: TRANSACTION_NOT_FOUND\n/,
  );

  // Midnight may have passed since the wins.
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const days = `--from ${day(-1)} --to ${day(0)}`;
  const { out: report } = await admin.admin(`report ggr --merchant shop-brl ${days} --group-by game`);
  t.regex(
    report,
    /^rows\nkey +bets +refunds +wins +rollbacks +ggr +pending\nACME\/fruits +0\.00 \(0\) +0\.00 \(0\) +5\.00 \(2\) +0\.00 \(0\) +-5\.00 +0\ntotal /m,
  );
  t.like(await admin.done(`report ggr --merchant shop-brl ${days} --group-by provider`), {
    currency: "BRL",
    group_by: "provider",
    rows: [{ key: "ACME", wins: { count: 2, amount_minor: 500 }, ggr_minor: -500, pending: { count: 0 } }],
    totals: { ggr_minor: -500 },
  });
  t.regex(
    (await admin.admin("report ggr --merchant shop-brl --from 2026-01-01 --to 2026-99-99")).err,
    /^Refused: VALIDATION_ERROR\n {2}--to: YYYY-MM-DD/,
  );

  const { items } = await admin.done("audit list --target 'transaction shop-brl ACME:17'");
  const actions = (items as { action: string; reason: string | null }[]).map(
    ({ action, reason }) => `${action} ${reason}`,
  );
  t.true(actions.includes("transaction resolve ticket 4711"), String(actions));
  t.true(actions.includes("transaction show null"), String(actions));
});
