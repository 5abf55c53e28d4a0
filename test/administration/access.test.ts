import { readdirSync, readFileSync } from "node:fs";
import { inspect } from "node:util";
import type { DescService } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import anyTest, { type ExecutionContext } from "ava";
import { ROLES, type Role } from "../../src/domain/access/role.ts";
import { KeyAdminService } from "../../src/gen/aggregator/admin/v1/key_admin_service_pb.ts";
import type { Service } from "../../src/service.ts";
import {
  ADMIN_KEY,
  ADMIN_SERVICES,
  adminOf,
  inside,
  OPERATOR_SERVICES,
  refusalOf,
  startReplica,
  withKey,
} from "../../testbed/callers/administration.ts";
import { onBothDatabases } from "./databases.ts";

const test = onBothDatabases();
const PROTOS = ["proto/aggregator/admin/v1", "proto/aggregator/operator/v1"];
const SERVICES = [...Object.values(ADMIN_SERVICES), ...Object.values(OPERATOR_SERVICES)];
/** The text of each proto file. */
const texts = PROTOS.flatMap((folder) => readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, "utf8")));

/** The least role of each rpc that the protos' comments name, by `Service.Rpc`. */
function promisedRoles(): Map<string, string> {
  const roles = new Map<string, string>();
  for (const text of texts) {
    const service = /^service (\w+)/m.exec(text)?.[1];
    for (const [, comment = "", rpc] of text.matchAll(/((?: {2}\/\/.*\n)+) {2}rpc (\w+)/g)) {
      const role = /Role: (\w+)/.exec(comment.replaceAll("\n  // ", " "))?.[1];
      roles.set(`${service}.${rpc}`, role ?? "none");
    }
  }
  return roles;
}

/** The fields for rpcs in which an empty request would mean an admin key. */
const OF_A_PROVIDER = { provider: "ACME" };

/** Every rpc of both packages, with a function that calls it with an empty request (rpcs of keys: with a provider only). */
function rpcs(transport: Transport): { readonly name: string; readonly call: () => Promise<unknown> }[] {
  return SERVICES.flatMap((service: DescService) => {
    const client = createClient(service, transport) as unknown as Record<
      string,
      (request: unknown) => Promise<unknown>
    >;
    return service.methods.map((method) => ({
      name: `${service.name}.${method.name}`,
      call: () => {
        const request =
          method.methodKind === "client_streaming"
            ? (async function* () {})()
            : service === KeyAdminService
              ? OF_A_PROVIDER
              : {};
        return client[method.localName]?.(request) ?? Promise.reject(new Error(method.name));
      },
    }));
  });
}

/**
 * Asserts that every rpc refuses this key. After sixty wrong keys a minute the refusal is a rate limit. All calls run
 * at once, because unknown keys share their reads of changed settings.
 */
async function allRefused(t: ExecutionContext, service: Service, key: string): Promise<void> {
  await Promise.all(
    rpcs(inside(service, key)).map(async ({ name, call }) =>
      t.regex(await refusalOf(call()), /^(INVALID_API_KEY|RATE_LIMITED)$/, `${name} with "${key}"`),
    ),
  );
}

const nothing = async (): Promise<string> => "nothing";

anyTest("every service of aggregator.admin.v1 and aggregator.operator.v1 is tested here", (t) => {
  const declared = texts.flatMap((text) => [...text.matchAll(/^service (\w+)/gm)].map(([, name]) => name));
  t.deepEqual(declared.sort(), SERVICES.map(({ name }) => name).sort());
});

test("each rpc may be called with its role and higher roles, and with no other role", async (t, url) => {
  const service = await startReplica(t, url);
  const owner = adminOf(service);
  const promised = promisedRoles();
  for (const role of ROLES) {
    const { key } = await owner.keys.createKey({ role, reason: "test" });
    for (const { name, call } of rpcs(inside(service, key))) {
      const needed = promised.get(name);
      t.true(ROLES.includes(needed as Role), `${name} needs ${needed}`);
      const refusal = await refusalOf(call()).catch(nothing);
      t.is(
        refusal === "ROLE_NOT_ALLOWED",
        ROLES.indexOf(role) < ROLES.indexOf(needed as Role),
        `${name} as ${role}: ${refusal}`,
      );
      t.false(/INTERNAL|SERVICE_UNAVAILABLE|internal/.test(refusal), `${name} as ${role}: ${refusal}`);
    }
  }
});

test("only an owner creates and revokes admin keys; a manager creates and revokes providers' keys", async (t, url) => {
  const service = await startReplica(t, url);
  const owner = adminOf(service);
  await owner.providers.createProvider({ code: "ACME" });
  const { key } = await owner.keys.createKey({ role: "manager", name: "ops" });
  const manager = adminOf(service, key);
  t.is(await refusalOf(manager.keys.createKey({ role: "viewer" })), "ROLE_NOT_ALLOWED");
  t.is(await refusalOf(manager.keys.revokeKey({ name: "ops", reason: "test" })), "ROLE_NOT_ALLOWED");
  t.is((await manager.keys.createKey({ provider: "ACME" })).record?.name, "key-2");
  t.true((await manager.keys.revokeKey({ provider: "ACME", name: "key-1", reason: "test" })).record?.revoked);
});

test("without a valid admin key every rpc is refused, even with a provider's key", async (t, url) => {
  const service = await startReplica(t, url);
  const owner = adminOf(service);
  await owner.brands.createBrand({ code: "house" });
  const { secret } = await owner.merchants.createMerchant({ code: "casa", currency: "BRL", brand: "house" });
  const { key: provider } = await owner.providers.createProvider({ code: "ACME" });
  const { key: sportsbook } = await owner.providers.rotateProviderKey({ code: "SPORTSBOOK", reason: "test" });
  for (const key of ["", "wrong", secret, provider, sportsbook, `${ADMIN_KEY}x`]) await allRefused(t, service, key);
});

test("the public port does not serve the administration and the operator services", async (t, url) => {
  const { ports } = await startReplica(t, url);
  const over = (port: number) =>
    createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}`, interceptors: [withKey(ADMIN_KEY)] });
  for (const { name, call } of rpcs(over(ports.grpc)))
    t.is((await t.throwsAsync(call(), { instanceOf: ConnectError }, name)).code, Code.Unimplemented, name);
  for (const { name, call } of rpcs(over(ports.internalGrpc)))
    t.false((await refusalOf(call()).catch(nothing)).includes("unimplemented"), name);
  const rest = await fetch(`http://127.0.0.1:${ports.rest}/aggregator.admin.v1.BrandAdminService/ListBrands`, {
    method: "POST",
    body: "{}",
    headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
  });
  t.is(rest.status, 404);
});

test("a key's text is shown once, and on every replica the key ends at its expiry or when it is revoked", async (t, url) => {
  const service = await startReplica(t, url);
  const { keys } = adminOf(service);
  const made = await keys.createKey({ role: "support", name: "eyes" });
  const { key: brief } = await keys.createKey({
    role: "viewer",
    name: "brief",
    expiresAt: timestampFromMs(Date.now() + 60_000),
  });
  t.regex(made.key, /^[A-Za-z0-9_-]{43}$/);
  const listed = (await keys.listKeys({})).keys;
  t.deepEqual(
    listed.map(({ name, role, provider, revoked }) => [name, role, provider, revoked]),
    [
      ["brief", "viewer", "", false],
      ["eyes", "support", "", false],
    ],
  );
  t.false(inspect(listed, { depth: null }).includes(made.key));
  for (const name of ["eyes", "ADMIN_KEY", "a b", "x".repeat(65)])
    t.is(await refusalOf(keys.createKey({ role: "viewer", name })), "VALIDATION_ERROR name", name);
  t.is(
    await refusalOf(keys.createKey({ role: "viewer", expiresAt: timestampFromMs(Date.now() - 1) })),
    "VALIDATION_ERROR expires_at",
  );
  t.is(await refusalOf(keys.createKey({ role: "king" })), "VALIDATION_ERROR role");
  t.is(await refusalOf(keys.createKey({ role: "viewer", provider: "ACME" })), "VALIDATION_ERROR provider");
  t.is(await refusalOf(keys.createKey({ provider: "ACME" })), "RECORD_NOT_FOUND provider");
  t.is(await refusalOf(keys.getKey({ name: "nobody" })), "RECORD_NOT_FOUND name");

  const other = url.startsWith("mysql:") ? await startReplica(t, url) : service;
  await adminOf(other, made.key).brands.listBrands({});
  await adminOf(other, brief).brands.listBrands({});
  const overAt = Date.now() + 8_000;
  const { key: over } = await keys.createKey({ role: "viewer", expiresAt: timestampFromMs(overAt) });
  await keys.revokeKey({ name: "eyes", reason: "test" });
  await new Promise((resolve) => setTimeout(resolve, overAt + 100 - Date.now()));
  for (const key of [made.key, over]) await allRefused(t, other, key);
  t.true((await keys.getKey({ name: "eyes" })).record?.revoked);
});

test("rotating a provider's key revokes all its other keys at once, also for the sportsbook", async (t, url) => {
  const { providers, keys } = adminOf(await startReplica(t, url));
  await providers.createProvider({ code: "ACME" });
  await keys.createKey({ provider: "ACME", name: "second" });
  const { provider } = await providers.rotateProviderKey({ code: "ACME", name: "third", reason: "test" });
  t.deepEqual(
    provider?.keys.map(({ name, revoked }) => [name, revoked]),
    [
      ["key-1", true],
      ["second", true],
      ["third", false],
    ],
  );
  t.is(
    await refusalOf(providers.rotateProviderKey({ code: "ACME", name: "second", reason: "test" })),
    "VALIDATION_ERROR name",
  );
  t.regex((await providers.rotateProviderKey({ code: "SPORTSBOOK", reason: "test" })).key, /^[A-Za-z0-9_-]{43}$/);
  t.is((await keys.listKeys({ provider: "ACME" })).keys.length, 3);
});

test("a brand that was created over gRPC-Web can be read over Connect", async (t, url) => {
  const service = await startReplica(t, url);
  await adminOf(service, ADMIN_KEY, "grpc-web").brands.createBrand({ code: "house" });
  t.is(
    await refusalOf(adminOf(service, ADMIN_KEY, "grpc-web").brands.createBrand({ code: "house" })),
    "ALREADY_EXISTS code",
  );
  t.is((await adminOf(service).brands.getBrand({ code: "house" })).brand?.code, "house");
});
