/** The commands of brands and merchants, on both databases. */
import { startWallet } from "../../sandbox/merchant/wallet.ts";
import { test } from "./on-both-databases.ts";

test("brand create uses the defaults for missing fields, and prints the brand field by field", async (t, service) => {
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

test("brand set changes the given fields, and the value `none` clears a field", async (t, service) => {
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

test("brand list prints a table; with --json it prints a page with a cursor", async (t, service) => {
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

test("merchant create prints its secret once on stdout; stderr, the log and other commands never contain it", async (t, service) => {
  const { code, out, err } = await service.admin(
    "merchant create --code once --brand house --currency BRL --products slot,live",
  );
  t.is(code, 0);
  t.is(err, "");
  const [, secret = ""] = /^secret {2}(sk_[\w-]{43})$/m.exec(out) ?? [];
  t.regex(
    out,
    /This secret is shown once, here and now: keep it safe\. A lost one is replaced by: merchant rotate-secret --code once --reason 'the secret was lost'\n$/,
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

test("merchant rotate-secret without an overlap creates a new secret and ends the old one", async (t, service) => {
  const made = await service.done("merchant create --code rotated --brand house --currency CLP");
  const next = await service.done("merchant rotate-secret --code rotated --reason 'only a test'");
  t.is(next.secret_version, 2);
  t.not(next.secret, made.secret);
  t.like(await service.callAs("rotated", next.secret), { ok: true });
  t.like(await service.callAs("rotated", made.secret), { ok: false, code: "INVALID_SIGNATURE" });
});

test("merchant rotate-secret can begin an overlap with two valid secrets, and finish-rotation or cancel-rotation ends the overlap", async (t, service) => {
  const { secret: old } = await service.done("merchant create --code gapless --brand house --currency CLP");
  const rotate = "merchant rotate-secret --code gapless --reason test";
  const { code, out } = await service.admin(`${rotate} --overlap 24h`);
  t.is(code, 0);
  t.regex(out, /^The merchant gapless has a new secret\. The old secret is valid, too, until rotation_ends_at\.$/m);
  const [, endsAt = ""] = /^rotation_ends_at +(\S+)$/m.exec(out) ?? [];
  t.true(Math.abs(Date.parse(endsAt) - Date.now() - 86_400_000) < 60_000, endsAt);
  t.is((await service.done("merchant show --code gapless")).rotation_ends_at, endsAt);
  const [secret = ""] = /sk_\S{43}/.exec(out) ?? [];
  for (const one of [old, secret]) t.like(await service.callAs("gapless", one), { ok: true });

  const again = await service.admin(`${rotate} --overlap 1h`);
  t.is(again.code, 1);
  t.regex(
    again.err,
    /^Refused: ROTATION_RUNNING\n {2}--code\n.*finish-rotation keeps the new secret, .*cancel-rotation/,
  );
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

test("merchant ping prints the result and what to do; for a wallet that can't be used the exit code is 1", async (t, service) => {
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
  t.regex(out, /^balance 12\.5 BRL, answered in \d+ ms\. Signature and path are right\.\n/);
  t.regex(out, /^timings\.connect_ms +\d+$/m);
  t.like(await service.done(`merchant ping --code ${code} --player nobody --reason test`), {
    outcome: "player_not_found",
    ok: true,
    http_status: 200,
    balance_minor: null,
    error: "PLAYER_NOT_FOUND",
  });
});

test("a change of a merchant's wallet-url needs a reason, and the message names the flag --reason", async (t, service) => {
  await service.done("merchant create --code wallet --brand house --currency BRL");
  const { code, err } = await service.admin("merchant set --code wallet --wallet-url https://wallet.shop.example/");
  t.is(code, 1);
  t.regex(err, /^Refused: VALIDATION_ERROR\n {2}--reason: /);
  t.like(await service.done("merchant set --code wallet --wallet-url https://wallet.shop.example/ --reason moved"), {
    wallet_url: "https://wallet.shop.example/",
  });
  t.like(await service.done("merchant set --code wallet --wallet-url none --reason closed"), { wallet_url: null });
});

test("merchant set changes lists and limits, and the value `none` clears them", async (t, service) => {
  await service.done(
    "merchant create --code limits --brand house --currency USD --launch-rate 7.5 --ip-list 192.0.2.7 --jurisdiction BR",
  );
  const changed = await service.done(
    "merchant set --code limits --products slot --ip-list 198.51.100.0/24,192.0.2.8 --wallet-concurrency 128 --default-language pt-BR --jurisdiction AR-B --trace-context true",
  );
  t.like(changed, {
    products: ["slot"],
    ip_list: ["198.51.100.0/24", "192.0.2.8"],
    default_language: "pt-BR",
    jurisdiction: "AR-B",
    trace_context: true,
    limits: { launch_rate: 7.5, wallet_concurrency: 128, reports_rate: null },
  });
  const cleared = await service.done(
    "merchant set --code limits --products none --ip-list none --launch-rate none --wallet-concurrency none --default-language none --jurisdiction none",
  );
  t.like(cleared, { products: [], ip_list: [], default_language: null, jurisdiction: null });
  const wrong = await service.admin("merchant set --code limits --jurisdiction ar-b");
  t.is(wrong.code, 1);
  t.regex(
    wrong.err,
    /^Refused: VALIDATION_ERROR\n {2}--jurisdiction: an ISO 3166 code in upper case, of a country \(BR\) or of a part/,
  );
  t.deepEqual(
    Object.values((cleared.limits ?? {}) as object).filter((limit) => limit !== null),
    [],
  );
  t.regex((await service.admin("merchant show --code limits")).out, /^currency +USD$/m);
});

test("a disabled merchant's calls are refused until the merchant is enabled, and its secret does not change", async (t, service) => {
  const { secret } = await service.done("merchant create --code off --brand house --currency BRL");
  t.like(await service.done("merchant disable --code off --reason unpaid"), { enabled: false });
  t.like(await service.callAs("off", secret), { code: "MERCHANT_DISABLED" });
  t.like(await service.done("merchant enable --code off"), { enabled: true });
  t.like(await service.callAs("off", secret), { ok: true });
});

test("merchant list can list the merchants of one brand", async (t, service) => {
  await service.done("brand create --code alone");
  await service.done("merchant create --code alone-pen --brand alone --currency PEN");
  const { items, next_cursor: next } = await service.done("merchant list --brand alone");
  t.deepEqual([(items as { code: string }[]).map(({ code }) => code), next], [["alone-pen"], null]);
  t.regex((await service.admin("merchant list --brand alone")).out, /^alone-pen +alone-pen +PEN +alone +- +true +-$/m);
});
