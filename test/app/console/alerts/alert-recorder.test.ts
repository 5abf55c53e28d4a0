/** The way of an alert from the code that raises it to the store. */
import test from "ava";
import { pino } from "pino";
import { LogsAndMetrics } from "../../../../src/adapters/telemetry/telemetry.ts";
import { AlertRecorder, type Trouble } from "../../../../src/app/console/alerts/alert-recorder.ts";
import { RaisedAlerts } from "../../../../src/app/console/alerts/raised-alerts.ts";
import type { Merchant } from "../../../../src/ports/settings-store.ts";
import { ALERT_BYTES_MAX, type AlertKey, type AlertLine } from "../../../../src/ports/transactions/alert-store.ts";
import { ManualClock } from "../../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../../testbed/in-process/recorded-telemetry.ts";
import { MemoryAlertStore } from "../../../../testbed/memory/alert-store.ts";

const MINUTE = 60_000;

/** A store that counts its statements, and can be down. */
class BreakingStore extends MemoryAlertStore {
  isDown = false;
  statements = 0;
  override async add(lines: readonly AlertLine[]): Promise<void> {
    this.#statement();
    await super.add(lines);
  }
  override async extend(keys: readonly AlertKey[], lastsMs: number): Promise<void> {
    if (keys.length > 0) this.#statement();
    await super.extend(keys, lastsMs);
  }
  #statement(): void {
    this.statements++;
    if (this.isDown) throw new Error("no database");
  }
}

const MERCHANTS = new Map([
  [7, "shop-brl"],
  [8, "shop-clp"],
]);

function replica() {
  const clock = new ManualClock();
  const telemetry = new RecordedTelemetry();
  const store = new BreakingStore(() => clock.now());
  const raised = new RaisedAlerts(clock);
  const logging = new LogsAndMetrics(pino({ level: "silent" }));
  logging.listen(raised);
  const troubles: Trouble[] = [];
  const merchantById = (id: number) => (MERCHANTS.has(id) ? ({ code: MERCHANTS.get(id) } as Merchant) : undefined);
  const recorder = new AlertRecorder(raised, store, { merchantById }, () => troubles, clock, telemetry, "host-1");
  recorder.start();
  const stored = async () =>
    (await store.list(2_000))
      .map(({ name, subject, count, txId, detail }) => [name, subject, count, txId, detail].join(" "))
      .sort();
  return { clock, telemetry, store, logging, troubles, recorder, stored };
}

test("alerts are stored together some seconds later, by name and merchant or kind of key", async (t) => {
  const { clock, store, logging, stored } = replica();
  logging.alert("credit_failed", { merchant_id: 7, tx_id: "ACME:1", amount_minor: 5n, currency: "BRL" });
  logging.alert("credit_failed", { merchant_id: 7, tx_id: "ACME:2", amount_minor: 5n, currency: "BRL" });
  logging.alert("credit_failed", { merchant_id: 8, tx_id: "ACME:3", amount_minor: 5n, currency: "CLP" });
  logging.alert("wallet_tls", { merchant: "shop-brl", why: "CERT_HAS_EXPIRED" }, { tx_id: "ACME:4" });
  logging.alert("ggr_differs", { merchant: "shop-brl", day: "2026-01-01", difference: "1", ggr: "-2.5 BRL" });
  logging.alert("wrong_keys", { key_kind: "admin", address: "192.0.2.1" });
  logging.alert("wrong_keys", { key_kind: "admin", address: "192.0.2.2" });
  logging.alert("slip_stuck", { merchant_id: 9, slip_id: "slip" });
  t.is(store.statements, 0, "nothing waits for the store");
  await clock.pass(2_000);
  t.is(store.statements, 1);
  t.deepEqual(await stored(), [
    "credit_failed shop-brl 2 ACME:2 ",
    "credit_failed shop-clp 1 ACME:3 ",
    "ggr_differs shop-brl 1  2026-01-01 -2.5 BRL",
    "slip_stuck #9 1  slip",
    "wallet_tls shop-brl 1 ACME:4 CERT_HAS_EXPIRED",
    "wrong_keys admin 2  192.0.2.2",
  ]);
  t.is((await store.list(1))[0]?.replica, "host-1");
  await clock.pass(10 * MINUTE);
  t.is(store.statements, 1, "without alerts there is no statement");
});

test("while the database is down alerts wait, and are then stored once, with their own times", async (t) => {
  const { clock, telemetry, store, logging, stored } = replica();
  store.isDown = true;
  logging.alert("slip_stuck", { merchant_id: 7, slip_id: "one" });
  await clock.pass(2_000);
  logging.alert("slip_stuck", { merchant_id: 7, slip_id: "two" });
  await clock.pass(MINUTE);
  t.deepEqual(await stored(), []);
  t.true(telemetry.errors.length > 2 && telemetry.errors.every(({ what }) => what === "storing alerts"));
  store.isDown = false;
  await clock.pass(MINUTE);
  t.deepEqual(await stored(), ["slip_stuck shop-brl 2  two"]);
  const [alert] = await store.list(1);
  t.is((alert?.lastAt ?? 0) - (alert?.firstAt ?? 0), 2_000);
  t.true(clock.now() - (alert?.firstAt ?? 0) >= MINUTE);
});

test("the alerts that wait are stored at the stop", async (t) => {
  const { logging, recorder, stored } = replica();
  logging.alert("breaker_open", { merchant_id: 7 });
  await recorder.stop();
  t.deepEqual(await stored(), ["breaker_open shop-brl 1  "]);
});

test("alerts about many merchants and with long texts need a bounded memory and fit into the store", async (t) => {
  const { clock, store, logging } = replica();
  for (let n = 0; n < 1_500; n++)
    logging.alert("wallet_address", {
      merchant: `${n}-${"é".repeat(100)}`,
      why: "😀".repeat(100),
      tx_id: "ñ".repeat(99),
    });
  await clock.pass(2_000);
  const all = await store.list(2_000);
  t.is(all.length, 1_000);
  for (const { subject, txId, detail } of all) {
    t.true(Buffer.byteLength(subject) <= ALERT_BYTES_MAX.subject);
    t.true(Buffer.byteLength(txId) <= ALERT_BYTES_MAX.txId && txId.length > 50);
    t.true(Buffer.byteLength(detail) <= ALERT_BYTES_MAX.detail && detail.isWellFormed() && detail.length > 90);
  }
});

test("an alert about a wallet stays open while a replica sees its trouble, and closes when none does", async (t) => {
  const one = replica();
  const { clock, store, troubles } = one;
  const trouble = { alert: "breaker_open", merchantId: 7 } as const;
  one.logging.alert("breaker_open", { merchant_id: 7 });
  troubles.push(trouble);
  for (let minute = 0; minute < 30; minute++) {
    await clock.pass(MINUTE);
    t.is(await store.forget(10), 0, `after ${minute} minutes`);
  }
  t.deepEqual(await one.stored(), ["breaker_open shop-brl 1  "]);
  troubles.pop();
  await clock.pass(3 * MINUTE);
  t.is(await store.forget(10), 1);
  troubles.push(trouble);
  await clock.pass(3 * MINUTE);
  t.deepEqual(await one.stored(), [], "a closed alert opens only when it is raised again");
});

test("after an outage of the database, an alert whose trouble goes on opens anew", async (t) => {
  const { clock, store, logging, troubles, stored } = replica();
  logging.alert("wallet_401s", { merchant: "shop-brl", in_a_row: 5 });
  troubles.push({ alert: "wallet_401s", merchantId: 7 });
  await clock.pass(MINUTE);
  store.isDown = true;
  await clock.pass(5 * MINUTE);
  t.is(await store.forget(10), 1, "another replica has the database back first");
  store.isDown = false;
  await clock.pass(2_000);
  t.deepEqual(await stored(), ["wallet_401s shop-brl 1  "]);
  await clock.pass(5 * MINUTE);
  t.is(await store.forget(10), 0);
});
