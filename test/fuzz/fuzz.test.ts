/** A short run of all kinds; `npm run fuzz` makes long ones. */
import test, { type ExecutionContext } from "ava";
import { fuzzKind, replay } from "./fuzz-kind.ts";
import type { Kind, Rig } from "./kind.ts";
import { PARSERS } from "./kinds/parsers.ts";
import { serviceKinds } from "./kinds/service.ts";
import { socketKinds } from "./kinds/sockets.ts";
import { mutateText } from "./mutate.ts";

const SEED = 7;

async function allTaken(t: ExecutionContext, kinds: Rig["kinds"], inputs: number): Promise<void> {
  for (const kind of kinds) {
    const { faults } = await fuzzKind(kind as unknown as Kind, SEED, inputs);
    t.deepEqual(faults, [], kind.name);
  }
}

test.serial("every function that reads texts or bytes keeps its rules for random and damaged input", (t) =>
  allTaken(t, PARSERS, 60),
);

test.serial("whole requests get answers that the contract allows, and nothing invalid is stored", async (t) => {
  const { kinds, close } = await serviceKinds();
  t.teardown(close);
  await allTaken(t, kinds, 80);
});

test.serial("the listeners answer any bytes on their sockets, or close the connection", async (t) => {
  const { kinds, close } = await socketKinds();
  t.teardown(close);
  await allTaken(t, kinds, 80);
});

test.serial("the report of a fault has the name of its input, which creates the same input again", async (t) => {
  const broken: Kind<string> = {
    name: "broken",
    reader: "a reader that throws at two semicolons",
    perMillion: 0,
    generate: (random) => `limit=${random.int(0, 9)};${random.int(0, 9)}`,
    mutate: mutateText,
    check: (text) => {
      if (/\d;;/.test(text)) throw new Error("no such luck");
      return [];
    },
  };
  const { faults } = await fuzzKind(broken, SEED, 400);
  t.true(faults.length > 0);
  for (const { input, shown, what } of faults) {
    t.regex(what, /^threw Error: no such luck/);
    const again = await replay(broken, SEED, input);
    t.is(again.shown, shown);
    t.is(again.faults.length, 1);
  }
});

test.serial("the fuzzer finds a write to a prototype", async (t) => {
  const polluter: Kind<string> = {
    name: "polluter",
    reader: "a reader that merges what it reads",
    perMillion: 0,
    generate: () => "__proto__",
    mutate: mutateText,
    check: (text) => {
      Object.assign(({} as Record<string, object>)[text] ?? {}, { polluted: true });
      return [];
    },
  };
  t.teardown(() => Reflect.deleteProperty(Object.prototype, "polluted"));
  const { faults } = await fuzzKind(polluter, SEED, 40);
  t.true(
    faults.some(({ what }) => what.startsWith("a built-in prototype has other keys") && what.includes("polluted")),
  );
});
