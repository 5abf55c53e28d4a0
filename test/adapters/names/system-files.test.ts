import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { candidates, readHosts, readSearch } from "../../../src/adapters/names/system-files.ts";

function fileOf(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), "names-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "file");
}

test("a hosts file gives a name all its addresses, and is read again when it has changed", (t) => {
  const path = fileOf(t);
  const hosts = readHosts(path);
  t.is(hosts().size, 0);
  writeFileSync(
    path,
    "127.0.0.1 localhost\n# 10.0.0.9 gone\n10.0.0.1\tDb.Example db # main\n\n::1 db\n10.0.0.1 db\nnot-an-address db\n",
  );
  t.deepEqual(hosts().get("db"), ["10.0.0.1", "::1"]);
  t.deepEqual(hosts().get("db.example"), ["10.0.0.1"]);
  t.false(hosts().has("gone"));
  writeFileSync(path, "10.0.0.2 other.example and one more name\n");
  t.deepEqual([...hosts().keys()], ["other.example", "and", "one", "more", "name"]);
  rmSync(path);
  t.is(hosts().size, 0);
});

test("short names are looked up in the search domains first, long ones last, and absolute ones only as they are", (t) => {
  const path = fileOf(t);
  const search = readSearch(path);
  t.deepEqual(candidates("db", search()), ["db"]);
  writeFileSync(
    path,
    "nameserver 10.0.0.10\ndomain old.example\nsearch prod.svc.cluster.local svc.cluster.local\noptions edns0 ndots:2\n",
  );
  t.deepEqual(search(), { domains: ["prod.svc.cluster.local", "svc.cluster.local"], ndots: 2 });
  t.deepEqual(candidates("db.dev", search()), ["db.dev.prod.svc.cluster.local", "db.dev.svc.cluster.local", "db.dev"]);
  t.deepEqual(candidates("db.prod.example", search())[0], "db.prod.example");
  t.deepEqual(candidates("db.", search()), ["db."]);
  writeFileSync(path, "search a.example\n");
  t.deepEqual(candidates("db", search()), ["db.a.example", "db"]);
  t.deepEqual(candidates("db.b", search()), ["db.b", "db.b.a.example"]);
});
