/** Open alerts, from faults of real wallets to the list of an operator and back. */

import { timestampMs } from "@bufbuild/protobuf/wkt";
import { SqlAlertStore } from "../../../src/adapters/sql/reports/alert-store.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import type { OpenAlert } from "../../../src/gen/aggregator/admin/v1/open_alert_pb.ts";
import { ADMIN_KEY, type Admin, adminOf, refusalOf } from "../../../testbed/callers/administration.ts";
import { startWorld } from "../../../testbed/stage/world.ts";
import { onBothDatabases } from "../databases.ts";

const test = onBothDatabases();

/** The open alerts, as soon as they are as wanted. They are stored some seconds after they were raised. */
async function listed(admin: Admin, isWanted: (alerts: readonly OpenAlert[]) => boolean): Promise<OpenAlert[]> {
  for (const began = Date.now(); ; ) {
    const { alerts } = await admin.console.listAlerts({});
    if (isWanted(alerts)) return alerts;
    if (Date.now() > began + 60_000) throw new Error(`the alerts are ${alerts.map(({ alert }) => alert)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test("alerts of all replicas are listed by merchant, and closed by a person with a reason", async (t, url) => {
  t.timeout(180_000);
  const world = await startWorld(t, { databaseUrl: url, env: { ADMIN_KEY } });
  const of = (key: string) => adminOf({ ports: world.first.ports } as never, key);
  const owner = of(ADMIN_KEY);
  const support = of((await owner.keys.createKey({ role: "support", name: "ana", reason: "a test" })).key);
  const viewer = of((await owner.keys.createKey({ role: "viewer", reason: "a test" })).key);
  t.like(await viewer.console.listAlerts({}), { alerts: [], total: 0 });

  // SQLite serves one process.
  const second = url.startsWith("mysql:") ? await world.start() : world.first;
  const sessionId = await world.session();
  world.wallet.setFault({ kind: "rejected" });
  t.regex(await world.request("win", { sessionId, txId: "w1" }), /^failed/);
  t.regex(await world.request("win", { sessionId, txId: "w2" }, second), /^failed/);
  const clp = await world.session("shop-clp");
  t.regex(await world.request("win", { sessionId: clp, txId: "w3", currency: "CLP" }), /^failed/);

  const alerts = await listed(support, (all) => all.reduce((sum, { count }) => sum + Number(count), 0) === 3);
  const inShort = ({ alert, merchant, keyKind, count }: OpenAlert) => `${alert} ${merchant}${keyKind} ${count}`;
  t.deepEqual(alerts.map(inShort).sort(), ["credit_failed shop-brl 2", "credit_failed shop-clp 1"]);
  const brl = alerts.find(({ merchant }) => merchant === "shop-brl") as OpenAlert;
  t.regex(brl.txId, /^ACME:w[12]$/);
  t.true(brl.replica.length > 0);
  t.true(Math.abs(timestampMs(brl.lastAt as never) - Date.now()) < 60_000);
  t.true(timestampMs(brl.firstAt as never) <= timestampMs(brl.lastAt as never));
  t.like(await viewer.console.listAlerts({ limit: 1 }), { total: 2, alerts: { length: 1 } });
  for (const { txId, detail } of (await viewer.console.listAlerts({})).alerts) t.deepEqual([txId, detail], ["", ""]);

  await new SqlAlertStore(world.database).add([
    {
      name: "ggr_differs",
      subject: "shop-clp",
      count: 1,
      firstAgoMs: wholeMs(0),
      lastAgoMs: wholeMs(0),
      txId: "",
      detail: "2026-01-01 -12.5 BRL",
      replica: "host-1",
      lastsMs: null,
    },
  ]);
  const differs = (await viewer.console.listAlerts({})).alerts.find(({ alert }) => alert === "ggr_differs");
  t.is(differs?.detail, "2026-01-01 -12.5 BRL", "all may see reports, so all may know which day is wrong");
  await world.database.knex("alerts").where({ name: "ggr_differs" }).delete();

  const seen = { alert: brl.alert, merchant: brl.merchant, lastAt: brl.lastAt as never };
  t.is(await refusalOf(viewer.console.acknowledgeAlert({ ...seen, reason: "x" })), "ROLE_NOT_ALLOWED");
  t.is(await refusalOf(support.console.acknowledgeAlert(seen)), "VALIDATION_ERROR reason");
  t.is(await refusalOf(support.console.listAlerts({ limit: 201 })), "VALIDATION_ERROR limit");
  t.is(
    await refusalOf(support.console.acknowledgeAlert({ alert: "nothing", merchant: "shop-brl" })),
    "VALIDATION_ERROR alert last_at reason",
  );
  t.regex(await world.request("win", { sessionId, txId: "w4" }), /^failed/);
  const [again] = await listed(support, (all) => all[0]?.count === 3n);
  t.is(again?.txId, "ACME:w4");
  const late = support.console.acknowledgeAlert({ ...seen, reason: "the merchant pays by hand" });
  t.is(await refusalOf(late), "RECORD_NOT_FOUND alert", "it occurred again");
  const lastAt = again?.lastAt as never;
  await support.console.acknowledgeAlert({ ...seen, lastAt, reason: "the merchant pays by hand" });
  t.deepEqual((await listed(support, () => true)).map(inShort), ["credit_failed shop-clp 1"]);
  const { entries } = await owner.audit.listAuditEntries({ action: "alert" });
  t.is(entries.length, 1);
  t.like(entries[0], {
    actor: "ana",
    action: "alert acknowledge",
    target: "alert shop-brl credit_failed",
    reason: "the merchant pays by hand",
  });

  t.regex(await world.request("win", { sessionId, txId: "w5" }), /^failed/);
  const [anew] = await listed(support, (all) => all[0]?.merchant === "shop-brl");
  t.like(anew, { count: 1n, txId: "ACME:w5" });
});

test("an alert about keys names their kind, and a database that is down fails no bet because of alerts", async (t, url) => {
  t.timeout(180_000);
  const world = await startWorld(t, { databaseUrl: url, env: { ADMIN_KEY } });
  const admin = adminOf({ ports: world.first.ports } as never);
  // The record of alerts is out of order; bets are not.
  await world.database.knex.schema.renameTable("alerts", "elsewhere");
  const sessionId = await world.session();
  const wrong = adminOf({ ports: world.first.ports } as never, "a wrong key");
  for (let n = 0; n < 10; n++) t.is(await refusalOf(wrong.console.listAlerts({})), "INVALID_API_KEY");
  world.wallet.setFault({ kind: "rejected" });
  t.regex(await world.request("win", { sessionId, txId: "w1" }), /^failed/);
  world.wallet.setFault({ kind: "none" });
  for (const began = Date.now(); Date.now() < began + 2_500; )
    t.is(await world.request("bet", { sessionId, txId: `b${Date.now()}`, amountMinor: 1n }), "success");
  await world.database.knex.schema.renameTable("elsewhere", "alerts");
  const alerts = await listed(admin, ({ length }) => length === 2);
  t.deepEqual(
    alerts.map(({ alert, merchant, keyKind, detail }) => `${alert} ${merchant} ${keyKind} ${detail}`).sort(),
    ["credit_failed shop-brl  ", "wrong_keys  admin 127.0.0.1"],
  );
});
