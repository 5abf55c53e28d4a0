import type { TestFn } from "ava";
import type { PlayerId, ProviderCode } from "../../src/domain/values/identifiers.ts";
import type { NewSession, SessionStore } from "../../src/ports/session-store.ts";

export interface SessionStoreUnderTest {
  readonly store: SessionStore;
  /** Makes the stored rows older by `ms`. */
  readonly age: (ms: number) => Promise<void>;
}

const hex = (n: number): string => n.toString(16).padStart(32, "0");
const newSession = (n: number, more: Partial<NewSession> = {}): NewSession => ({
  id: hex(n),
  merchantId: 1,
  playerId: "joão-1" as PlayerId,
  playerRef: hex(1_000 + n),
  provider: "ACME" as ProviderCode,
  game: "book-of-x",
  demo: false,
  language: "pt",
  country: "BR",
  ...more,
});

/** The contract of ports/session-store.ts, for every implementation. */
export function sessionStoreContract(test: TestFn, name: string, create: () => Promise<SessionStoreUnderTest>): void {
  test(`${name}: a session is read as it was created`, async (t) => {
    const { store } = await create();
    const wanted = newSession(1, { demo: true, language: "en-US", country: "CL", playerId: "é😀 '\"\\" as PlayerId });
    const created = await store.create(wanted);
    const { createdAt, usedAt, idleMs, endedAt, ...rest } = created;
    t.deepEqual(rest, wanted);
    t.is(createdAt, usedAt);
    t.is(endedAt, null);
    t.true(createdAt > 1_700_000_000_000 && idleMs >= 0 && idleMs < 60_000);
    t.like(await store.read(wanted.id), { ...wanted, createdAt });
  });

  test(`${name}: there is no session with an unknown id, whatever its form`, async (t) => {
    const { store } = await create();
    await store.create(newSession(1));
    for (const id of [hex(2), "", "x", hex(1).slice(1), `${hex(1)}0`, hex(0xabc).toUpperCase(), "' OR 1=1"]) {
      t.is(await store.read(id), undefined, id);
      await t.notThrowsAsync(store.touch(id), id);
    }
  });

  test(`${name}: a merchant's player keeps the reference of the first launch; player ids are compared byte by byte`, async (t) => {
    const { store } = await create();
    const first = await store.create(newSession(1));
    t.is((await store.create(newSession(2))).playerRef, first.playerRef);
    const others = [
      { merchantId: 2 },
      { playerId: "JOÃO-1" as PlayerId },
      { playerId: "joão-1 " as PlayerId },
      { playerId: "joao-1" as PlayerId },
    ];
    for (const [i, other] of others.entries()) {
      t.is((await store.create(newSession(10 + i, other))).playerRef, hex(1_010 + i));
    }
  });

  test(`${name}: concurrent first launches of a player create one player reference`, async (t) => {
    const { store } = await create();
    const sessions = await Promise.all(Array.from({ length: 20 }, (_, n) => store.create(newSession(n))));
    t.is(new Set(sessions.map((session) => session.playerRef)).size, 1);
    t.is(new Set(sessions.map((session) => session.id)).size, 20);
    t.is((await store.read(hex(7)))?.playerRef, sessions[0]?.playerRef);
  });

  test(`${name}: a provider finds the players that it has had sessions with, and no others`, async (t) => {
    const { store } = await create();
    const { playerRef } = await store.create(newSession(1));
    t.deepEqual(await store.player(playerRef, "ACME" as ProviderCode), {
      merchantId: 1,
      playerId: "joão-1" as PlayerId,
      playerRef,
    });
    t.is(await store.player(playerRef, "OTHER" as ProviderCode), undefined);
    t.is(await store.player(hex(5), "ACME" as ProviderCode), undefined);
  });

  test(`${name}: the idle time of a session begins again after touch`, async (t) => {
    const { store, age } = await create();
    await store.create(newSession(1));
    await store.create(newSession(2));
    await age(3_600_000);
    await store.touch(hex(1));
    const [touched, idle] = [await store.read(hex(1)), await store.read(hex(2))];
    t.true((touched?.idleMs ?? -1) >= 0 && (touched?.idleMs ?? -1) < 60_000);
    t.true((idle?.idleMs ?? 0) >= 3_600_000);
    t.true((touched?.usedAt ?? 0) > (touched?.createdAt ?? 0));
  });

  test(`${name}: an ended session keeps the time of its end, even if it is used or ended again`, async (t) => {
    const { store } = await create();
    for (const n of [1, 2]) await store.create(newSession(n));
    t.is((await store.read(hex(1)))?.endedAt, null);
    await store.end(hex(1));
    const endedAt = (await store.read(hex(1)))?.endedAt ?? 0;
    t.true(endedAt > 1_700_000_000_000);
    await store.touch(hex(1));
    await store.end(hex(1));
    t.is((await store.read(hex(1)))?.endedAt, endedAt);
    t.is((await store.read(hex(2)))?.endedAt, null);
    for (const id of [hex(3), "", "x"]) await t.notThrowsAsync(store.end(id), id);
  });
}
