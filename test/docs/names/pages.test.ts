/** The pages of docs/ name files, identifiers and scripts. These tests find the names of code that is gone. */
import { existsSync, readFileSync } from "node:fs";
import test from "ava";
import { page, pages } from "../markdown.ts";
import { FILES, isPath, meant, scripts, spans, textOf } from "./project.ts";

test("every file and folder of the project that a page names exists", (t) => {
  const named = pages().flatMap((from) =>
    [
      ...page(from).matchAll(
        /(?<![\w/.:@-])(?:src|test|testbed|bench|tools|sandbox|reconcile|web-renderer|proto)\/[\w/.-]+(?![\w/.*{<-])/g,
      ),
    ].map(([path]) => ({
      from,
      path: path.replace(/[./]+$/, ""),
    })),
  );
  t.true(named.length > 100, "the names were found");
  t.deepEqual(
    named.filter(({ path }) => !existsSync(path)),
    [],
  );
});

/** Files of readers' projects, and of a release. */
const ELSEWHERE = ["FirstBet.java", "first_bet.py", "signing.mjs", "main.go"];

const SOURCE = /\.(ts|mjs|proto|py|php|java|go|yml|css)$/;

test("every source file that a page names by the end of its path exists", (t) => {
  const named = pages().flatMap((from) => {
    const paths = spans(page(from)).filter(isPath);
    const near = paths.filter((path) => existsSync(path));
    return paths.map((path) => {
      const files = meant(path, near);
      near.push(...files);
      return { name: `${from}: ${path}`, path, exists: files.length > 0 };
    });
  });
  t.true(named.length > 300, "the names were found");
  const dead = named.filter(({ path, exists }) => !exists && SOURCE.test(path) && !ELSEWHERE.includes(path));
  t.deepEqual(
    dead.map(({ name }) => name),
    [],
  );
});

/** Names of other programs: settings of databases, and a command of the system. */
const FOREIGN = /^(?:innodb|wsrep|group_replication)_|^systemctl$/;

/** Pages that name hardly anything of other projects. */
const OWN = ["architecture", "simulation", "reliability", "operations", "console", "admin", "security", "commands"];

test("every identifier that a page about the project names stands in a source", (t) => {
  const sources = FILES.filter((path) => /\.(ts|mjs|js|json|proto|sql|yml|py|php|java|go)$/.test(path));
  const words = new Set(sources.flatMap((path) => textOf(path).match(/[\w$]+/g) ?? []));
  const named = OWN.flatMap((name) =>
    spans(page(`docs/${name}.md`))
      .filter((span) => /^#?[A-Za-z_$][\w$]*(\.[\w$]+)*(\(.*\))?$/.test(span) && !isPath(span))
      .flatMap((span) => (span.replace(/\(.*/, "").match(/[\w$]+/g) ?? []).map((word) => ({ name, span, word }))),
  );
  t.true(named.length > 100, "the names were found");
  t.deepEqual(
    named.filter(({ word }) => !words.has(word) && !FOREIGN.test(word)),
    [],
  );
});

test("every script that a page runs with npm exists", (t) => {
  const own = JSON.parse(readFileSync("package.json", "utf8")).scripts as Record<string, string>;
  const named = pages().flatMap((from) => scripts(page(from)).map((script) => ({ from, script })));
  t.true(named.length > 100, "the scripts were found");
  t.deepEqual(
    named.filter(({ script }) => !(script in own)),
    [],
  );
});
