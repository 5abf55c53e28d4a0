import type { TestFn } from "ava";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";
import type { AuditEntry, NewAuditEntry } from "../../src/ports/admin-store.ts";
import {
  ALERT_BYTES_MAX,
  type AlertKey,
  type AlertLine,
  type AlertStore,
  type OpenAlert,
} from "../../src/ports/transactions/alert-store.ts";

export interface AlertStoreUnderTest {
  /** Stores of several replicas over the same alerts, which are empty. */
  readonly stores: readonly [AlertStore, ...AlertStore[]];
  /** Makes all alerts older. */
  readonly age: (ms: number) => Promise<void>;
  /** The audit log; absent: the store writes none. */
  readonly audit?: () => Promise<readonly AuditEntry[]>;
}

const MINUTE = 60_000;

const line = (subject: string, more: Partial<AlertLine> = {}): AlertLine => ({
  name: "credit_failed",
  subject,
  count: 1,
  firstAgoMs: wholeMs(0),
  lastAgoMs: wholeMs(0),
  txId: `ACME:${subject}`,
  detail: "",
  replica: "host-1",
  lastsMs: wholeMs(10 * MINUTE),
  ...more,
});
const keyOf = ({ name, subject }: AlertKey): string => `${name} ${subject}`;
const inShort = ({ count, txId, ...alert }: OpenAlert): string => `${keyOf(alert)}: ${count}, ${txId}`;
const entry: NewAuditEntry = {
  actor: "ana",
  action: "alert acknowledge",
  target: "alert a credit_failed",
  reason: "done",
  changes: [],
};

/** The contract of ports/transactions/alert-store.ts, for every implementation. */
export function alertStoreContract(test: TestFn, name: string, create: () => Promise<AlertStoreUnderTest>): void {
  test(`${name}: occurrences of all replicas are added up by name and subject, with the texts of the newest`, async (t) => {
    const { stores, age } = await create();
    const of = (n: number): AlertStore => stores[n % stores.length] as AlertStore;
    await of(0).add([]);
    t.deepEqual(await of(0).list(10), []);
    await of(0).add([line("a"), line("b", { count: 5 })]);
    await age(MINUTE);
    const newest = { txId: "ACME:newest", detail: "why", replica: "host-2" };
    await of(1).add([line("a", { count: 2, ...newest }), line("a", { name: "slip_stuck", txId: "" })]);
    const listed = await of(2).list(10);
    t.deepEqual(listed.map(inShort).sort(), [
      "credit_failed a: 3, ACME:newest",
      "credit_failed b: 5, ACME:b",
      "slip_stuck a: 1, ",
    ]);
    t.is(listed[2]?.subject, "b", "the newest last occurrence comes first");
    const folded = listed.find((one) => keyOf(one) === "credit_failed a");
    t.like(folded, { detail: "why", replica: "host-2" });
    const span = (folded?.lastAt ?? 0) - (folded?.firstAt ?? 0);
    t.true(span >= MINUTE && span < 2 * MINUTE, `${span}`);
    t.deepEqual((await of(0).list(2)).map(inShort), listed.slice(0, 2).map(inShort));
  });

  test(`${name}: the times of an alert are those of its occurrences, and an older one does not take them back`, async (t) => {
    const {
      stores: [store],
      age,
    } = await create();
    await store.add([line("a", { firstAgoMs: wholeMs(5 * MINUTE), lastAgoMs: wholeMs(MINUTE) })]);
    const [alert] = await store.list(1);
    t.is((alert?.lastAt ?? 0) - (alert?.firstAt ?? 0), 4 * MINUTE);
    await store.add([line("a", { firstAgoMs: wholeMs(9 * MINUTE), lastAgoMs: wholeMs(9 * MINUTE) })]);
    t.like((await store.list(1))[0], { firstAt: alert?.firstAt, lastAt: alert?.lastAt, count: 2 });
    await age(MINUTE);
    await store.add([line("a")]);
    const last = (await store.list(1))[0];
    t.true((last?.lastAt ?? 0) - (last?.firstAt ?? 0) >= 6 * MINUTE);
  });

  test(`${name}: names and subjects are compared byte by byte, and the longest texts are stored`, async (t) => {
    const {
      stores: [store],
    } = await create();
    const longest = (max: number): string => "é".repeat(max / 2);
    const long = {
      txId: longest(ALERT_BYTES_MAX.txId),
      detail: longest(ALERT_BYTES_MAX.detail),
      replica: longest(ALERT_BYTES_MAX.replica),
    };
    const subject = longest(ALERT_BYTES_MAX.subject);
    await store.add([line("Shop"), line("shop"), line("shop "), line(subject, long)]);
    const listed = await store.list(10);
    t.deepEqual(listed.map((one) => one.subject).sort(), ["Shop", "shop", "shop ", subject].sort());
    t.like(
      listed.find((one) => one.subject === subject),
      long,
    );
  });

  test(`${name}: more alerts than fit into one statement are stored and extended, by replicas at the same time`, async (t) => {
    const { stores, age } = await create();
    const many = Array.from({ length: 250 }, (_, n) => line(`shop-${n}`));
    await Promise.all(stores.map((store, i) => store.add(i % 2 === 0 ? many : [...many].reverse())));
    const listed = await stores[0].list(1_000);
    t.is(listed.length, 250);
    t.deepEqual([...new Set(listed.map(({ count }) => count))], [stores.length]);
    await Promise.all(
      stores.map((store, i) => store.extend(i % 2 === 0 ? many : [...many].reverse(), wholeMs(60 * MINUTE))),
    );
    await age(50 * MINUTE);
    t.is(await stores[0].forget(1_000), 0);
  });

  test(`${name}: an alert closes when its time has passed since its last occurrence, at most the limit at a time`, async (t) => {
    const {
      stores: [store],
      age,
    } = await create();
    const lasting = line("for ever", { lastsMs: null });
    await store.add([line("a"), line("b"), line("c"), line("again"), line("goes on"), lasting]);
    await age(9 * MINUTE);
    t.is(await store.forget(10), 0);
    await store.add([line("again")]);
    await store.extend([line("goes on"), line("closed")], wholeMs(10 * MINUTE));
    await age(MINUTE);
    t.deepEqual([await store.forget(2), await store.forget(2), await store.forget(2)], [2, 1, 0]);
    t.deepEqual((await store.list(10)).map((one) => one.subject).sort(), ["again", "for ever", "goes on"]);
    await age(9 * MINUTE);
    t.is(await store.forget(10), 2);
    await age(365 * 24 * 60 * MINUTE);
    t.is(await store.forget(10), 0);
    await store.add([line("a")]);
    t.like((await store.list(10))[0], { subject: "a", count: 1 }, "a closed alert begins anew");
  });

  test(`${name}: alerts of one name that did not occur for some time are read page by page`, async (t) => {
    const {
      stores: [store],
      age,
    } = await create();
    await store.add([line("b"), line("a"), line("c"), line("d"), line("a", { name: "slip_stuck" })]);
    await age(10 * MINUTE);
    await store.add([line("c")]);
    const read = async (after: string) =>
      (await store.quiet("credit_failed", 10 * MINUTE, after, 2)).map(({ subject }) => subject);
    t.deepEqual(await read(""), ["a", "b"]);
    t.deepEqual(await read("b"), ["d"]);
    t.deepEqual(await read("d"), []);
  });

  test(`${name}: an alert is closed only as it was seen, and a person's entry is written with it`, async (t) => {
    const { stores, audit } = await create();
    const [store] = stores;
    const other = stores[1] ?? store;
    const entries = async () => (await audit?.())?.map(({ action, target, reason }) => ({ action, target, reason }));
    const { action, target, reason } = entry;
    await store.add([line("a"), line("b")]);
    const last = Math.max(...(await store.list(10)).map(({ lastAt }) => lastAt));
    t.false(await store.acknowledge(line("a"), last - MINUTE, entry), "it occurred again");
    await store.close(line("a"), last - MINUTE);
    t.is((await store.list(10)).length, 2);
    if (audit !== undefined) t.deepEqual(await entries(), []);
    t.true(await other.acknowledge(line("a"), last, entry));
    t.false(await store.acknowledge(line("a"), last, entry), "it is closed already");
    if (audit !== undefined) t.deepEqual(await entries(), [{ action, target, reason }]);
    await other.extend([line("a")], wholeMs(10 * MINUTE));
    t.deepEqual(
      (await store.list(10)).map(({ subject }) => subject),
      ["b"],
    );
    await store.close(line("b"), last);
    t.deepEqual(await store.list(10), []);
  });
}
