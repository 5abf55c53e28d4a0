/** CONTRIBUTING.md names files, identifiers and commands. This test finds the names of code that is gone. */
import { readFileSync } from "node:fs";
import test from "ava";
import { anchors, page } from "../markdown.ts";
import { fromRoot, isPath, meant, scripts, spans, textOf } from "./project.ts";

/** A step of a recipe, or a paragraph. */
interface Step {
  readonly heading: string;
  readonly text: string;
}

const RECIPES = /^## Where would I change this\?$/m;

/** The steps of all recipes: each numbered item with its sub-items, and each paragraph. */
function steps(text: string): Step[] {
  const [, recipes = ""] = text.split(RECIPES);
  return recipes.split(/^### /m).flatMap((section) => {
    const [heading = ""] = section.split("\n", 1);
    return section
      .slice(heading.length)
      .split(/\n\n|\n(?=\d+\. )/)
      .filter((step) => step.trim() !== "")
      .map((step) => ({ heading, text: step }));
  });
}

/** What a recipe names that does not exist, each with the recipe's heading. */
function faults(text: string): string[] {
  const own = JSON.parse(readFileSync("package.json", "utf8")).scripts as Record<string, string>;
  const dead = scripts(text).filter((name) => !(name in own));
  const found = dead.map((name) => `npm run ${name}: no such script`);
  const near = new Map<string, string[]>();
  for (const { heading, text: step } of steps(text)) {
    const named = near.get(heading) ?? [];
    near.set(heading, named);
    const paths = spans(step).filter((one) => isPath(one) && !isBuilt(one));
    // A file may be named before its folder.
    const beside = paths.flatMap((span) => fromRoot(span));
    for (const span of paths) {
      const files = meant(span, [...beside, ...named.toReversed()]);
      if (files.length === 0) found.push(`${heading}: ${span}: no such file`);
      const [path = "", anchor] = span.split("#");
      if (anchor !== undefined && !anchors(page(path)).includes(anchor))
        found.push(`${heading}: ${span}: no such anchor`);
      beside.push(...files);
      named.push(...files);
    }
    const places = beside.length > 0 ? beside : named;
    for (const span of spans(step).filter((one) => !isPath(one) && !isCommand(one)))
      if (!places.some((path) => names(span).every((name) => textOf(path).includes(name))))
        found.push(`${heading}: ${span}: in none of ${places}`);
  }
  return found;
}

/** The identifiers of an expression such as `telemetry.alert(name, fields)`, without its arguments. Else: the text itself. */
const names = (span: string): string[] =>
  /^#?[\w$]+(\??\.[\w$]+)*(\(.*\))?$/.test(span) ? span.replace(/\(.*/, "").split(/\??\./) : [span];

const isBuilt = (span: string): boolean => span.startsWith("dist/");

const isCommand = (span: string): boolean => /^(npm|git|ava|apt-get) /.test(span);

test("every file, identifier, script and anchor that a recipe names exists", (t) => {
  const text = page("CONTRIBUTING.md");
  t.true(steps(text).length > 20, "the steps were found");
  t.deepEqual(faults(text), []);
});

test("the test finds a dead file, identifier, script and anchor", (t) => {
  const recipe = (step: string): string[] =>
    faults(`## Where would I change this?\n\n### A thing\n\n1. ${step}\n`).map((fault) => fault.split(": ")[1] ?? "");
  t.deepEqual(recipe("`src/domain/errors.ts`: `refuse`, and `settle.ts` in `src/domain/transaction/`"), []);
  t.deepEqual(recipe("`src/domain/gone.ts`"), ["src/domain/gone.ts"]);
  t.deepEqual(recipe("`src/domain/errors.ts` and `gone.ts` beside it"), ["gone.ts"]);
  t.deepEqual(recipe("`src/domain/errors.ts`: `refuseGone`"), ["refuseGone"]);
  t.deepEqual(recipe("`src/domain/errors.ts`: `settle`, which stands elsewhere"), ["settle"]);
  t.deepEqual(recipe("`console/app/words/{en,fr}/shell.ts`"), ["console/app/words/{en,fr}/shell.ts"]);
  const anchor = ["docs/specification/errors.md", "err-gone"].join("#");
  t.deepEqual(recipe(`\`${anchor}\``), [anchor]);
  t.deepEqual(faults("`npm run gone`"), ["npm run gone: no such script"]);
});
