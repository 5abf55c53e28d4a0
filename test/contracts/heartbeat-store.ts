import type { TestFn } from "ava";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";
import { HEARTBEAT_MEMORY_MS, type HeartbeatStore } from "../../src/ports/heartbeat-store.ts";

/**
 * A store, and a function that advances its clock by `ms`. A test cannot set a database's clock, so with a database the
 * function makes the rows older instead.
 */
export interface HeartbeatStoreUnderTest {
  readonly store: HeartbeatStore;
  readonly age: (ms: number) => Promise<void>;
}

const WITHIN_MS = wholeMs(15_000);

/** The contract of ports/heartbeat-store.ts, for every implementation. */
export function heartbeatStoreContract(
  test: TestFn,
  name: string,
  create: () => Promise<HeartbeatStoreUnderTest>,
): void {
  test(`${name}: a replica counts once, from its first heartbeat until it leaves`, async (t) => {
    const { store } = await create();
    t.is(await store.beat("a", WITHIN_MS), 1);
    t.is(await store.beat("a", WITHIN_MS), 1);
    t.is(await store.beat("b", WITHIN_MS), 2);
    t.is(await store.beat("B", WITHIN_MS), 3, "byte by byte");
    await store.leave("b");
    await store.leave("never there");
    t.is(await store.beat("a", WITHIN_MS), 2);
  });

  test(`${name}: a replica without heartbeats counts until the period has passed, and counts again after a new heartbeat`, async (t) => {
    const { store, age } = await create();
    await store.beat("a", WITHIN_MS);
    await age(WITHIN_MS - 5_000);
    t.is(await store.beat("b", WITHIN_MS), 2);
    await age(6_000);
    t.is(await store.beat("b", WITHIN_MS), 1);
    t.is(await store.beat("a", WITHIN_MS), 2);
  });

  test(`${name}: if many replicas begin at once, all of them are counted`, async (t) => {
    const { store } = await create();
    const replicas = Array.from({ length: 12 }, (_, n) => `replica-${n}`);
    await Promise.all(replicas.map((replica) => store.beat(replica, WITHIN_MS)));
    t.is(await store.beat("replica-0", WITHIN_MS), replicas.length);
  });

  test(`${name}: dead replicas are deleted after a day, not earlier, and at most the limit at a time`, async (t) => {
    const { store, age } = await create();
    for (const replica of ["a", "b", "c"]) await store.beat(replica, WITHIN_MS);
    await age(HEARTBEAT_MEMORY_MS - 60_000);
    t.is(await store.forget(10), 0);
    await age(120_000);
    t.is(await store.beat("d", WITHIN_MS), 1);
    t.is(await store.forget(2), 2);
    t.is(await store.forget(2), 1);
    t.is(await store.forget(2), 0);
    t.is(await store.beat("e", WITHIN_MS), 2);
  });
}
