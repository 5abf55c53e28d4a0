import { PLAIN_DEFAULTS } from "../../src/domain/merchant/plain-fields.ts";
import { adminOf, refusalOf, startReplica } from "../../testbed/callers/administration.ts";
import { onBothDatabases } from "./databases.ts";

const test = onBothDatabases();

test("a brand is created with defaults, changed field by field, shown and listed", async (t, url) => {
  const { brands } = adminOf(await startReplica(t, url));
  const { brand } = await brands.createBrand({ code: "house" });
  t.like(brand, {
    code: "house",
    name: "house",
    theme: "mint-carbon",
    layout: "sidebar",
    defaultLanguage: "",
    allowedOrigins: [],
  });

  const settings = {
    name: "House é",
    theme: "gold-navy",
    defaultLanguage: "es",
    settings: { odds: "decimal" },
    allowedOrigins: { values: ["https://house.example"] },
  };
  await brands.setBrand({ code: "house", ...settings });
  const { brand: changed } = await brands.setBrand({ code: "house", layout: "tile" });
  t.like(changed, {
    name: "House é",
    theme: "gold-navy",
    layout: "tile",
    defaultLanguage: "es",
    settings: { odds: "decimal" },
    allowedOrigins: ["https://house.example"],
  });
  t.deepEqual((await brands.getBrand({ code: "house" })).brand, changed);

  await brands.setBrand({ code: "house", defaultLanguage: "", settings: {}, allowedOrigins: {} });
  t.like((await brands.getBrand({ code: "house" })).brand, { defaultLanguage: "", settings: {}, allowedOrigins: [] });

  for (const code of ["b", "C", "a"]) await brands.createBrand({ code });
  const first = await brands.listBrands({ limit: 3 });
  const rest = await brands.listBrands({ limit: 3, cursor: first.nextCursor });
  t.deepEqual(
    [...first.brands, ...rest.brands].map(({ code }) => code),
    ["C", "a", "b", "house"],
  );
  t.is(rest.nextCursor, "");
});

test("invalid values are refused with all faults at once, and nothing is changed", async (t, url) => {
  const { brands, merchants, providers, audit } = adminOf(await startReplica(t, url));
  t.is(
    await refusalOf(
      brands.createBrand({
        code: "a b",
        theme: "pink",
        layout: "grid",
        defaultLanguage: "xx",
        allowedOrigins: ["https://a.example/path"],
      }),
    ),
    "VALIDATION_ERROR code name theme layout default_language allowed_origins".replace(" name", ""),
  );
  await brands.createBrand({ code: "house" });
  t.is(await refusalOf(brands.createBrand({ code: "house" })), "ALREADY_EXISTS code");
  t.is(await refusalOf(brands.setBrand({ code: "nobody", name: "x" })), "RECORD_NOT_FOUND code");
  t.is(
    await refusalOf(brands.setBrand({ code: "house", settings: { default_language: "pt" } })),
    "VALIDATION_ERROR settings",
  );
  t.is(await refusalOf(brands.getBrand({ code: "House" })), "RECORD_NOT_FOUND code");
  t.is(await refusalOf(brands.listBrands({ limit: 501 })), "VALIDATION_ERROR limit");
  t.is(await refusalOf(brands.listBrands({ cursor: "zzz" })), "VALIDATION_ERROR cursor");

  const faulty = {
    code: "casa.br",
    currency: "EUR",
    brand: "nobody",
    walletUrl: "ftp://x",
    defaultLanguage: "fr",
    jurisdiction: "br",
    products: ["poker"],
    ipList: ["1.2.3"],
    limits: { launchRate: -1, walletConcurrency: 20_000 },
    reason: "x".repeat(2_000),
  };
  t.is(
    await refusalOf(merchants.createMerchant(faulty)),
    "VALIDATION_ERROR code currency default_language jurisdiction products ip_list launch_rate wallet_concurrency wallet_url brand reason",
  );
  t.is(await refusalOf(merchants.setMerchant({ code: "nobody", name: "x" })), "RECORD_NOT_FOUND code");
  t.is(await refusalOf(providers.createProvider({ code: "acme", name: " " })), "VALIDATION_ERROR code name");
  t.is(
    await refusalOf(providers.addSource({ code: "ACME", address: "https://a.example:443" })),
    "RECORD_NOT_FOUND code",
  );
  await providers.createProvider({ code: "ACME" });
  for (const address of [
    "a.example:443",
    "https://a.example",
    "https://a.example:443/",
    "https://u@a.example:443",
    "ftp://a.example:21",
  ]) {
    t.is(await refusalOf(providers.addSource({ code: "ACME", address })), "VALIDATION_ERROR address", address);
  }
  t.is(
    await refusalOf(
      providers.addSource({ code: "ACME", address: "https://a.example:443", deadlineMs: 10, position: 0 }),
    ),
    "VALIDATION_ERROR deadline_ms position",
  );
  t.is(
    await refusalOf(providers.addSource({ code: "SPORTSBOOK", address: "https://a.example:443" })),
    "VALIDATION_ERROR sources",
  );
  t.is(
    await refusalOf(providers.removeSource({ code: "ACME", address: "https://a.example:443" })),
    "RECORD_NOT_FOUND address",
  );

  t.deepEqual((await merchants.listMerchants({})).merchants, []);
  t.deepEqual(
    (await audit.listAuditEntries({})).entries.map(({ action }) => action),
    ["provider create", "brand create"],
  );
});

test("a merchant is created with all given fields, and changed", async (t, url) => {
  const { brands, merchants } = adminOf(await startReplica(t, url));
  await brands.createBrand({ code: "house" });
  const made = await merchants.createMerchant({
    code: "casa-br",
    currency: "BRL",
    brand: "house",
    walletUrl: "https://wallet.example/w",
    defaultLanguage: "PT-br",
    products: ["slot", "live"],
    ipList: ["::ffff:10.1.2.3/104", "2001:0db8:0:0:0:0:0:1", "192.0.2.7"],
    limits: { launchRate: 0.5, walletConcurrency: 8 },
  });
  t.regex(made.secret, /^sk_[A-Za-z0-9_-]{43}$/);
  t.is(made.apiUrl, "https://api.example/aggregator");
  const { $typeName: _, limits, ...merchant } = made.merchant ?? t.fail();
  t.deepEqual(merchant, {
    ...Object.fromEntries(Object.entries(PLAIN_DEFAULTS).map(([field, value]) => [field, value ?? ""])),
    code: "casa-br",
    name: "casa-br",
    currency: "BRL",
    brand: "house",
    walletUrl: "https://wallet.example/w",
    defaultLanguage: "pt-BR",
    products: ["slot", "live"],
    ipList: ["10.0.0.0/8", "2001:db8::1", "192.0.2.7"],
    secretVersion: 1,
  });
  t.like(limits, { launchRate: 0.5, walletConcurrency: 8, catalogRate: undefined });

  t.is(
    await refusalOf(merchants.setMerchant({ code: "casa-br", walletUrl: "https://other.example/w" })),
    "VALIDATION_ERROR reason",
  );
  await merchants.setMerchant({ code: "casa-br", walletUrl: "https://other.example/w", reason: "they moved" });
  await merchants.setMerchant({
    code: "casa-br",
    currency: "CLP",
    products: {},
    ipList: {},
    limits: { launchRate: 0, reportsRate: 2 },
    defaultLanguage: "",
    traceContext: true,
  });
  t.like((await merchants.getMerchant({ code: "casa-br" })).merchant, {
    walletUrl: "https://other.example/w",
    currency: "CLP",
    products: [],
    ipList: [],
    defaultLanguage: "",
    traceContext: true,
    limits: { launchRate: undefined, reportsRate: 2, walletConcurrency: 8 },
  });
  await merchants.setMerchant({ code: "casa-br", walletUrl: "", reason: "closed" });
  t.is((await merchants.disableMerchant({ code: "casa-br", reason: "test" })).merchant?.enabled, false);
  t.is((await merchants.enableMerchant({ code: "casa-br" })).merchant?.enabled, true);
  t.like((await merchants.listMerchants({ brand: "house" })).merchants, [{ code: "casa-br", walletUrl: "" }]);
  t.deepEqual((await merchants.listMerchants({ brand: "other" })).merchants, []);

  const rotated = await merchants.rotateSecret({ code: "casa-br", reason: "test" });
  t.not(rotated.secret, made.secret);
  t.is(rotated.merchant?.secretVersion, 2);
  const shown = JSON.stringify([await merchants.getMerchant({ code: "casa-br" }), await merchants.listMerchants({})]);
  for (const secret of [made.secret, rotated.secret]) t.false(shown.includes(secret));
});

test("a jurisdiction is a code of ISO 3166, it can be changed and cleared, and the audit log has each change", async (t, url) => {
  const { brands, merchants, audit } = adminOf(await startReplica(t, url));
  const code = "casa";
  await brands.createBrand({ code: "house" });
  const made = await merchants.createMerchant({ code, currency: "BRL", brand: "house", jurisdiction: "BR" });
  t.is(made.merchant?.jurisdiction, "BR");
  for (const wrong of [
    "br",
    "Br",
    "B",
    "BRA",
    "XX",
    "UK",
    "AR-",
    "AR-b",
    "AR-BCDE",
    "XX-B",
    "AR_B",
    " BR",
    "BR\n",
    "-B",
  ])
    t.is(
      await refusalOf(merchants.setMerchant({ code, jurisdiction: wrong })),
      "VALIDATION_ERROR jurisdiction",
      JSON.stringify(wrong),
    );
  for (const jurisdiction of ["AR-B", "MX-CMX", "US-NJ", "MT", "AT-9", ""]) {
    await merchants.setMerchant({ code, jurisdiction });
    t.is((await merchants.getMerchant({ code })).merchant?.jurisdiction, jurisdiction);
  }
  t.is((await merchants.setMerchant({ code, name: "Casa" })).merchant?.jurisdiction, "");

  const { entries } = await audit.listAuditEntries({ target: `merchant ${code}` });
  const changes = entries.flatMap((entry) => entry.changes.filter(({ field }) => field === "jurisdiction"));
  t.deepEqual(
    changes.map(({ from, to }) => [from, to]),
    [
      ['"AT-9"', "null"],
      ['"MT"', '"AT-9"'],
      ['"US-NJ"', '"MT"'],
      ['"MX-CMX"', '"US-NJ"'],
      ['"AR-B"', '"MX-CMX"'],
      ['"BR"', '"AR-B"'],
      ["", '"BR"'],
    ],
  );
});

test("a merchant's currency can't be changed after the merchant has a player", async (t, url) => {
  const service = await startReplica(t, url);
  const { brands, merchants } = adminOf(service);
  await brands.createBrand({ code: "house" });
  await merchants.createMerchant({ code: "casa", currency: "BRL", brand: "house" });
  await merchants.setMerchant({ code: "casa", currency: "USD" });
  const { openDatabase } = await import("../../src/adapters/sql/connection/database.ts");
  const database = openDatabase(url);
  t.teardown(() => database.close());
  const { id } = await database.knex("merchants").first("id");
  await database.knex("players").insert({ merchant_id: id, player_id: "ana", player_ref: "r" });
  t.is(await refusalOf(merchants.setMerchant({ code: "casa", currency: "BRL" })), "VALIDATION_ERROR currency");
  t.is((await merchants.setMerchant({ code: "casa", currency: "USD", name: "Casa" })).merchant?.name, "Casa");
});

test("a provider's sources keep their order when one of them is changed", async (t, url) => {
  const { providers } = adminOf(await startReplica(t, url));
  const { key } = await providers.createProvider({ code: "ACME", name: "Acme", active: false });
  t.regex(key, /^[A-Za-z0-9_-]{43}$/);
  for (const host of ["a", "b", "c"])
    await providers.addSource({ code: "ACME", address: `https://${host}.example:443` });
  await providers.addSource({ code: "ACME", address: "http://first.example:9090", deadlineMs: 900, position: 1 });
  await providers.addSource({ code: "ACME", address: "https://b.example:443", enabled: false });
  await providers.removeSource({ code: "ACME", address: "https://a.example:443" });
  await providers.setProvider({ code: "ACME", active: true });
  const { provider } = await providers.getProvider({ code: "ACME" });
  t.true(provider?.active);
  t.deepEqual(
    provider?.sources.map(({ address, deadlineMs, enabled }) => [address, deadlineMs, enabled]),
    [
      ["http://first.example:9090", 900, true],
      ["https://b.example:443", 5_000, false],
      ["https://c.example:443", 5_000, true],
    ],
  );
  t.deepEqual(
    (await providers.listProviders({})).providers.map(({ code }) => code),
    ["ACME", "SPORTSBOOK"],
  );
});

test("in production a new source's address must be public; an earlier source can still be changed", async (t, url) => {
  const service = await startReplica(t, url);
  const inside = adminOf(service).providers;
  await inside.createProvider({ code: "ACME" });
  await inside.addSource({ code: "ACME", address: "http://127.0.0.1:3002" });
  t.is(
    await refusalOf(inside.addSource({ code: "ACME", address: "http://169.254.169.254:80" })),
    "VALIDATION_ERROR address",
    "a cloud's metadata in development, too",
  );

  const { providers } = adminOf(await startReplica(t, url, { ENVIRONMENT: "production", DRAIN_DELAY_MS: "0" }));
  const hosts = [
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "localhost",
    "localhost.",
    "games.localhost",
    "169.254.169.254",
    "10.1.2.3",
    "100.64.0.1",
    "168.63.129.16",
  ];
  for (const host of [...hosts, "[::1]", "[fe80::1]", "[fd00:ec2::254]", "[::ffff:10.0.0.1]"]) {
    t.is(
      await refusalOf(providers.addSource({ code: "ACME", address: `https://${host}:443` })),
      "VALIDATION_ERROR address",
      host,
    );
  }
  await providers.addSource({ code: "ACME", address: "https://games.acme.example:443" });
  await providers.addSource({ code: "ACME", address: "https://8.8.8.8:443" });
  await providers.setProvider({ code: "ACME", name: "Acme" });
  const { provider } = await providers.addSource({ code: "ACME", address: "http://127.0.0.1:3002", enabled: false });
  t.deepEqual(
    provider?.sources.map(({ address, enabled }) => [address, enabled]),
    [
      ["http://127.0.0.1:3002", false],
      ["https://games.acme.example:443", true],
      ["https://8.8.8.8:443", true],
    ],
  );

  const allowed = adminOf(
    await startReplica(t, url, { ENVIRONMENT: "production", DRAIN_DELAY_MS: "0", PROVIDER_ALLOW_PRIVATE: "true" }),
  ).providers;
  await allowed.addSource({ code: "ACME", address: "http://10.1.2.3:9000" });
  t.is(
    await refusalOf(allowed.addSource({ code: "ACME", address: "http://169.254.169.254:80" })),
    "VALIDATION_ERROR address",
  );
});
