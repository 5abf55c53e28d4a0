/** Keys, the audit log, refusals, and the program itself. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { compileCache } from "../../testbed/programs/child.ts";
import { test, testOnce } from "./on-both-databases.ts";
import { ADMIN_KEY } from "./service.ts";

testOnce("a refusal is printed with its code, the flag and what to do, and the exit code is 1", async (t, service) => {
  await service.done("brand create --code twice");
  const again = await service.admin("brand create --code twice");
  t.is(again.code, 1);
  t.regex(
    again.err,
    /^Refused: ALREADY_EXISTS\n {2}--code\nA record has this name already\. The command show prints it, and set changes it\./,
  );
  const unknown = await service.admin("merchant show --code nobody");
  t.is(unknown.code, 1);
  t.regex(unknown.err, /^Refused: RECORD_NOT_FOUND\n {2}--code\nNo record has that name. The list command/);
  const faults = await service.admin(
    "merchant create --code 'a b' --brand house --currency BRL --wallet-url ftp://x --ip-list nonsense --default-language xx",
  );
  t.is(faults.code, 1);
  for (const flag of ["--code", "--wallet-url", "--ip-list", "--default-language"])
    t.regex(faults.err, new RegExp(`^ {2}${flag}: .+`, "m"));
  t.is(faults.out, "");
});

testOnce(
  "a wrong admin key is refused; the message explains what to do and does not contain the key",
  async (t, service) => {
    const { code, err } = await service.admin("merchant list", { env: { ADMIN_KEY: "not-the-key" } });
    t.is(code, 1);
    t.regex(err, /^Refused: INVALID_API_KEY\nADMIN_KEY is not an admin key of this service/);
    t.notRegex(err, /not-the-key/);
  },
);

testOnce(
  "if another server answers at ADMIN_URL, the message says so and advises to set ADMIN_URL",
  async (t, service) => {
    const { code, err } = await service.admin("merchant list", {
      env: { ADMIN_URL: `http://127.0.0.1:${service.service.ports.rest}` },
    });
    t.is(code, 1);
    t.regex(err, /answered, but not as this service's admin API .*\nSet ADMIN_URL/);
  },
);

test("key create creates an admin key with the rights of its role, until the key is revoked", async (t, service) => {
  const { key, ...made } = await service.done("key create --role viewer --name viv --expires-at 2035-01-31");
  t.like(made, { name: "viv", role: "viewer", provider: null, revoked: false, expires_at: "2035-01-31T00:00:00.000Z" });
  const env = { ADMIN_KEY: String(key) };
  t.is((await service.admin("merchant list", { env })).code, 0);
  const refused = await service.admin("brand create --code viv", { env });
  t.is(refused.code, 1);
  t.regex(refused.err, /^Refused: ROLE_NOT_ALLOWED.*key with a higher role/s);
  t.deepEqual(await service.done("key show --name viv"), made);
  t.like(await service.done("key revoke --name viv --reason left"), { revoked: true });
  t.regex((await service.admin("merchant list", { env })).err, /INVALID_API_KEY/);
});

test("key create creates a further key of a provider, and key list shows the owner of each key", async (t, service) => {
  await service.done("provider create --code FURTHER");
  const { out } = await service.admin("key create --provider FURTHER --name second");
  t.regex(out, /^key {2}[\w-]{43}$/m);
  t.regex(out, /This key is shown once/);
  const { items } = await service.done("key list --provider FURTHER");
  t.deepEqual(
    (items as { name: string }[]).map(({ name }) => name),
    ["key-1", "second"],
  );
  t.regex((await service.admin("key list --provider FURTHER")).out, /^second +FURTHER +- +- +false$/m);
  t.like(await service.done("key revoke --provider FURTHER --name second --reason test"), { revoked: true });
});

test("key rotate-master prints the number of secrets, which all have the first key already", async (t, service) => {
  await service.done("merchant create --code sealed --brand house --currency MXN");
  const { reencrypted, total } = await service.done("key rotate-master --reason 'only a test'");
  t.is(reencrypted, 0);
  t.true(Number(total) > 0);
  t.regex(
    (await service.admin("key rotate-master")).out,
    /^Every merchant secret is encrypted with the first key of MASTER_KEY\.$/m,
  );
});

test("the audit log has the caller, the action, the reason and the changes, without secrets", async (t, service) => {
  const { secret } = await service.done(
    "merchant create --code audited --brand house --currency BRL --reason 'first contract'",
  );
  await service.done("merchant set --code audited --name 'Audited' --reason 'new name'");
  const { items } = await service.done("audit list --target 'merchant audited' --from 2026-01-01");
  t.like(items, [
    {
      actor: "ADMIN_KEY",
      action: "merchant set",
      target: "merchant audited",
      reason: "new name",
      changes: [{ field: "name", from: '"audited"', to: '"Audited"' }],
    },
    { action: "merchant create", reason: "first contract" },
  ]);
  t.false(JSON.stringify(items).includes(String(secret)));
  const [{ id }] = items as [{ id: number }];
  t.regex(
    (await service.admin(`audit show --id ${id}`)).out,
    /^changes\nfield +from +to\nname +"audited" +"Audited"$/m,
  );
  t.regex(
    (await service.admin("audit list --action 'merchant set'")).out,
    new RegExp(`^${id} .*ADMIN_KEY +merchant set +merchant audited +new name$`, "m"),
  );
});

testOnce(
  "the program has the right exit codes, prints nothing to stdout after an error and no colour into a pipe, and does not fail if the reader closes the pipe",
  async (t, service) => {
    const program = async (...words: readonly string[]) => {
      const child = spawn(process.execPath, ["src/admin-main.ts", ...words], {
        env: { PATH: process.env.PATH, ...compileCache(), ADMIN_URL: service.url, ADMIN_KEY },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let [out, err] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
      const [code] = await once(child, "close");
      return { code, out, err };
    };
    t.like(await program("merchant", "lits"), { code: 2, out: "" });
    t.like(await program("merchant", "show", "--code", "nobody"), { code: 1, out: "" });
    const done = await program("brand", "list");
    t.like(done, { code: 0, err: "" });
    t.notRegex(done.out, /\u001b/);
    const gone = spawn(process.execPath, ["src/admin-main.ts", "help", "markdown"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let complaint = "";
    gone.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
    gone.stdout.destroy();
    const [code] = await once(gone, "close");
    t.deepEqual([code, complaint], [0, ""]);
  },
);
