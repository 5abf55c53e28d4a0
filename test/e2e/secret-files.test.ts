import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { compileCache } from "../../testbed/programs/child.ts";

/** Runs a command of the project to its end, with only these variables and PATH. */
function run(command: readonly string[], env: Readonly<Record<string, string>>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    env: { PATH: process.env.PATH, ...compileCache(), ...env },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

function folderOf(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), "secret-files-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("npm run migrate reads the database's address from a file", (t) => {
  const file = join(folderOf(t), "url");
  writeFileSync(file, "mysql://user@127.0.0.1:1/aggregator?colour=blue\n");
  // This address is refused before any connection, so the message proves that the file was read.
  const read = run(["src/migrate-main.ts"], { DATABASE_URL_FILE: file });
  t.regex(read.stderr, /DATABASE_URL must be .*, but it has a parameter other than socketPath/);
  t.is(read.status, 1);

  const both = run(["src/migrate-main.ts"], { DATABASE_URL: "sqlite:a.db", DATABASE_URL_FILE: file });
  t.is(both.stderr, "DATABASE_URL and DATABASE_URL_FILE are both set: set only one of them\n");
  t.is(both.status, 1);
});

test("npm run admin and npm run reconcile read their secret from a file, and name a file that they cannot read", (t) => {
  const folder = folderOf(t);
  const file = join(folder, "secret");
  writeFileSync(file, "a key with spaces\n");
  const list = ["src/admin-main.ts", "merchant", "list"];
  // This key is refused before any call, so the message proves that the file was read.
  t.regex(run(list, { ADMIN_KEY_FILE: file }).stderr, /^ADMIN_KEY has spaces/);
  const unread = "_FILE names a file that cannot be read (ENOENT). It must hold the file's path, not its content\n";
  t.deepEqual(run(list, { ADMIN_KEY_FILE: "/no/such/file" }), { status: 2, stdout: "", stderr: `ADMIN_KEY${unread}` });

  const reconcile = ["reconcile/main.ts", "--ledger", join(folder, "none.csv")];
  const merchant = { MERCHANT_CODE: "shop-brl", API_URL: "http://127.0.0.1:1" };
  t.regex(run(reconcile, { ...merchant, MERCHANT_SECRET_FILE: file }).stderr, /could not be reached/);
  const missing = run(reconcile, { ...merchant, MERCHANT_SECRET_FILE: "/no/such/file" });
  t.true(missing.stderr.startsWith(`MERCHANT_SECRET${unread}`), missing.stderr);
});
