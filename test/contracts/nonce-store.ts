import type { TestFn } from "ava";
import { NONCE_MEMORY_MS, type NonceStore } from "../../src/ports/nonce-store.ts";

/**
 * A store, and a function that advances its clock by `ms`. A test cannot set a database's clock, so with a database the
 * function makes the rows older instead.
 */
export interface NonceStoreUnderTest {
  readonly store: NonceStore;
  readonly age: (ms: number) => Promise<void>;
}

const nonce = (n: number): string => `nonce-${n}`.padEnd(16, "_");

/** The contract of ports/nonce-store.ts, for every implementation. */
export function nonceStoreContract(test: TestFn, name: string, create: () => Promise<NonceStoreUnderTest>): void {
  test(`${name}: a nonce is accepted once per merchant; nonces are compared byte by byte`, async (t) => {
    const { store } = await create();
    t.deepEqual(await store.use([{ merchantId: 1, nonce: nonce(1) }]), [true]);
    t.deepEqual(await store.use([{ merchantId: 1, nonce: nonce(1) }]), [false]);
    t.deepEqual(await store.use([{ merchantId: 2, nonce: nonce(1) }]), [true]);
    t.deepEqual(await store.use([{ merchantId: 1, nonce: nonce(1).toUpperCase() }]), [true]);
  });

  test(`${name}: a batch returns a result for each entry; if a nonce occurs twice, the first entry is accepted`, async (t) => {
    const { store } = await create();
    await store.use([{ merchantId: 1, nonce: nonce(2) }]);
    const lines = [3, 2, 1, 3].map((n) => ({ merchantId: 1, nonce: nonce(n) }));
    t.deepEqual(await store.use(lines), [true, false, true, false]);
    t.deepEqual(await store.use([]), []);
  });

  test(`${name}: exactly one of many concurrent uses of a nonce is accepted, even in overlapping batches`, async (t) => {
    const { store } = await create();
    const rounds = Array.from({ length: 24 }, (_, round) =>
      Array.from({ length: 8 }, (_, i) => ({ merchantId: 1, nonce: nonce((round + i * 5) % 12) })),
    );
    const used = await Promise.all(rounds.map((lines) => store.use(lines)));
    const passed = rounds.flatMap((lines, round) =>
      lines.filter((_, i) => used[round]?.[i] === true).map((line) => line.nonce),
    );
    t.deepEqual(passed.sort(), Array.from({ length: 12 }, (_, n) => nonce(n)).sort());
  });

  test(`${name}: nonces are deleted after 11 minutes, not earlier, and at most the limit at a time`, async (t) => {
    const { store, age } = await create();
    await store.use([1, 2, 3].map((n) => ({ merchantId: 1, nonce: nonce(n) })));
    await age(NONCE_MEMORY_MS - 30_000);
    t.is(await store.forget(10), 0);
    await age(60_000);
    await store.use([{ merchantId: 1, nonce: nonce(4) }]);
    t.is(await store.forget(2), 2);
    t.is(await store.forget(2), 1);
    t.is(await store.forget(2), 0);
    t.deepEqual(await store.use([{ merchantId: 1, nonce: nonce(4) }]), [false]);
    t.deepEqual(await store.use([{ merchantId: 1, nonce: nonce(1) }]), [true]);
  });
}
