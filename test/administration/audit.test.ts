import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { CatalogAdminService } from "../../src/gen/aggregator/admin/v1/catalog_admin_service_pb.ts";
import { ADMIN_KEY, adminOf, inPieces, refusalOf, startReplica } from "../../testbed/callers/administration.ts";
import { onBothDatabases } from "./databases.ts";

const test = onBothDatabases();

test("changes are listed without reads and sign-ins, page by page, also among many reads", async (t, url) => {
  const service = await startReplica(t, url);
  const owner = adminOf(service);
  const database = openDatabase(url);
  t.teardown(() => database.close());
  const reads = ["transaction player", "console sign-in", "transaction show"];
  const stored = Array.from({ length: 2_600 }, (_, i) => ({
    at: i,
    actor: "ana",
    action: i % 600 === 0 ? "merchant set" : reads[i % reads.length],
    target: `merchant m${i}`,
    details: "[]",
  }));
  for (let from = 0; from < stored.length; from += 100)
    await database.knex("audit").insert(stored.slice(from, from + 100));
  for (const limit of [0, 2]) {
    const seen: string[] = [];
    const lengths: number[] = [];
    for (let cursor = ""; ; ) {
      const page = await owner.audit.listAuditEntries({ changesOnly: true, limit, cursor });
      seen.push(...page.entries.map(({ target }) => target));
      lengths.push(page.entries.length);
      cursor = page.nextCursor;
      if (cursor === "") break;
    }
    t.deepEqual(
      seen,
      [2_400, 1_800, 1_200, 600, 0].map((i) => `merchant m${i}`),
    );
    t.deepEqual(lengths, limit === 0 ? [4, 1] : [2, 2, 1], "a page examines at most 2,000 entries");
  }
  t.is((await owner.audit.listAuditEntries({ limit: 3 })).entries[0]?.action, "console sign-in");
  const one = await owner.audit.listAuditEntries({ changesOnly: true, target: "merchant m2400" });
  t.is(one.entries.length, 1);
});

test("the audit log has the actor, the old and new values, the time and the reason", async (t, url) => {
  const service = await startReplica(t, url);
  const owner = adminOf(service);
  const begun = Date.now();
  const { key } = await owner.keys.createKey({ role: "manager", name: "maria" });
  const maria = adminOf(service, key);
  await maria.brands.createBrand({ code: "house" });
  await maria.merchants.createMerchant({ code: "casa", currency: "BRL", brand: "house", reason: "contract 9" });
  await maria.merchants.setMerchant({
    code: "casa",
    name: "Casa",
    products: { values: ["slot"] },
    limits: { launchRate: 9 },
    reason: "as\nasked",
  });
  await maria.merchants.setMerchant({ code: "casa", name: "Casa" });
  await maria.merchants.rotateSecret({ code: "casa", reason: "test" });

  const { entries } = await owner.audit.listAuditEntries({});
  t.deepEqual(
    entries.map(({ actor, action, target, reason }) => [actor, action, target, reason]),
    [
      ["maria", "merchant rotate-secret", "merchant casa", "test"],
      ["maria", "merchant set", "merchant casa", "as\nasked"],
      ["maria", "merchant create", "merchant casa", "contract 9"],
      ["maria", "brand create", "brand house", ""],
      ["ADMIN_KEY", "key create", "key maria", ""],
    ],
    "a change that changed nothing isn't there",
  );
  t.deepEqual(
    entries[1]?.changes.map(({ field, from, to }) => [field, from, to]),
    [
      ["name", '"casa"', '"Casa"'],
      ["products", "[]", '["slot"]'],
      ["launch_rate", "null", "9"],
    ],
  );
  t.deepEqual(
    entries[2]?.changes.map(({ field, from, to }) => [field, from, to]),
    [
      ["code", "", '"casa"'],
      ["name", "", '"casa"'],
      ["currency", "", '"BRL"'],
      ["brand", "", '"house"'],
      ["enabled", "", "true"],
      ["trace_context", "", "false"],
    ],
    "unset fields are absent",
  );
  t.deepEqual(
    entries[0]?.changes.map(({ field, from, to }) => [field, from, to]),
    [["secret_version", "1", "2"]],
  );
  t.true(entries.every(({ at }) => at !== undefined && Math.abs(timestampMs(at) - begun) < 60_000));
  t.deepEqual((await owner.audit.getAuditEntry({ id: entries[2]?.id ?? 0n })).entry, entries[2]);
  t.is(await refusalOf(owner.audit.getAuditEntry({ id: 99_999n })), "RECORD_NOT_FOUND id");

  const actions = async (query: object) =>
    (await owner.audit.listAuditEntries(query)).entries.map(({ action }) => action);
  t.deepEqual(await actions({ actor: "maria", action: "merchant" }), [
    "merchant rotate-secret",
    "merchant set",
    "merchant create",
  ]);
  t.deepEqual(await actions({ action: "merchant set" }), ["merchant set"]);
  t.deepEqual(await actions({ action: "merch" }), []);
  t.deepEqual(await actions({ target: "brand house" }), ["brand create"]);
  for (const none of [
    { target: "Brand House" },
    { actor: "MARIA" },
    { to: timestampFromMs(begun - 60_000) },
    { from: timestampFromMs(begun + 60_000) },
  ])
    t.deepEqual(await actions(none), []);
  const first = await owner.audit.listAuditEntries({ limit: 3 });
  const rest = await owner.audit.listAuditEntries({ limit: 3, cursor: first.nextCursor });
  t.deepEqual([...first.entries, ...rest.entries], entries);
  t.is(rest.nextCursor, "");
});

test("changes that end access or give the highest role need a reason, and are refused without one", async (t, url) => {
  const service = await startReplica(t, url);
  const { brands, merchants, providers, keys, audit } = adminOf(service);
  await brands.createBrand({ code: "house" });
  await merchants.createMerchant({ code: "casa", currency: "BRL", brand: "house" });
  await providers.createProvider({ code: "ACME" });
  await keys.createKey({ name: "eyes", role: "viewer" });
  const before = (await audit.listAuditEntries({})).entries.length;

  const weighty: Readonly<Record<string, (reason: string) => Promise<unknown>>> = {
    "merchant rotate-secret": (reason) => merchants.rotateSecret({ code: "casa", reason }),
    "merchant disable": (reason) => merchants.disableMerchant({ code: "casa", reason }),
    "provider rotate-key": (reason) => providers.rotateProviderKey({ code: "ACME", reason }),
    "provider set": (reason) => providers.setProvider({ code: "ACME", active: false, reason }),
    "key create": (reason) => keys.createKey({ name: "boss", role: "owner", reason }),
    "key revoke of a provider": (reason) => keys.revokeKey({ provider: "ACME", name: "key-2", reason }),
    "key revoke of an admin": (reason) => keys.revokeKey({ name: "eyes", reason }),
  };
  for (const [action, call] of Object.entries(weighty)) {
    // The key of the rotation is revoked later.
    for (const reason of ["", "  ", "x".repeat(1_025)])
      t.is(await refusalOf(call(reason)), "VALIDATION_ERROR reason", action);
    await call("ticket 9");
  }
  const { entries } = await audit.listAuditEntries({});
  t.deepEqual(
    entries.slice(0, entries.length - before).map(({ action, reason }) => [action, reason]),
    Object.keys(weighty)
      .map((action) => [action.split(" of ")[0], "ticket 9"])
      .toReversed(),
  );

  await merchants.enableMerchant({ code: "casa" });
  t.is(await refusalOf(merchants.setMerchant({ code: "casa", enabled: false })), "VALIDATION_ERROR reason");
  t.true((await merchants.getMerchant({ code: "casa" })).merchant?.enabled);
  // Less important changes need no reason.
  await providers.setProvider({ code: "ACME", active: true });
  await keys.createKey({ name: "ana", role: "manager" });
  await keys.createKey({ provider: "ACME" });
});

test("a refused change leaves no audit entry, and of several concurrent creations of one brand exactly one succeeds", async (t, url) => {
  const service = await startReplica(t, url);
  const { brands, audit } = adminOf(service);
  await brands.createBrand({ code: "house" });
  const made = await Promise.allSettled(Array.from({ length: 8 }, () => brands.createBrand({ code: "same" })));
  t.is(made.filter(({ status }) => status === "fulfilled").length, 1);
  await Promise.all(Array.from({ length: 8 }, (_, n) => brands.createBrand({ code: `b-${n}` })));
  t.is((await brands.listBrands({})).brands.length, 10);
  t.is((await audit.listAuditEntries({})).entries.length, 10);
});

test("a file of games can be streamed over gRPC, too", async (t, url) => {
  const service = await startReplica(t, url);
  await adminOf(service).providers.createProvider({ code: "ACME" });
  const catalog = createClient(
    CatalogAdminService,
    createGrpcTransport({ baseUrl: `http://127.0.0.1:${service.ports.internalGrpc}` }),
  );
  const file = JSON.stringify(
    Array.from({ length: 3_000 }, (_, n) => ({ provider: "ACME", code: `g-${n}`, name: `Game ${n}`, type: "slot" })),
  );
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  t.like(await catalog.importGames(inPieces(file, "json"), { headers }), { created: 3_000, faultCount: 0 });
  t.is(
    await refusalOf(catalog.importGames(inPieces(file, "json"), { headers: { authorization: "Bearer nobody" } })),
    "INVALID_API_KEY",
  );
  const tooLong = inPieces(file, "json", {}, 70 * 1024);
  await t.throwsAsync(catalog.importGames(tooLong, { headers }), { message: /larger than max|resource_exhausted/i });
});
