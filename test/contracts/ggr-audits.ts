import type { TestFn } from "ava";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";
import type { GgrAudits } from "../../src/ports/transactions/ggr-audits.ts";

/**
 * One store per replica, and a function that advances their clock by `ms`. A test cannot set a database's clock, so
 * with a database the function makes the claim older instead.
 */
export interface GgrAuditsUnderTest {
  readonly stores: readonly [GgrAudits, GgrAudits];
  readonly age: (ms: number) => Promise<void>;
}

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const DAY = wholeMs(20_000 * DAY_MS);
const CLAIM_MS = wholeMs(5 * MINUTE_MS);

/** The contract of ports/transactions/ggr-audits.ts, for every implementation. */
export function ggrAuditsContract(test: TestFn, name: string, create: () => Promise<GgrAuditsUnderTest>): void {
  test(`${name}: one replica holds the claim until the replica releases it or the claim expires`, async (t) => {
    const { stores, age } = await create();
    const [a, b] = stores;
    const now = await a.claim("a", CLAIM_MS);
    t.true(now !== null && now > DAY, "the database's time");
    t.is(await b.claim("b", CLAIM_MS), null);
    await age(4 * MINUTE_MS);
    t.not(await a.claim("a", CLAIM_MS), null, "its holder prolongs it");
    await age(4 * MINUTE_MS);
    t.is(await b.claim("b", CLAIM_MS), null);
    await b.release("b");
    t.is(await b.claim("b", CLAIM_MS), null, "a replica cannot release the claim of another");
    await a.release("a");
    t.not(await b.claim("b", CLAIM_MS), null);
    await age(6 * MINUTE_MS);
    t.not(await a.claim("a", CLAIM_MS), null, "the claim of the other replica has expired");
    t.is(await b.claim("b", CLAIM_MS), null);
  });

  test(`${name}: only one of many concurrent claims succeeds`, async (t) => {
    const [a, b] = (await create()).stores;
    const claims = await Promise.all(
      Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? a : b).claim(`replica-${i}`, wholeMs(MINUTE_MS))),
    );
    t.is(claims.filter((claimed) => claimed !== null).length, 1);
  });

  test(`${name}: a merchant's recorded day also means that all earlier days were compared`, async (t) => {
    const [a, b] = (await create()).stores;
    t.deepEqual([...(await a.audited(DAY))], []);
    await a.record(7, DAY);
    await b.record(8, DAY);
    await b.record(8, DAY);
    t.deepEqual([...(await b.audited(DAY))].sort(), [7, 8]);
    t.deepEqual([...(await b.audited(DAY + DAY_MS))], []);
    await b.record(8, wholeMs(DAY + DAY_MS));
    await a.record(8, DAY);
    t.deepEqual([...(await a.audited(DAY + DAY_MS))], [8]);
    t.deepEqual([...(await a.audited(DAY))].sort(), [7, 8]);
  });
}
