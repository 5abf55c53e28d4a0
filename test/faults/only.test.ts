import { spawnSync } from "node:child_process";
import test from "ava";

for (const [command, names] of [
  [["test/faults/main.ts", "cluster", "--only", "earthquake"], /no fault has this text\. They are kill -9 of a node, /],
  [["test/upgrade/main.ts", "--only", "mariadb"], /--only must be MariaDB or Galera/],
] as const)
  test(`${command[0]} refuses a text after --only that selects nothing`, (t) => {
    const { status, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
    t.is(status, 1);
    t.regex(stderr, names);
  });
