import { existsSync, readFileSync } from "node:fs";
import test from "ava";
import { LOSS_TIMES } from "../../testbed/cluster/galera-node.ts";
import { ON_LOSS } from "../../testbed/cluster/mysql-group.ts";
import { page, table } from "./markdown.ts";

const TITLE = "Tested and not tested";
const text = page("docs/deployment.md");
const rows = table(text, TITLE);

test("each section of docs/deployment.md has a row that says how it was tested, and what was not", (t) => {
  const sections = [...text.replace(/^```.*?^```$/gms, "").matchAll(/^###? (.+)$/gm)].map(([, name]) => name);
  t.true(sections.length > 15, "the sections were found");
  t.deepEqual(
    rows.map(({ section }) => section),
    sections.filter((name) => name !== TITLE),
  );
  for (const row of rows) t.not(row["not tested"], "", row.section);
});

test("the clusters of the tests treat a lost node as the page says", (t) => {
  const settings = (section: string) => new Map(table(text, section).map(({ setting, value }) => [setting, value]));
  const group = settings("MySQL's group replication");
  for (const [variable, value] of Object.entries(ON_LOSS)) t.is(group.get(variable), value, variable);
  t.is(settings("Galera").get("wsrep_provider_options"), `${LOSS_TIMES};gcache.size=1G`);
});

test("each command of these rows exists, and each file of its tests", (t) => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const cells = rows.map((row) => row["tested by"] ?? "");
  const commands = cells.flatMap((cell) => [...cell.matchAll(/npm (?:run )?([\w:-]+)/g)].map(([, name = ""]) => name));
  t.true(commands.length > 20, "the commands were found");
  t.deepEqual(
    commands.filter((name) => !Object.hasOwn(scripts, name)),
    [],
  );
  const files = cells.flatMap((cell) => [
    ...(cell.match(/test\/[\w/.-]+\.ts/g) ?? []),
    ...[...cell.matchAll(/bench -- --only (\w+)/g)].map(([, name]) => `bench/measurements/${name}.ts`),
    ...[...cell.matchAll(/faults -- (\w+)/g)].map(([, name]) => `test/faults/${name}/main.ts`),
  ]);
  t.true(files.length > 20, "the files were found");
  t.deepEqual(
    files.filter((file) => !existsSync(file)),
    [],
  );
  // A section without a command says that nothing of it was tested.
  for (const row of rows) if (row["tested by"] === "") t.is(row["not tested"], "everything", row.section);
});
