import type { TestFn } from "ava";
import type { SlipState } from "../../src/domain/transaction/betslip.ts";
import type { PlayerId } from "../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";
import type { NewSlip, SlipStore } from "../../src/ports/transactions/slip-store.ts";

export interface SlipStoreUnderTest {
  /** Stores of several replicas over the same slips. */
  readonly stores: readonly [SlipStore, ...SlipStore[]];
  /** Makes every lease end earlier by `ms`. */
  readonly age: (ms: number) => Promise<void>;
}

const token = (n: number): string => n.toString(16).padStart(32, "0");
const slip = (slipId: string, ids: readonly string[], more: Partial<NewSlip> = {}): NewSlip => ({
  merchantId: 1,
  slipId,
  playerId: "joão 😀" as PlayerId,
  currency: "BRL",
  bets: ids.map((txId, i) => ({ txId, roundId: `round ${i} é`, amountMinor: 9_007_199_254_740_993n + BigInt(i) })),
  ...more,
});
const LEASE_MS = wholeMs(60_000);
const REFUSED: SlipState & { status: "failed" } = {
  status: "failed",
  at: 1,
  why: { kind: "refused", error: "INSUFFICIENT_FUNDS" },
  refunding: true,
};
const SILENT: SlipState & { status: "failed" } = { status: "failed", at: 0, why: { kind: "silent" }, refunding: true };

/** The contract of ports/transactions/slip-store.ts, for every implementation. */
export function slipStoreContract(test: TestFn, name: string, create: () => Promise<SlipStoreUnderTest>): void {
  test(`${name}: a slip is read as it was opened, with its bets in their order`, async (t) => {
    const {
      stores: [store],
    } = await create();
    const ids = Array.from({ length: 50 }, (_, i) => `bet-${49 - i}`);
    const newSlip = slip("s".repeat(88), ids);
    const opened = await store.open(newSlip, token(1), LEASE_MS);
    t.is(opened.is, "new");
    const read = await store.read(newSlip);
    t.like(read, {
      merchantId: 1,
      slipId: newSlip.slipId,
      playerId: newSlip.playerId,
      currency: "BRL",
      leaseToken: token(1),
    });
    t.deepEqual(read?.bets, newSlip.bets);
    t.deepEqual(read?.state, { status: "running" });
    t.is((read?.dueAt ?? 0) - (read?.createdAt ?? 0), LEASE_MS);
    t.is(await store.read(slip("S".repeat(88), [])), undefined);
    t.is(await store.read({ merchantId: 2, slipId: newSlip.slipId }), undefined);
  });

  test(`${name}: a slip is found by any of its bets, and only at its own merchant`, async (t) => {
    const {
      stores: [store],
    } = await create();
    await store.open(slip("s1", ["a", "b"]), token(1), LEASE_MS);
    await store.open(slip("s2", ["c"]), token(2), LEASE_MS);
    t.is((await store.ofBet(1, "b"))?.slipId, "s1");
    t.deepEqual((await store.ofBet(1, "b"))?.bets, (await store.read(slip("s1", [])))?.bets);
    t.is((await store.ofBet(1, "c"))?.slipId, "s2");
    t.is(await store.ofBet(1, "B"), undefined);
    t.is(await store.ofBet(2, "b"), undefined);
  });

  test(`${name}: a slip's id is unique per merchant, compared byte by byte; a second slip with this id gets the first slip`, async (t) => {
    const { stores } = await create();
    const attempts = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (stores[i % stores.length] as SlipStore).open(slip("s1", ["a", "b"]), token(i), LEASE_MS),
      ),
    );
    t.is(attempts.filter((opened) => opened.is === "new").length, 1);
    t.is(attempts.filter((opened) => opened.is === "known").length, 11);
    const [store] = stores;
    t.is((await store.open(slip("S1", ["A", "B"]), token(20), LEASE_MS)).is, "new");
    t.is((await store.open(slip("s1", ["a", "b"], { merchantId: 2 }), token(21), LEASE_MS)).is, "new");
  });

  test(`${name}: a slip with a bet id of another slip is refused with the position of that bet, and takes none of its ids`, async (t) => {
    const { stores } = await create();
    const [store] = stores;
    await store.open(slip("s1", ["a", "b", "c"]), token(1), LEASE_MS);
    t.deepEqual(await store.open(slip("s2", ["x", "c", "b"]), token(2), LEASE_MS), { is: "taken", position: 1 });
    t.is(await store.read({ merchantId: 1, slipId: "s2" }), undefined);
    t.is((await store.open(slip("s3", ["x"]), token(3), LEASE_MS)).is, "new");

    const crossed = await Promise.all(
      ["one", "two", "three", "four"].map((id, i) =>
        (stores[i % stores.length] as SlipStore).open(
          slip(id, i % 2 === 0 ? ["p", "q"] : ["q", "p"]),
          token(10 + i),
          LEASE_MS,
        ),
      ),
    );
    t.is(crossed.filter((opened) => opened.is === "new").length, 1);
    t.is(crossed.filter((opened) => opened.is === "taken").length, 3);
  });

  test(`${name}: after its lease has expired, exactly one of several processes can take a slip over`, async (t) => {
    const { stores, age } = await create();
    const [store] = stores;
    const key = slip("s1", ["a"]);
    await store.open(key, token(1), LEASE_MS);
    const seen = { merchantId: 1, slipId: "s1", leaseToken: token(1) };
    t.is(await store.take(seen, token(2), LEASE_MS), undefined);
    t.deepEqual(await store.due(10), []);
    await age(LEASE_MS);
    t.deepEqual(await store.due(10), [seen]);
    t.is(await store.take({ ...seen, leaseToken: token(3) }, token(2), LEASE_MS), undefined);
    const tried = await Promise.all(
      Array.from({ length: 9 }, (_, i) =>
        (stores[i % stores.length] as SlipStore).take(seen, token(100 + i), LEASE_MS),
      ),
    );
    const taken = tried.filter((one) => one !== undefined);
    t.is(taken.length, 1);
    t.deepEqual(taken[0]?.bets, key.bets);
    t.deepEqual(await store.due(10), []);
    t.is((await store.read(key))?.leaseToken, taken[0]?.leaseToken);
    t.is(await store.take({ ...seen, slipId: "nobody's" }, token(3), LEASE_MS), undefined);
  });

  test(`${name}: the holder of the token records the state; an earlier holder writes nothing`, async (t) => {
    const {
      stores: [store],
      age,
    } = await create();
    const key = slip("s1", ["a", "b"]);
    await store.open(key, token(1), LEASE_MS);
    await age(LEASE_MS / 2);
    t.true(await store.renew(key, token(1), LEASE_MS));
    await age(LEASE_MS / 2);
    t.deepEqual(await store.due(10), []);
    await age(LEASE_MS / 2);
    await store.take({ ...key, leaseToken: token(1) }, token(2), LEASE_MS);
    t.false(await store.renew(key, token(1), LEASE_MS));
    t.false(await store.decide(key, token(1), { status: "accepted" }, LEASE_MS));
    t.false(await store.finish(key, token(1)));
    t.deepEqual((await store.read(key))?.state, { status: "running" });
    t.false(await store.finish(key, token(2)), "a running slip has no refunds");
    t.true(await store.decide(key, token(2), REFUSED, LEASE_MS));
    t.false(await store.renew(key, token(2), LEASE_MS), "only a running slip is renewed");
    t.deepEqual((await store.read(key))?.state, REFUSED);
    await age(LEASE_MS);
    t.is((await store.due(10)).length, 1);
    t.deepEqual((await store.take({ ...key, leaseToken: token(2) }, token(3), LEASE_MS))?.state, REFUSED);
    t.true(await store.finish(key, token(3)));
    t.like(await store.read(key), { state: { ...REFUSED, refunding: false }, dueAt: null });
  });

  test(`${name}: a finished slip cannot be taken over, and gets no other final status`, async (t) => {
    const {
      stores: [store],
      age,
    } = await create();
    const [accepted, failed] = [slip("s1", ["a"]), slip("s2", ["b"])];
    for (const one of [accepted, failed]) await store.open(one, token(1), LEASE_MS);
    t.true(await store.decide(accepted, token(1), { status: "accepted" }, LEASE_MS));
    t.true(await store.decide(failed, token(1), { ...SILENT, refunding: false }, LEASE_MS));
    await age(2 * LEASE_MS);
    t.deepEqual(await store.due(10), []);
    t.is(await store.take({ ...accepted, leaseToken: token(1) }, token(2), LEASE_MS), undefined);
    t.true(await store.decide(accepted, token(1), { status: "accepted" }, LEASE_MS));
    t.false(await store.decide(accepted, token(1), SILENT, LEASE_MS));
    t.false(await store.finish(accepted, token(1)));
    t.false(await store.decide(failed, token(1), { ...SILENT, at: 1, refunding: false }, LEASE_MS));
    t.false(await store.decide(failed, token(1), REFUSED, LEASE_MS));
    t.like(await store.read(accepted), { state: { status: "accepted" }, dueAt: null });
    t.deepEqual((await store.read(failed))?.state, { ...SILENT, refunding: false });
  });

  // Each statement may be sent twice, and its first copy may arrive after any later statement.
  test(`${name}: a late copy of any statement changes no state and gives nobody a lease that was lost`, async (t) => {
    const {
      stores: [store],
      age,
    } = await create();
    const key = slip("s1", ["a", "b"]);
    const statements = {
      open: () => store.open(key, token(1), LEASE_MS),
      renew: () => store.renew(key, token(1), LEASE_MS),
      take: () => store.take({ ...key, leaseToken: token(1) }, token(2), LEASE_MS),
      renewTaken: () => store.renew(key, token(2), LEASE_MS),
      decide: () => store.decide(key, token(2), REFUSED, LEASE_MS),
      takeFailed: () => store.take({ ...key, leaseToken: token(2) }, token(3), LEASE_MS),
      finish: () => store.finish(key, token(3)),
    };
    const sent: (() => Promise<unknown>)[] = [];
    for (const [what, statement] of Object.entries(statements)) {
      if (what.startsWith("take")) await age(LEASE_MS);
      t.truthy(await statement(), what);
      sent.push(statement);
      // The copies arrive at once, and again when the lease has expired.
      for (const expired of [false, true]) {
        if (expired) await age(LEASE_MS);
        const before = await store.read(key);
        for (const copy of sent) {
          await copy();
          const after = await store.read(key);
          t.deepEqual([after?.state, after?.leaseToken], [before?.state, before?.leaseToken], what);
          t.is(after?.dueAt === null, before?.dueAt === null, what);
        }
      }
    }
    t.like(await store.read(key), { state: { ...REFUSED, refunding: false }, leaseToken: token(3), dueAt: null });
  });

  test(`${name}: due slips are returned in the order in which they became due, and at most the limit`, async (t) => {
    const {
      stores: [store],
      age,
    } = await create();
    for (const [i, id] of ["late", "early", "middle"].entries())
      await store.open(slip(id, [id]), token(i), wholeMs([3_000, 1_000, 2_000][i] ?? 0));
    await age(10_000);
    t.deepEqual(
      (await store.due(2)).map(({ slipId }) => slipId),
      ["early", "middle"],
    );
  });
}
