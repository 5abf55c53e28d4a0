import test from "ava";
import fc from "fast-check";
import { SessionKeeper } from "../../web-renderer/frame/session-keeper.ts";

/** A session is represented by the token from which it was created. The server accepts each token of `good` once. */
interface World {
  readonly keeper: SessionKeeper<{ readonly token: string }>;
  /** The tokens that the server received, in order. */
  readonly tried: string[];
  /** The arguments of onSession, in the order of the calls. */
  readonly told: (string | null)[];
  questions: number;
}

/**
 * Creates a world. `wait` is awaited before each answer of the server and the merchant. `answers` are the merchant's
 * answers in order. After the last one the merchant answers null.
 */
function world(answers: readonly (string | null)[], wait: () => Promise<unknown>): World {
  const used = new Set<string>();
  let signingIn = 0;
  const world: World = {
    tried: [],
    told: [],
    questions: 0,
    keeper: new SessionKeeper({
      async signIn(token) {
        if (++signingIn > 1) throw new Error("two at once");
        world.tried.push(token);
        await wait();
        signingIn--;
        const good = token.startsWith("good") && !used.has(token);
        used.add(token);
        return good ? { token } : undefined;
      },
      onSession: (session) => void world.told.push(session?.token ?? null),
      ask(answer) {
        const next = answers[world.questions++] ?? null;
        void wait().then(() => answer(next));
      },
    }),
  };
  return world;
}

const tokens = fc.constantFrom(null, "good-1", "good-2", "good-3", "bad-1", "bad-2");

test("for any order of tokens, expirations and answers, the keeper ends with the last reported session", async (t) => {
  const script = fc.record({
    given: fc.array(tokens, { minLength: 1, maxLength: 6 }),
    answers: fc.array(tokens, { maxLength: 4 }),
    turns: fc.infiniteStream(fc.nat()),
  });
  await fc.assert(
    fc.asyncProperty(script, async ({ given, answers, turns }) => {
      /** The events that may happen next. `turns` decides their order. */
      const next: (() => void)[] = [];
      const { keeper, tried, told } = world(answers, () => new Promise<void>((resolve) => next.push(resolve)));
      const ends: Promise<unknown>[] = [];
      let last: string | null = null;
      for (const token of given) {
        next.push(() => {
          last = token;
          ends.push(keeper.give(token));
        });
        // Several requests of the current session get the answer that the session has expired.
        next.push(() => {
          const { session } = keeper;
          if (session !== undefined) for (let i = 0; i < 3; i++) ends.push(keeper.renew(session));
        });
      }
      while (next.length > 0) {
        const [happens] = next.splice(turns.next().value % next.length, 1);
        happens?.();
        // Sometimes two events happen at once.
        if (turns.next().value % 2 === 0) await new Promise(setImmediate);
        if (next.length === 0) await new Promise(setImmediate);
      }
      const settled = await Promise.race([
        Promise.all(ends),
        new Promise((resolve) => setTimeout(resolve, 5_000, "never settled")),
      ]);
      t.not(settled, "never settled");
      if (last === null) t.is(keeper.session, undefined, "a logout is a logout");
      else t.true(tried.includes(last), "no login is lost");
      t.is(told.at(-1), keeper.session?.token ?? null, "what was told last is so");
      t.true(
        told.every((token, i) => i === 0 || token !== null || told[i - 1] !== null),
        "no visitor twice",
      );
      t.true(
        tried.every((token, i) => i === 0 || token !== tried[i - 1]),
        "no jwt twice in a row",
      );
    }),
    { numRuns: 500 },
  );
});

test("if five requests fail together because their session has expired, and a sixth fails later, the merchant is asked once for a token", async (t) => {
  const { keeper, tried, ...made } = world(["good-2"], () => Promise.resolve());
  await keeper.give("good-1");
  const { session } = keeper;
  if (session === undefined) return t.fail("good-1 is good");
  const renewed = await Promise.all([1, 2, 3, 4, 5].map(() => keeper.renew(session)));
  t.deepEqual(renewed, Array(5).fill({ token: "good-2" }));
  t.deepEqual(await keeper.renew(session), { token: "good-2" });
  t.deepEqual(tried, ["good-1", "good-2"]);
  t.deepEqual(made.told, ["good-1", "good-2"]);
});

test("after two refused tokens the player becomes a visitor, and the merchant is not asked again", async (t) => {
  const made = world(["bad-1", "bad-2", "good-1"], () => Promise.resolve());
  await made.keeper.give("bad-3");
  t.is(made.questions, 2);
  t.deepEqual(made.told, [null]);
});

test("a token that the page sets ends the wait for the merchant's answer", async (t) => {
  const keeper = new SessionKeeper<string>({
    signIn: async (token) => (token === "good" ? token : undefined),
    onSession: () => {},
    ask: () => {},
  });
  const end = keeper.give("bad");
  await Promise.resolve();
  await Promise.resolve();
  await keeper.give("good");
  await end;
  t.is(keeper.session, "good");
});

test("a session keeper calls no callback after it was closed", async (t) => {
  const told: unknown[] = [];
  const keeper = new SessionKeeper<string>({
    signIn: async (token) => token,
    onSession: (session) => told.push(session),
    ask: () => {},
  });
  const end = keeper.give("good");
  keeper.close();
  await end;
  t.deepEqual(told, []);
});
