/** Alerts about stuck money close when the merchant has no such money any more. */

import test from "ava";
import { AlertCloser } from "../../../../src/app/console/alerts/alert-closer.ts";
import { STUCK_ALERTS } from "../../../../src/app/console/alerts/closes.ts";
import { wholeMs } from "../../../../src/domain/values/whole-ms.ts";
import type { Merchant } from "../../../../src/ports/settings-store.ts";
import type { AlertName } from "../../../../src/ports/telemetry.ts";
import type { StuckSlip, StuckTransaction } from "../../../../src/ports/transactions/stuck-money.ts";
import { ManualClock } from "../../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../../testbed/in-process/recorded-telemetry.ts";
import { MemoryAlertStore } from "../../../../testbed/memory/alert-store.ts";

const MINUTE = 60_000;
const SHOPS = 250;

function closer() {
  const clock = new ManualClock();
  const telemetry = new RecordedTelemetry();
  const store = new MemoryAlertStore(() => clock.now());
  /** `owed 7`: the kinds of money and the merchants that have it. */
  const stuck = new Set<string>();
  const has = (kind: string, [merchantId]: readonly number[]): boolean => stuck.has(`${kind} ${merchantId}`);
  const money = {
    list: async ({ kind, merchantIds }: { kind: string; merchantIds: readonly number[] }) =>
      has(kind, merchantIds) ? [{} as StuckTransaction] : [],
    slips: async ({ merchantIds }: { merchantIds: readonly number[] }) =>
      has("slip", merchantIds) ? [{} as StuckSlip] : [],
  };
  const merchant = (code: string) =>
    code.startsWith("shop-") ? ({ id: Number(code.slice(5)) } as Merchant) : undefined;
  const closing = new AlertCloser(store, money, { merchant }, { horizonMs: 1 }, clock, telemetry);
  closing.start();
  const add = (name: AlertName, subject: string) =>
    store.add([
      {
        name,
        subject,
        count: 1,
        firstAgoMs: wholeMs(0),
        lastAgoMs: wholeMs(0),
        txId: "",
        detail: "",
        replica: "host-1",
        lastsMs: null,
      },
    ]);
  const open = async () => (await store.list(2_000)).map(({ name, subject }) => `${name} ${subject}`).sort();
  return { clock, stuck, add, open, telemetry };
}

test("an alert about stuck money stays open as long as the merchant has money of its kind", async (t) => {
  const { clock, stuck, add, open, telemetry } = closer();
  for (const [name, kind] of STUCK_ALERTS) {
    stuck.add(`${kind} 7`);
    for (const shop of ["shop-7", "shop-8"]) await add(name, shop);
  }
  await add("wrong_keys", "admin");
  await clock.pass(9 * MINUTE);
  t.is((await open()).length, 2 * STUCK_ALERTS.length + 1, "stuck money may be noted later than the alert");
  await clock.pass(2 * MINUTE);
  const names = STUCK_ALERTS.map(([name]) => name);
  t.deepEqual(await open(), [...names.map((name) => `${name} shop-7`), "wrong_keys admin"].sort());
  await clock.pass(24 * 60 * MINUTE);
  t.is((await open()).length, STUCK_ALERTS.length + 1);
  stuck.delete("owed 7");
  await clock.pass(2 * MINUTE);
  t.deepEqual(await open(), ["resend_horizon_over shop-7", "slip_stuck shop-7", "wrong_keys admin"]);
  t.deepEqual(telemetry.errors, []);
});

test("all alerts of many merchants are examined, page by page", async (t) => {
  const { clock, stuck, add, open } = closer();
  for (let n = 0; n < SHOPS; n++) await add("credit_failed", `shop-${n}`);
  stuck.add("owed 3");
  await add("credit_failed", "#unknown");
  await clock.pass(11 * MINUTE);
  t.deepEqual(await open(), ["credit_failed shop-3"]);
});
