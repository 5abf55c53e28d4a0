import test from "ava";
import { GgrAudit } from "../../src/app/ggr-audit.ts";
import { GgrStore } from "../../src/ports/ggr-store.ts";
import { ManualClock } from "../harness/manual-clock.ts";
import { RecordedTelemetry } from "../harness/recorded-telemetry.ts";
import { merchantRecord } from "../harness/rest-server.ts";

const HOUR_MS = 3_600_000;

/** Merchant 8's sums are wrong; the first question of all fails. */
class Sums extends GgrStore {
  readonly asked: string[] = [];

  override read(): never {
    throw new Error("nobody asks for a report here");
  }

  override async difference(merchantId: number, from: number, to: number): Promise<string | null> {
    this.asked.push(`${merchantId} ${new Date(from).toISOString()} ${(to - from) / HOUR_MS}`);
    if (this.asked.length === 1) throw new Error("no database");
    return merchantId === 8 ? "a bet too many" : null;
  }
}

test("yesterday is folded again once a day, after 03:00 UTC and at the next try after a fault; a difference is an alert", async (t) => {
  const [store, clock, telemetry] = [new Sums(), new ManualClock(Date.parse("2026-01-02T02:00Z")), new RecordedTelemetry()];
  const merchants = [
    { ...merchantRecord("right"), id: 7 },
    { ...merchantRecord("wrong"), id: 8 },
  ];
  const audit = new GgrAudit(store, () => merchants, clock, telemetry);
  audit.start();
  await clock.pass(HOUR_MS - 1);
  const before = ["7 2025-12-31T00:00:00.000Z 24", "7 2025-12-31T00:00:00.000Z 24", "8 2025-12-31T00:00:00.000Z 24"];
  t.deepEqual(store.asked, before, "a replica that has just started looks at the last day that was over for three hours");
  t.is(telemetry.errors.length, 1);
  await clock.pass(24 * HOUR_MS);
  t.deepEqual(store.asked.slice(3), ["7 2026-01-01T00:00:00.000Z 24", "8 2026-01-01T00:00:00.000Z 24"]);
  t.deepEqual(telemetry.alerts, [
    { name: "ggr_differs", fields: { merchant: "wrong", day: "2025-12-31", difference: "a bet too many" } },
    { name: "ggr_differs", fields: { merchant: "wrong", day: "2026-01-01", difference: "a bet too many" } },
  ]);
  await audit.stop();
  await clock.pass(48 * HOUR_MS);
  t.is(store.asked.length, 5);
});
