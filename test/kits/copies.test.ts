/** Files of which several kits have a copy, because each kit is published separately. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "ava";
import { ROOT } from "../../testbed/programs/toolchain.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const KITS = readdirSync(join(ROOT, "kits"), { withFileTypes: true }).filter((entry) => entry.isDirectory());

test("each kit has the licence of the project", (t) => {
  t.true(KITS.length >= 6);
  for (const { name } of KITS) t.is(read(`kits/${name}/LICENSE`), read("LICENSE"), name);
});

test("the SQL schemas of the TypeScript, PHP and Python kits are the same", (t) => {
  const FOLDERS = ["kits/php/schema", "kits/python/src/game_aggregator/wallet/schema"];
  for (const dialect of ["mysql", "postgresql", "sqlite"])
    for (const folder of FOLDERS)
      t.is(read(`${folder}/${dialect}.sql`), read(`kits/typescript/schema/${dialect}.sql`), folder);
});
