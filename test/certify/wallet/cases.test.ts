import { existsSync } from "node:fs";
import test from "ava";
import { decimal, readAmount } from "../../../certify/wallet/calls/money.ts";
import { readReply } from "../../../certify/wallet/calls/reply.ts";
import { CATEGORIES } from "../../../certify/wallet/cases/list.ts";
import { Memory, memoryOf, NOTHING_KEPT } from "../../../certify/wallet/cases/memory.ts";
import { generate } from "../../../certify/wallet/random/generate.ts";
import { rulesOf } from "../../../certify/wallet/random/rules.ts";
import { isSound, readScript, type Script } from "../../../certify/wallet/random/script.ts";
import { Budget, shrink } from "../../../certify/wallet/random/shrink.ts";
import { citedRule, RULES } from "../../../certify/wallet/rules.ts";
import { VERSION } from "../../../certify/wallet/version.ts";
import { page } from "../../docs/markdown.ts";
import { BUGS } from "./bugs.ts";

const categories = [...CATEGORIES, memoryOf(new Memory(), 0, NOTHING_KEPT)];
const all = categories.flatMap((category) =>
  category.cases.map((one) => ({ name: `${category.id}/${one.id}`, ...one })),
);

test("there are more than 150 cases, each with its own name", (t) => {
  t.true(all.length > 150);
  t.is(new Set(all.map(({ name }) => name)).size, all.length);
  for (const { name, title } of all) {
    t.regex(name, /^[a-z]+\/[a-z0-9-]+$/);
    t.false(title.endsWith("."), name);
  }
});

test("every cited rule is in the specification under its anchor, and every listed rule is cited", (t) => {
  const cited = new Set(all.map(({ rule }) => rule));
  t.deepEqual(
    Object.keys(RULES).filter((id) => !cited.has(id as keyof typeof RULES) && id !== "contract-once"),
    [],
  );
  for (const id of cited) {
    const { address } = citedRule(id);
    const [path = "", anchor = ""] = address.split("#");
    t.true(existsSync(path), path);
    t.true(page(path).includes(`<a id="${anchor}"></a>`), address);
  }
});

test("every planted bug names an existing case, and each category has a planted bug", (t) => {
  const caught = Object.values(BUGS).map(({ caughtBy }) => caughtBy);
  t.deepEqual(
    caught.filter((name) => name !== "random" && !all.some((one) => one.name === name)),
    [],
  );
  t.deepEqual(
    categories.filter(({ id }) => !caught.some((name) => name.startsWith(`${id}/`))),
    [],
  );
});

test("docs/certify-wallet.md names each category", (t) => {
  for (const { id } of [...categories, { id: "random" }])
    t.true(page("docs/certify-wallet.md").includes(`| \`${id}\``), id);
});

test("the package and the cases have the same version", (t) => {
  t.is((JSON.parse(page("certify/wallet/package.json")) as { version: string }).version, VERSION);
});

test("amounts are read and written exactly, even if floating-point numbers are not exact", (t) => {
  for (const minor of [0n, 1n, -1n, 10n, 29n, 115n, 250n, 100_000n, 999_999_999_999n, -999_999_999_999_999n]) {
    t.deepEqual(readAmount(decimal(minor, "BRL"), "BRL"), { minor, exact: true });
    t.deepEqual(readAmount(decimal(minor, "CLP"), "CLP"), { minor, exact: true });
  }
  t.is(decimal(250n, "BRL"), "2.5");
  t.is(decimal(1_500n, "CLP"), "1500");
  t.deepEqual(readAmount("0.30000000000000004", "BRL"), { minor: 30n, exact: false });
  t.deepEqual(readAmount("-1.115", "BRL"), { minor: -112n, exact: false });
  t.deepEqual(readAmount("2.500", "BRL"), { minor: 250n, exact: true });
  t.deepEqual(readAmount("1e21", "BRL"), { minor: 10n ** 23n, exact: true });
  t.deepEqual(readAmount("15e-1", "CLP"), { minor: 2n, exact: false });
  t.is(readAmount("1e999", "BRL"), undefined);
});

test("the meaning and the faults of a reply are read from its text, as the wallet sent it", (t) => {
  const read = (text: string, status = 200) => readReply(status, text, "BRL");
  t.deepEqual(read('{"ok":true,"balance":97.50}'), { meaning: { kind: "accepted", balance: 9_750n }, faults: [] });
  t.deepEqual(read('\uFEFF {"x":{"balance":1},"balance":1,"ok":true,"balance":-2.5e0,"y":[{"balance":3}]} '), {
    meaning: { kind: "accepted", balance: -250n },
    faults: [],
  });
  t.deepEqual(read('{"ok":false}', 409), { meaning: { kind: "rejected", error: "UNKNOWN" }, faults: [] });
  t.is(read('{"ok":true,"balance":1}', 503).meaning.kind, "silent");
  for (const text of ["", "<html>", "[]", "null", '{"balance":1}', '{"ok":"yes"}'])
    t.is(read(text).meaning.kind, "silent", text);
  for (const text of [
    '{"ok":true,"balance":"1.00"}',
    '{"ok":true,"balance":null}',
    '{"ok":true}',
    '{"ok":1,"balance":1}',
    '{"ok":true,"balance":0.125}',
    '{"ok":true,"balance":1e21}',
  ])
    t.is(read(text).faults.length, 1, text);
  t.deepEqual(read('{"ok":true,"balance":"1.00"}').meaning, { kind: "accepted", balance: 100n }, "cases go on with it");
});

test("the same seed gives the same history, which is valid and can be read from its text", (t) => {
  for (let seed = 0; seed < 300; seed += 1) {
    const script = generate(seed);
    t.deepEqual(generate(seed), script);
    t.true(isSound(script), String(seed));
    t.deepEqual(readScript(JSON.parse(JSON.stringify(script))), script);
  }
  t.notDeepEqual(generate(1), generate(2));
  t.throws(() => readScript({ start: 0, callbacks: [], steps: [[{ send: 0 }]] }), { message: "no callback 0" });
});

test("a history names the rules of its actions, then the rules of its repeats and reversals", (t) => {
  const bet = { action: "bet", amount: 100 } as const;
  const refund = { action: "refund", amount: "whole", of: 0 } as const;
  const rules = (callbacks: Script["callbacks"], ...steps: Script["steps"]) => rulesOf({ start: 0, callbacks, steps });
  t.deepEqual(rules([bet], [{ send: 0 }]), ["contract-bet"]);
  t.deepEqual(rules([bet], [{ send: 0 }], [{ send: 0 }]), ["contract-bet", "contract-once"]);
  t.deepEqual(rules([bet], [{ send: 0, cut: 3 }]), ["contract-bet", "contract-once"]);
  t.deepEqual(rules([bet], [{ send: 0, copies: 2 }]), ["contract-bet", "contract-concurrent"]);
  t.deepEqual(rules([bet, refund], [{ send: 0 }], [{ send: 1 }]), ["contract-bet", "contract-refund"]);
  t.deepEqual(rules([bet, refund], [{ send: 1 }]), ["contract-refund", "contract-tombstone"]);
  t.deepEqual(rules([bet, refund], [{ send: 0 }, { send: 1 }]), [
    "contract-bet",
    "contract-refund",
    "contract-tombstone",
  ]);
  t.deepEqual(rules([bet, refund, { ...refund, amount: "other" }], [{ send: 0 }], [{ send: 1 }], [{ send: 2 }]), [
    "contract-bet",
    "contract-refund",
    "contract-reverse-once",
    "contract-reverse-whole",
  ]);
});

test("a failing history is reduced to the callbacks that make it fail", async (t) => {
  // A script fails if it has a refund and, after it, a repeat of the refunded bet.
  const fails = async ({ callbacks, steps }: Script): Promise<boolean> => {
    const order = steps.flat().map(({ send }) => send);
    return callbacks.some(
      ({ action, of }, i) =>
        action === "refund" &&
        of !== undefined &&
        callbacks[of]?.action === "bet" &&
        order.includes(i) &&
        order.lastIndexOf(of) > order.indexOf(i),
    );
  };
  const seeds = Array.from({ length: 200 }, (_, seed) => seed);
  let shrunk = 0;
  for (const seed of seeds) {
    const script = generate(seed);
    if (!(await fails(script))) continue;
    const smallest = await shrink(script, fails, new Budget({ plays: 2_000, ms: 10_000 }));
    t.deepEqual(
      smallest.steps.flat().map(({ send }) => send),
      [1, 0],
    );
    t.deepEqual(
      smallest.callbacks.map(({ action }) => action),
      ["bet", "refund"],
    );
    shrunk += 1;
  }
  t.true(shrunk > 20);
});
