import type { TestFn } from "ava";
import {
  CONSOLE_SESSIONS_PER_KEY,
  type ConsoleSession,
  type ConsoleSessionStore,
} from "../../src/ports/console-sessions.ts";

export interface ConsoleSessionsUnderTest {
  readonly store: ConsoleSessionStore;
  /** Moves every stored time `ms` into the past. */
  readonly age: (ms: number) => Promise<void>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const session = (letter: string): ConsoleSession => ({
  idHash: letter.repeat(64),
  keyHash: "f".repeat(64),
  role: "support",
});

/** The contract of ports/console-sessions.ts, for every implementation. */
export function consoleSessionStoreContract(
  test: TestFn,
  name: string,
  create: () => Promise<ConsoleSessionsUnderTest>,
): void {
  test(`${name}: a session is found by its hash until it is closed`, async (t) => {
    const { store } = await create();
    const endsAt = await store.open(session("a"));
    t.deepEqual(await store.use("a".repeat(64)), { ...session("a"), expiresAt: endsAt });
    t.is(await store.use("A".repeat(64)), undefined);
    t.true(await store.close("a".repeat(64)));
    t.false(await store.close("a".repeat(64)));
    t.is(await store.use("a".repeat(64)), undefined);
  });

  test(`${name}: a key has at most ${CONSOLE_SESSIONS_PER_KEY} sessions; with one more, its oldest ends`, async (t) => {
    const { store, age } = await create();
    const other = { ...session("0"), idHash: "0".repeat(64), keyHash: "e".repeat(64) };
    await store.open(other);
    const ids = Array.from({ length: CONSOLE_SESSIONS_PER_KEY + 2 }, (_, i) => String(i).padStart(64, "c"));
    for (const idHash of ids) {
      await age(10);
      await store.open({ ...session("f"), idHash });
    }
    const open = await Promise.all(ids.map(async (idHash) => (await store.use(idHash)) !== undefined));
    t.deepEqual(open, [false, false, ...Array(CONSOLE_SESSIONS_PER_KEY).fill(true)]);
    t.truthy(await store.use(other.idHash), "another key's session stays");
  });

  test(`${name}: a session ends after 30 minutes without a call`, async (t) => {
    const { store, age } = await create();
    const { idHash } = session("a");
    await store.open(session("a"));
    for (let calls = 0; calls < 3; calls++) {
      await age(29 * MINUTE);
      t.truthy(await store.use(idHash), `call ${calls}`);
    }
    await age(31 * MINUTE);
    t.is(await store.use(idHash), undefined);
  });

  test(`${name}: a session ends after 12 hours, however often it is used`, async (t) => {
    const { store, age } = await create();
    const { idHash } = session("a");
    await store.open(session("a"));
    for (let half = 1; half < 24; half++) {
      await age(29.9 * MINUTE);
      t.truthy(await store.use(idHash), `after ${half} half hours`);
    }
    await age(29.9 * MINUTE);
    t.truthy(await store.use(idHash), "some minutes are left");
    await age(5 * MINUTE);
    t.is(await store.use(idHash), undefined);
  });

  test(`${name}: sessions that have ended are deleted, at most the limit at a time`, async (t) => {
    const { store, age } = await create();
    for (const letter of ["a", "b", "c"]) await store.open(session(letter));
    t.is(await store.forget(10), 0);
    await age(HOUR);
    await store.open(session("d"));
    t.is(await store.forget(2), 2);
    t.is(await store.forget(2), 1);
    t.truthy(await store.use("d".repeat(64)));
  });
}
