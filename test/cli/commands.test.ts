/** Each command against a service in a process of its own, on both databases. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import anyTest, { type ExecutionContext } from "ava";
import { startWallet } from "../../sandbox/merchant/wallet.ts";
import { startMariaDb } from "../../testbed/database/mariadb.ts";
import { ADMIN_KEY, type Administered, startAdministered } from "./service.ts";

const DATABASES = ["SQLite", "MariaDB"] as const;
const undo: (() => unknown)[] = [];
const services = new Map<string, Administered>();
anyTest.before(async () => {
  const t = { teardown: (step: () => unknown) => undo.push(step) };
  const mariaDb = await startMariaDb();
  t.teardown(() => mariaDb.stop());
  for (const [database, url] of [["SQLite"], ["MariaDB", await mariaDb.createDatabase()]] as const) {
    const service = await startAdministered(t, {}, url);
    services.set(database, service);
    await service.done("brand create --code house --name 'House'");
  }
});
anyTest.after.always(async () => {
  for (const step of undo.reverse()) await step();
});

type Run = (t: ExecutionContext, service: Administered) => Promise<void>;

/** Commands that use the database: they run on both. */
const test = (title: string, run: Run, databases: readonly string[] = DATABASES): void => {
  for (const database of databases) {
    anyTest(`${database}: ${title}`, async (t) => {
      const service = services.get(database);
      if (service === undefined) throw new Error(`no service on ${database}`);
      await run(t, service);
    });
  }
};
/** Commands that do not depend on the database. */
const testOnce = (title: string, run: Run): void => test(title, run, ["SQLite"]);

test("brand create fills in the defaults, and prints the brand field by field", async (t, service) => {
  const { code, out, err } = await service.admin("brand create --code plain");
  t.is(code, 0);
  t.is(err, "");
  t.deepEqual(out.split("\n"), [
    "Made the brand plain.",
    "",
    "code              plain",
    "name              plain",
    "theme             mint-carbon",
    "layout            sidebar",
    "default_language  -",
    "settings          -",
    "allowed_origins   -",
    "",
  ]);
});

test("brand set changes the given fields, and none removes a value", async (t, service) => {
  await service.done("brand create --code looks --name 'Looks' --layout tile");
  const changed = await service.done(
    `brand set --code looks --theme gold-navy --allowed-origins https://a.example,https://b.example --settings '{"odds":"decimal"}'`,
  );
  t.like(changed, {
    name: "Looks",
    theme: "gold-navy",
    layout: "tile",
    allowed_origins: ["https://a.example", "https://b.example"],
    settings: { odds: "decimal" },
  });
  const cleared = await service.done("brand set --code looks --allowed-origins none --settings none");
  t.deepEqual([cleared.allowed_origins, cleared.settings], [[], {}]);
  t.deepEqual(await service.done("brand show --code looks"), cleared);
});

test("brand list prints a table, and a page with a cursor as JSON", async (t, service) => {
  await service.done("brand create --code page-1");
  await service.done("brand create --code page-2");
  const { out } = await service.admin("brand list");
  t.regex(out, /^code +name +theme +layout +allowed_origins\n/);
  t.regex(out, /^page-1 +page-1 +mint-carbon +sidebar +-$/m);
  const first = await service.done("brand list --limit 1");
  t.is((first.items as unknown[]).length, 1);
  t.regex((await service.admin("brand list --limit 1")).err, new RegExp(`--cursor ${first.next_cursor}\n$`));
  t.notDeepEqual((await service.done(`brand list --limit 1 --cursor ${first.next_cursor}`)).items, first.items);
});

test("merchant create shows its secret once: on stdout, never on stderr, in the log or by another command", async (t, service) => {
  const { code, out, err } = await service.admin(
    "merchant create --code once --brand house --currency BRL --products slot,live",
  );
  t.is(code, 0);
  t.is(err, "");
  const [, secret = ""] = /^secret {2}(sk_[\w-]{43})$/m.exec(out) ?? [];
  t.regex(
    out,
    /This secret is shown once, here and now: keep it safe\. A lost one is replaced by: merchant rotate-secret --code once\n$/,
  );
  t.regex(out, new RegExp(`^api_url +http://localhost:${service.service.ports.rest}$`, "m"));
  t.like(await service.callAs("once", secret), {
    ok: true,
    data: { code: "once", currency: "BRL", brand: "house", products: ["slot", "live"] },
  });
  for (const line of [
    "merchant show --code once",
    "merchant list",
    "audit list",
    "merchant show --code once --json",
    "audit list --json",
  ]) {
    const came = await service.admin(line);
    t.is(came.code, 0, line);
    t.false(came.out.includes(secret), line);
  }
  t.false(service.service.output().includes(secret));
});

test("merchant rotate-secret ends the old secret", async (t, service) => {
  const made = await service.done("merchant create --code rotated --brand house --currency CLP");
  const next = await service.done("merchant rotate-secret --code rotated --reason 'only a test'");
  t.is(next.secret_version, 2);
  t.not(next.secret, made.secret);
  t.like(await service.callAs("rotated", next.secret), { ok: true });
  t.like(await service.callAs("rotated", made.secret), { ok: false, code: "INVALID_SIGNATURE" });
});

test("merchant rotate-secret with an overlap, then finish-rotation and cancel-rotation", async (t, service) => {
  const { secret: old } = await service.done("merchant create --code gapless --brand house --currency CLP");
  const rotate = "merchant rotate-secret --code gapless --reason test";
  const { code, out } = await service.admin(`${rotate} --overlap 24h`);
  t.is(code, 0);
  t.regex(out, /^The merchant gapless has a new secret; the old one counts beside it until rotation_ends_at\.$/m);
  const [, endsAt = ""] = /^rotation_ends_at +(\S+)$/m.exec(out) ?? [];
  t.true(Math.abs(Date.parse(endsAt) - Date.now() - 86_400_000) < 60_000, endsAt);
  t.is((await service.done("merchant show --code gapless")).rotation_ends_at, endsAt);
  const [secret = ""] = /sk_\S{43}/.exec(out) ?? [];
  for (const one of [old, secret]) t.like(await service.callAs("gapless", one), { ok: true });

  const again = await service.admin(`${rotate} --overlap 1h`);
  t.is(again.code, 1);
  t.regex(again.err, /^Refused: ROTATION_RUNNING\n {2}--code\n.*finish-rotation keeps the new one, .*cancel-rotation/);
  await service.done("merchant finish-rotation --code gapless --reason test");
  t.is((await service.done("merchant show --code gapless")).rotation_ends_at, null);
  t.like(await service.callAs("gapless", old), { ok: false, code: "INVALID_SIGNATURE" });
  const none = await service.admin("merchant cancel-rotation --code gapless --reason test");
  t.regex(none.err, /^Refused: ROTATION_NOT_RUNNING\n {2}--code\n/);

  await service.done(`${rotate} --overlap 7d`);
  await service.done("merchant cancel-rotation --code gapless --reason test");
  t.like(await service.callAs("gapless", secret), { ok: true });
  for (const overlap of ["24", "1w", "-1h", "1.5h", ""])
    t.is((await service.admin(`${rotate} --overlap '${overlap}'`)).code, 2);
  for (const overlap of ["0s", "31d"])
    t.regex((await service.admin(`${rotate} --overlap ${overlap}`)).err, /^Refused: VALIDATION_ERROR\n {2}--overlap: /);
});

test("merchant ping prints what it found and what to do; a wallet that can't be used is exit code 1", async (t, service) => {
  const code = "pinged";
  const secrets = new Map([[code, ["sk_of_another"]]]);
  const wallet = await startWallet({ secretsOf: (merchant) => secrets.get(merchant) ?? [] });
  t.teardown(() => wallet.close());
  wallet.ledger.addMerchant(code, "BRL");
  wallet.ledger.addPlayer(code, "ana", 1_250n);
  const { secret } = await service.done(
    `merchant create --code ${code} --brand house --currency BRL --wallet-url ${wallet.url}`,
  );
  const refused = await service.admin(`merchant ping --code ${code} --player ana`);
  t.is(refused.code, 1);
  t.regex(refused.out, /^401: your wallet refused our signature\..*POST\.\/wallet\.<raw body>/);
  t.regex(refused.err, /The wallet can't be used: signature_refused\.\n$/);

  secrets.set(code, [String(secret)]);
  const { out, ...right } = await service.admin(`merchant ping --code ${code} --player ana`);
  t.like(right, { code: 0, err: "" });
  t.regex(out, /^balance 12\.50 BRL, answered in \d+ ms\. Signature and path are right\.\n/);
  t.regex(out, /^timings\.connect_ms +\d+$/m);
  t.like(await service.done(`merchant ping --code ${code} --player nobody --reason test`), {
    outcome: "player_not_found",
    ok: true,
    http_status: 200,
    balance_minor: null,
    error: "PLAYER_NOT_FOUND",
  });
});

test("a merchant's changed wallet-url needs a reason, which is named as a flag", async (t, service) => {
  await service.done("merchant create --code wallet --brand house --currency BRL");
  const { code, err } = await service.admin("merchant set --code wallet --wallet-url https://wallet.shop.example/");
  t.is(code, 1);
  t.regex(err, /^Refused: VALIDATION_ERROR\n {2}--reason: /);
  t.like(await service.done("merchant set --code wallet --wallet-url https://wallet.shop.example/ --reason moved"), {
    wallet_url: "https://wallet.shop.example/",
  });
  t.like(await service.done("merchant set --code wallet --wallet-url none --reason closed"), { wallet_url: null });
});

test("merchant set changes lists and limits, and none removes them", async (t, service) => {
  await service.done(
    "merchant create --code limits --brand house --currency USD --launch-rate 7.5 --ip-list 192.0.2.7",
  );
  const changed = await service.done(
    "merchant set --code limits --products slot --ip-list 198.51.100.0/24,192.0.2.8 --wallet-concurrency 128 --default-language pt-BR",
  );
  t.like(changed, {
    products: ["slot"],
    ip_list: ["198.51.100.0/24", "192.0.2.8"],
    default_language: "pt-BR",
    limits: { launch_rate: 7.5, wallet_concurrency: 128, reports_rate: null },
  });
  const cleared = await service.done(
    "merchant set --code limits --products none --ip-list none --launch-rate none --wallet-concurrency none --default-language none",
  );
  t.like(cleared, { products: [], ip_list: [], default_language: null });
  t.deepEqual(
    Object.values((cleared.limits ?? {}) as object).filter((limit) => limit !== null),
    [],
  );
  t.regex((await service.admin("merchant show --code limits")).out, /^currency +USD$/m);
});

test("a disabled merchant's calls are refused until it is enabled, with the secret that it had", async (t, service) => {
  const { secret } = await service.done("merchant create --code off --brand house --currency BRL");
  t.like(await service.done("merchant disable --code off --reason unpaid"), { enabled: false });
  t.like(await service.callAs("off", secret), { code: "MERCHANT_DISABLED" });
  t.like(await service.done("merchant enable --code off"), { enabled: true });
  t.like(await service.callAs("off", secret), { ok: true });
});

test("merchant list can show one brand only", async (t, service) => {
  await service.done("brand create --code alone");
  await service.done("merchant create --code alone-pen --brand alone --currency PEN");
  const { items, next_cursor: next } = await service.done("merchant list --brand alone");
  t.deepEqual([(items as { code: string }[]).map(({ code }) => code), next], [["alone-pen"], null]);
  t.regex((await service.admin("merchant list --brand alone")).out, /^alone-pen +alone-pen +PEN +alone +- +true +-$/m);
});

testOnce("refusals name the code, the flag and what to do, and end with 1", async (t, service) => {
  await service.done("brand create --code twice");
  const again = await service.admin("brand create --code twice");
  t.is(again.code, 1);
  t.regex(
    again.err,
    /^Refused: ALREADY_EXISTS\n {2}--code\nA record has this name already: show prints it, set changes it\./,
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

testOnce("a wrong admin key is refused, with what to do and without the key", async (t, service) => {
  const { code, err } = await service.admin("merchant list", { env: { ADMIN_KEY: "not-the-key" } });
  t.is(code, 1);
  t.regex(err, /^Refused: INVALID_API_KEY\nADMIN_KEY is no admin key of this service/);
  t.notRegex(err, /not-the-key/);
});

testOnce("another server at ADMIN_URL is told from the service", async (t, service) => {
  const { code, err } = await service.admin("merchant list", {
    env: { ADMIN_URL: `http://127.0.0.1:${service.service.ports.rest}` },
  });
  t.is(code, 1);
  t.regex(err, /answered, but not as this service's admin API .*\nSet ADMIN_URL/);
});

test("provider create shows its first key once; rotate-key ends all others", async (t, service) => {
  const { out } = await service.admin("provider create --code KEYS --name 'Keys'");
  const [, key = ""] = /^key {2}([\w-]{43})$/m.exec(out) ?? [];
  t.is(key.length, 43);
  t.regex(out, /^keys\nname +expires_at +revoked\nkey-1 +- +false$/m);
  const rotated = await service.done("provider rotate-key --code KEYS --reason test --expires-at 2035-01-31T12:00:00Z");
  t.not(rotated.key, key);
  t.like(rotated.keys, [
    { name: "key-1", revoked: true },
    { name: "key-2", revoked: false, expires_at: "2035-01-31T12:00:00.000Z" },
  ]);
  t.is(String((await service.done("provider rotate-key --code SPORTSBOOK --reason test")).key).length, 43);
});

test("provider add-source keeps the order and changes a known source; remove-source removes it", async (t, service) => {
  await service.done("provider create --code SOURCES");
  await service.done("provider add-source --code SOURCES --address https://a.example:443");
  await service.done("provider add-source --code SOURCES --address http://b.example:80 --deadline-ms 700 --position 1");
  const { sources } = await service.done(
    "provider add-source --code SOURCES --address https://a.example:443 --enabled false",
  );
  t.deepEqual(sources, [
    { address: "http://b.example:80", deadline_ms: 700, enabled: true },
    { address: "https://a.example:443", deadline_ms: 5000, enabled: false },
  ]);
  t.deepEqual((await service.done("provider remove-source --code SOURCES --address http://b.example:80")).sources, [
    (sources as unknown[])[1],
  ]);
  t.regex(
    (await service.admin("provider show --code SOURCES")).out,
    /^sources\naddress +deadline_ms +enabled\nhttps:\/\/a\.example:443 +5000 +false$/m,
  );
});

test("provider list prints the numbers of sources and keys", async (t, service) => {
  await service.done("provider create --code LISTED");
  t.like(await service.done("provider set --code LISTED --name 'Listed Games' --active false --reason test"), {
    name: "Listed Games",
    active: false,
  });
  t.regex((await service.admin("provider list")).out, /^LISTED +Listed Games +false +0 +1$/m);
});

test("game import reads JSON and CSV, and prints how many games are new, changed and unchanged", async (t, service) => {
  await service.done("provider create --code IMPORT");
  const rows = ["fruits", "sevens"].map((code) => ({
    provider: "IMPORT",
    code,
    name: code,
    type: "slot",
    demo_available: true,
    tags: ["new"],
  }));
  const json = service.file("import.json", JSON.stringify(rows));
  t.is(
    (await service.admin(`game import --file ${json} --dry-run`)).out,
    "Would be done: 2 new, 0 changed, 0 as they were.\n",
  );
  t.deepEqual((await service.done("game list --provider IMPORT")).items, []);
  t.like(await service.done(`game import --file ${json}`), { created: 2, updated: 0, unchanged: 0, fault_count: 0 });
  const csv = service.file(
    "import.csv",
    'provider,code,name,type,demo_available,tags\nIMPORT,fruits,fruits,slot,true,new\nIMPORT,sevens,"Seven, seven",slot,true,new|hot\n',
  );
  t.is((await service.admin(`game import --file ${csv}`)).out, "Done: 0 new, 1 changed, 1 as they were.\n");
  t.like(await service.done("game show --provider IMPORT --code sevens"), {
    name: "Seven, seven",
    tags: ["new", "hot"],
    active: true,
    rtp: null,
  });
});

test("game import names every bad line by its number, changes nothing and ends with 1", async (t, service) => {
  await service.done("provider create --code FAULTY");
  const csv = service.file(
    "faulty.csv",
    "provider,code,name,type\nFAULTY,good,Good,slot\nFAULTY,bad,Bad,dice\nNOBODY,bad,Bad,slot\nFAULTY,,None,slot\n",
  );
  const { code, out, err } = await service.admin(`game import --file ${csv}`);
  t.is(code, 1);
  t.regex(out, /^Nothing was changed: \d faults in /);
  const lines = err.trimEnd().split("\n");
  for (const [line, field] of [
    [3, "type"],
    [4, "provider"],
    [5, "code"],
  ] as const)
    t.true(
      lines.some((one) => one.startsWith(`${csv}:${line}: ${field}: `)),
      `${line} ${field}\n${err}`,
    );
  t.deepEqual((await service.done("game list --provider FAULTY")).items, []);
});

testOnce("game import sends a large file in pieces", async (t, service) => {
  await service.done("provider create --code LARGE");
  const rows = Array.from({ length: 2_000 }, (_, i) => ({
    provider: "LARGE",
    code: `game-${i}`,
    name: `Game of the number ${i}, with a long name`,
    type: "slot",
  }));
  const json = service.file("large.json", JSON.stringify(rows, null, 1));
  t.like(await service.done(`game import --file ${json}`), { created: 2_000 });
});

test("game set changes a game, none makes a field unknown, and game list filters", async (t, service) => {
  await service.done("provider create --code SET");
  await service.done(
    `game import --file ${service.file("set.json", JSON.stringify([{ provider: "SET", code: "a", name: "A", type: "slot", rtp: 96.2, tags: ["new"] }]))}`,
  );
  const images = '{"thumb":"https://cdn.example/a.webp"}';
  t.like(
    await service.done(
      `game set --provider SET --code a --active false --jackpot true --released-at 2026-01-31 --images '${images}' --platforms mobile --names '{"pt":"Frutas"}'`,
    ),
    {
      active: false,
      jackpot: true,
      released_at: "2026-01-31T00:00:00.000Z",
      platforms: ["mobile"],
      rtp: 96.2,
      names: { pt: "Frutas" },
      images: { thumb: "https://cdn.example/a.webp", square: null, background: null },
    },
  );
  t.like(
    await service.done(
      "game set --provider SET --code a --rtp none --tags none --images none --released-at none --names none",
    ),
    {
      names: null,
      rtp: null,
      tags: null,
      images: null,
      released_at: null,
    },
  );
  const selected = await service.done("game list --provider SET --active false --type slot --q A");
  t.deepEqual(
    (selected.items as { code: string }[]).map(({ code }) => code),
    ["a"],
  );
  t.deepEqual((await service.done("game list --provider SET --active true")).items, []);
});

test("key create makes an admin key with the rights of its role, until it is revoked", async (t, service) => {
  const { key, ...made } = await service.done("key create --role viewer --name viv --expires-at 2035-01-31");
  t.like(made, { name: "viv", role: "viewer", provider: null, revoked: false, expires_at: "2035-01-31T00:00:00.000Z" });
  const env = { ADMIN_KEY: String(key) };
  t.is((await service.admin("merchant list", { env })).code, 0);
  const refused = await service.admin("brand create --code viv", { env });
  t.is(refused.code, 1);
  t.regex(refused.err, /^Refused: ROLE_NOT_ALLOWED.*key of a higher role/s);
  t.deepEqual(await service.done("key show --name viv"), made);
  t.like(await service.done("key revoke --name viv --reason left"), { revoked: true });
  t.regex((await service.admin("merchant list", { env })).err, /INVALID_API_KEY/);
});

test("key create makes a further key of a provider, and key list shows the owner of each key", async (t, service) => {
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

test("key rotate-master says how many secrets there are, all under the first key already", async (t, service) => {
  await service.done("merchant create --code sealed --brand house --currency MXN");
  const { reencrypted, total } = await service.done("key rotate-master --reason 'only a test'");
  t.is(reencrypted, 0);
  t.true(Number(total) > 0);
  t.regex(
    (await service.admin("key rotate-master")).out,
    /^Every merchant secret is encrypted under the first key of MASTER_KEY\.$/m,
  );
});

test("the audit log says who did what, why, and what changed, without secrets", async (t, service) => {
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
  "the program itself: exit codes, an empty stdout for a usage error, no colour in a pipe, and nothing said to a reader who left",
  async (t, service) => {
    const program = async (...words: readonly string[]) => {
      const child = spawn(process.execPath, ["src/admin-main.ts", ...words], {
        env: { PATH: process.env.PATH, ADMIN_URL: service.url, ADMIN_KEY },
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
