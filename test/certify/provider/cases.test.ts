import { existsSync } from "node:fs";
import test from "ava";
import { CATEGORIES } from "../../../certify/provider/cases/list.ts";
import { citedRule, RULE_IDS } from "../../../certify/provider/rules.ts";
import { page } from "../../docs/markdown.ts";
import { BUGS, bugOf } from "./bugs.ts";

const all = CATEGORIES.flatMap((category) =>
  category.cases.map((one) => ({ name: `${category.id}/${one.id}`, ...one })),
);

test("there are more than 40 cases, each with its own name", (t) => {
  t.true(all.length > 40);
  t.is(new Set(all.map(({ name }) => name)).size, all.length);
  for (const { name, title } of all) {
    t.regex(name, /^[a-z]+\/[a-z0-9-]+$/);
    t.false(title.endsWith("."), name);
  }
});

test("every rule that the certification names is in the specification under its anchor", (t) => {
  for (const id of RULE_IDS) {
    const { address, text } = citedRule(id);
    const [path = "", anchor = ""] = address.split("#");
    t.true(existsSync(path), path);
    t.true(page(path).includes(`<a id="${anchor}"></a>`), address);
    t.true(text.endsWith("."), address);
  }
});

test("every planted bug names an existing case, and each category has a planted bug", (t) => {
  const bugs = Object.keys(BUGS).map((name) => bugOf(name as keyof typeof BUGS));
  const known = (name: string): boolean => all.some((one) => one.name === name);
  t.deepEqual(
    bugs.map(({ caughtBy }) => caughtBy).filter((name) => !known(name)),
    [],
  );
  t.deepEqual(
    bugs.flatMap(({ also = [] }) => also).filter((name) => !known(name) && !CATEGORIES.some(({ id }) => id === name)),
    [],
  );
  t.deepEqual(
    CATEGORIES.filter(({ id }) => !bugs.some(({ caughtBy }) => caughtBy.startsWith(`${id}/`))),
    [],
  );
});

test("docs/certify-provider.md names each category and each option", (t) => {
  const text = page("docs/certify-provider.md");
  for (const { id } of CATEGORIES) t.true(text.includes(`| \`${id}\``), id);
  const usage = page("certify/provider/arguments.ts");
  const options = [...usage.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option = ""]) => option);
  t.true(options.length > 15);
  for (const option of options) t.true(text.includes(`\`${option}\``), option);
});
