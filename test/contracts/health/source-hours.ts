import type { TestFn } from "ava";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import {
  HOUR_MS,
  SOURCE_HOURS_MS,
  type SourceHour,
  type SourceHours,
} from "../../../src/ports/sources/source-hours.ts";

export interface SourceHoursUnderTest {
  /** Stores of several replicas over the same results. */
  readonly stores: readonly [SourceHours, ...SourceHours[]];
  /** The database's time. */
  readonly now: () => Promise<number>;
}

const BEGIN = 1_767_225_600_000;

const hour = (provider: string, address: string, at: number, more: Partial<SourceHour> = {}): SourceHour => ({
  provider,
  address,
  at: wholeMs(at),
  opened: 3,
  failed: 0,
  lastOpened: { at: wholeMs(at + 5_000), durationMs: wholeMs(41) },
  lastFailed: null,
  ...more,
});

const sorted = (hours: readonly SourceHour[]) =>
  hours.toSorted((a, b) =>
    `${a.provider} ${a.address} ${a.at} ${a.opened}`.localeCompare(`${b.provider} ${b.address} ${b.at} ${b.opened}`),
  );

/** The contract of ports/sources/source-hours.ts, for every implementation. */
export function sourceHoursContract(test: TestFn, name: string, create: () => Promise<SourceHoursUnderTest>): void {
  test(`${name}: results are read as they were stored, by provider, from an hour on`, async (t) => {
    const {
      stores: [store],
    } = await create();
    const failed = {
      at: wholeMs(BEGIN + HOUR_MS + 7),
      fault: "timeout",
      message: "4 DEADLINE_EXCEEDED: é 🎲",
    } as const;
    const all = [
      hour("ACME", "http://a:1", BEGIN),
      hour("ACME", "http://a:1", BEGIN + HOUR_MS, { failed: 2, lastFailed: failed }),
      hour("ACME", "http://b:1", BEGIN + HOUR_MS, { opened: 0, failed: 1, lastOpened: null, lastFailed: failed }),
      hour("NOVA", "http://a:1", BEGIN + HOUR_MS),
    ];
    await store.store("a", all);
    await store.store("a", []);
    t.deepEqual(sorted(await store.read(["ACME", "NOVA"], BEGIN)), all);
    t.deepEqual(sorted(await store.read(["ACME"], BEGIN + 1)), all.slice(1, 3));
    t.deepEqual(await store.read(["acme"], BEGIN), []);
    t.deepEqual(await store.read([], BEGIN), []);
  });

  test(`${name}: a repeat replaces the results of the same replica, and the other replicas' results stay`, async (t) => {
    const { stores } = await create();
    const [first] = stores;
    const last = stores.at(-1) ?? first;
    await first.store("a", [hour("ACME", "http://a:1", BEGIN)]);
    await last.store("b", [hour("ACME", "http://a:1", BEGIN, { opened: 9 })]);
    const again = hour("ACME", "http://a:1", BEGIN, {
      opened: 4,
      lastOpened: { at: wholeMs(BEGIN + 9_000), durationMs: wholeMs(7) },
    });
    await first.store("a", [again]);
    t.deepEqual(sorted(await last.read(["ACME"], BEGIN)), [again, hour("ACME", "http://a:1", BEGIN, { opened: 9 })]);
  });

  test(`${name}: more results than one statement takes are stored`, async (t) => {
    const {
      stores: [store],
    } = await create();
    const all = Array.from({ length: 450 }, (_, i) => hour("ACME", `http://source-${i}:1`, BEGIN));
    await store.store("a", all);
    t.is((await store.read(["ACME"], BEGIN)).length, 450);
  });

  test(`${name}: results older than 7 days are deleted, at most as many as asked for`, async (t) => {
    const {
      stores: [store],
      now,
    } = await create();
    const present = (await now()) - 60_000;
    const old = present - SOURCE_HOURS_MS - HOUR_MS;
    await store.store("a", [
      hour("ACME", "http://a:1", present),
      hour("ACME", "http://b:1", old),
      hour("ACME", "http://c:1", old),
    ]);
    t.is(await store.forget(1), 1);
    t.is(await store.forget(10), 1);
    t.is(await store.forget(10), 0);
    t.deepEqual(await store.read(["ACME"], 0), [hour("ACME", "http://a:1", present)]);
  });
}
