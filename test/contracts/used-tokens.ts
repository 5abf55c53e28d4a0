import type { TestFn } from "ava";
import type { UsedTokens } from "../../src/ports/used-tokens.ts";

export interface UsedTokensUnderTest {
  /** Stores of several replicas over the same tokens. */
  readonly stores: readonly [UsedTokens, ...UsedTokens[]];
  /** Makes the stored rows older by `ms`. */
  readonly age: (ms: number) => Promise<void>;
}

/** The contract of ports/used-tokens.ts, for every implementation. */
export function usedTokensContract(test: TestFn, name: string, create: () => Promise<UsedTokensUnderTest>): void {
  test(`${name}: each token can be used once`, async (t) => {
    const {
      stores: [store],
    } = await create();
    t.true(await store.use("a"));
    t.false(await store.use("a"));
    t.true(await store.use("A"));
    t.true(await store.use("b"));
  });

  test(`${name}: exactly one of a thousand concurrent uses of a token succeeds, over all replicas`, async (t) => {
    const { stores } = await create();
    const uses = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) => (stores[i % stores.length] as UsedTokens).use("one")),
    );
    t.is(uses.filter((won) => won).length, 1);
  });

  test(`${name}: tokens are remembered for an hour and then deleted, at most the limit at a time`, async (t) => {
    const {
      stores: [store],
      age,
    } = await create();
    for (const jti of ["a", "b", "c"]) await store.use(jti);
    await age(3_590_000);
    t.is(await store.forget(10), 0);
    t.false(await store.use("a"));
    await age(20_000);
    await store.use("new");
    t.is(await store.forget(2), 2);
    t.is(await store.forget(2), 1);
    t.false(await store.use("new"));
  });
}
