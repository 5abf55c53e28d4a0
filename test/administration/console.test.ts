/** The console's sign-in, over real sockets. */
import { inspect } from "node:util";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { BrandAdminService } from "../../src/gen/aggregator/admin/v1/brand_admin_service_pb.ts";
import type { Service } from "../../src/service.ts";
import { ADMIN_KEY, adminOf, refusalOf, startReplica } from "../../testbed/callers/administration.ts";
import { adminOfPage, cookieOf, originOf, signedIn, signIn } from "../../testbed/callers/console.ts";
import { exchange } from "../../testbed/callers/raw-http.ts";
import { onBothDatabases } from "./databases.ts";

const test = onBothDatabases();

const whoIs = (service: Service, cookie: string): Promise<Response> =>
  fetch(`${originOf(service)}/console/session`, { headers: { cookie } });
const signOut = (service: Service, cookie: string, origin = originOf(service)): Promise<Response> =>
  fetch(`${originOf(service)}/console/session`, { method: "DELETE", headers: { cookie, origin } });
const codeOf = async (response: Response): Promise<string> => ((await response.json()) as { code: string }).code;

test("an admin key opens a session with the key's rights, and the audit log shows who signed in and out", async (t, url) => {
  const service = await startReplica(t, url);
  const owner = adminOf(service);
  const { key } = await owner.keys.createKey({ role: "support", name: "ana" });
  const begun = Date.now();
  const response = await signIn(service, key);
  t.is(response.status, 200);
  const { expiresAt, ...who } = (await response.json()) as { name: string; role: string; expiresAt: string };
  t.deepEqual(who, { name: "ana", role: "support" });
  const hours = (Date.parse(expiresAt) - begun) / 3_600_000;
  t.true(hours > 11.9 && hours < 12.1, expiresAt);
  t.regex(
    response.headers.get("set-cookie") ?? "",
    /^console_session=[A-Za-z0-9_-]{43}; HttpOnly; SameSite=Strict; Path=\/$/,
  );
  t.is(response.headers.get("cache-control"), "no-store");

  const cookie = cookieOf(response);
  t.deepEqual(await (await whoIs(service, cookie)).json(), { ...who, expiresAt });
  const page = adminOfPage(service, cookie);
  await page.brands.listBrands({});
  t.is(await refusalOf(page.brands.createBrand({ code: "house" })), "ROLE_NOT_ALLOWED");
  t.is(
    await refusalOf(page.transactions.getTransaction({ merchant: "none", txId: "A:1" })),
    "RECORD_NOT_FOUND merchant",
  );

  const gone = await signOut(service, cookie);
  t.is(gone.status, 204);
  t.regex(gone.headers.get("set-cookie") ?? "", /^console_session=; .*Max-Age=0$/);
  t.deepEqual(
    [(await whoIs(service, cookie)).status, await codeOf(await whoIs(service, cookie))],
    [401, "INVALID_API_KEY"],
  );
  t.is(await refusalOf(page.brands.listBrands({})), "INVALID_API_KEY");
  t.is((await signOut(service, cookie)).status, 204, "a second time, without an entry");
  const { entries } = await owner.audit.listAuditEntries({ action: "console" });
  t.deepEqual(
    entries.map(({ actor, action, target }) => [actor, action, target]),
    [
      ["ana", "console sign-out", "key ana"],
      ["ana", "console sign-in", "key ana"],
    ],
  );
});

test("the audit log has the key's name for a change through the page, and a key in a request has priority over the cookie", async (t, url) => {
  const service = await startReplica(t, url);
  const owner = adminOf(service);
  const [{ key: manager }, { key: viewer }] = [
    await owner.keys.createKey({ role: "manager", name: "maria" }),
    await owner.keys.createKey({ role: "viewer", name: "eyes" }),
  ];
  const cookie = await signedIn(service, manager);
  await adminOfPage(service, cookie).brands.createBrand({ code: "house" });
  const [entry] = (await owner.audit.listAuditEntries({ action: "brand create" })).entries;
  t.is(entry?.actor, "maria");
  const both = adminOfPage(service, cookie, { authorization: `Bearer ${viewer}` });
  t.is(await refusalOf(both.brands.createBrand({ code: "other" })), "ROLE_NOT_ALLOWED");
  const wrong = adminOfPage(service, cookie, { authorization: "Bearer wrong" });
  t.is(await refusalOf(wrong.brands.listBrands({})), "INVALID_API_KEY");
});

test("a session ends on every replica when its key is revoked, expires or changes its role", async (t, url) => {
  const service = await startReplica(t, url);
  const owner = adminOf(service);
  const { key } = await owner.keys.createKey({ role: "manager", name: "maria" });
  const { key: other } = await owner.keys.createKey({ role: "manager", name: "paul" });
  const cookie = await signedIn(service, key);
  const demoted = await signedIn(service, other);
  const replica = url.startsWith("mysql:") ? await startReplica(t, url) : service;
  for (const one of [cookie, demoted]) await adminOfPage(replica, one).brands.listBrands({});

  await owner.keys.revokeKey({ name: "maria", reason: "left" });
  const database = openDatabase(url);
  t.teardown(() => database.close());
  await database.knex("api_keys").where({ name: "paul" }).update({ role: "viewer" });
  await database.knex("settings_epoch").increment("epoch", 1);
  await owner.brands.createBrand({ code: "house" });
  for (const [where, one] of [
    [service, cookie],
    [service, demoted],
    [replica, cookie],
    [replica, demoted],
  ] as const) {
    const deadline = Date.now() + 10_000;
    while ((await whoIs(where, one)).status !== 401 && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 50));
    t.is((await whoIs(where, one)).status, 401);
    t.is(await refusalOf(adminOfPage(where, one).brands.listBrands({})), "INVALID_API_KEY");
  }
  // A new sign-in has the new role.
  t.is(((await (await signIn(service, other)).json()) as { role: string }).role, "viewer");
});

test("the database has the hash of the session's id, and not the id", async (t, url) => {
  const service = await startReplica(t, url);
  const id = (await signedIn(service, ADMIN_KEY)).replace("console_session=", "");
  const database = openDatabase(url);
  t.teardown(() => database.close());
  const rows = await database.knex("console_sessions").select();
  t.is(rows.length, 1);
  t.false(inspect(rows).includes(id));
});

test("wrong keys at the sign-in count for the limit and the alert of all wrong admin keys; a right key is accepted", async (t, url) => {
  const service = await startReplica(t, url);
  // The limit fills up again with time, so a slow machine needs more keys to reach it.
  const guesses: Response[] = [];
  while (!guesses.some(({ status }) => status === 429) && guesses.length < 1_000)
    guesses.push(...(await Promise.all(Array.from({ length: 70 }, (_, n) => signIn(service, `wrong-${n}`)))));
  t.deepEqual([...new Set(guesses.map(({ status }) => status))].sort(), [401, 429]);
  t.is(await codeOf(guesses.find(({ status }) => status === 429) as Response), "RATE_LIMITED");
  t.is((await signIn(service, ADMIN_KEY)).status, 200);
  const metrics = async () => (await fetch(`${originOf(service)}/metrics`)).text();
  const counted = `\naggregator_wrong_keys_total{key_kind="admin"} ${guesses.length}\n`;
  t.true((await metrics()).includes(counted));
  t.regex(await metrics(), /^aggregator_alerts_total\{alert="wrong_keys"\} 1$/m);
  // A session that has ended does not count as a wrong key, but an invented one does.
  const ended = await signedIn(service, ADMIN_KEY);
  t.is((await signOut(service, ended)).status, 204);
  for (let n = 0; n < 20; n++) t.is((await whoIs(service, ended)).status, 401);
  t.true((await metrics()).includes(counted));
  t.true([401, 429].includes((await whoIs(service, `console_session=${"x".repeat(43)}`)).status));
  t.false((await metrics()).includes(counted));
});

test("the cookie is marked Secure if the page was loaded over https", async (t, url) => {
  const service = await startReplica(t, url);
  const response = await signIn(service, ADMIN_KEY, { origin: originOf(service).replace("http:", "https:") });
  t.regex(response.headers.get("set-cookie") ?? "", /; Secure$/);
});

test("a proxy may write the usual port of the page's scheme into Host", async (t, url) => {
  const service = await startReplica(t, url);
  for (const [origin, host, status] of [
    ["https://127.0.0.1", "127.0.0.1:443", 200],
    ["http://127.0.0.1", "127.0.0.1:80", 200],
    ["https://127.0.0.1", "127.0.0.1:80", 403],
    ["https://127.0.0.1:8443", "127.0.0.1:443", 403],
  ] as const) {
    const body = JSON.stringify({ key: ADMIN_KEY });
    const reply = await exchange(
      service.ports.internalHttp,
      `POST /console/session HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    t.is(reply.status, status, `${origin} ${host}`);
  }
});

test("requests that no page of the console has sent are refused, even with the console's cookie", async (t, url) => {
  const service = await startReplica(t, url);
  const cookie = await signedIn(service, ADMIN_KEY);
  const own = originOf(service);
  const call = (headers: Record<string, string>, body = "{}") =>
    fetch(`${own}/aggregator.admin.v1.BrandAdminService/CreateBrand`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json", ...headers },
      body,
    });
  for (const [what, headers] of Object.entries({
    "no header of a browser": {},
    "another site": { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    "another port of this host": { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" },
    "this host as a prefix": { origin: `${own}.evil.example` },
    "this host as a user": { origin: `${own}@evil.example` },
    "a sandboxed frame": { origin: "null" },
    "an empty origin": { origin: "" },
    "a file": { origin: "file://" },
    "the right origin of another site": { origin: own, "sec-fetch-site": "same-site" },
    "the address bar": { "sec-fetch-site": "none" },
    "a form": { origin: own, "content-type": "text/plain" },
    "a form with JSON in its type": { origin: own, "content-type": "text/plain; application/json" },
    "a url-encoded form": { origin: own, "content-type": "application/x-www-form-urlencoded" },
  } as Record<string, Record<string, string>>)) {
    const response = await call(headers);
    t.is(response.status, 403, what);
    t.is(response.headers.get("error-code"), "FOREIGN_PAGE", what);
    t.is(response.headers.get("access-control-allow-origin"), null, what);
  }
  for (const headers of [{ origin: own }, { "sec-fetch-site": "same-origin" }] as Record<string, string>[]) {
    const response = await call(headers);
    t.is(response.headers.get("error-code"), "VALIDATION_ERROR", "the page itself reaches the rpc");
  }
  const twice = await call({ origin: own, cookie: `console_session=${"x".repeat(43)}; ${cookie}` });
  t.is(twice.headers.get("error-code"), "INVALID_API_KEY", "two cookies count as none");
  const preflight = await fetch(`${own}/aggregator.admin.v1.BrandAdminService/CreateBrand`, {
    method: "OPTIONS",
    headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
  });
  t.is(preflight.headers.get("access-control-allow-origin"), null);

  t.is((await signOut(service, cookie, "https://evil.example")).status, 403);
  t.is((await whoIs(service, cookie)).status, 200);
  t.is(await codeOf(await signIn(service, ADMIN_KEY, { origin: "https://evil.example" })), "FOREIGN_PAGE");
  t.is(await codeOf(await signIn(service, ADMIN_KEY, { "content-type": "text/plain" })), "UNSUPPORTED_MEDIA_TYPE");
  t.is((await adminOf(service).brands.listBrands({})).brands.length, 0, "nothing was changed");
});

test("a session is not valid on the gRPC port, and its cookie is not an admin key", async (t, url) => {
  const service = await startReplica(t, url);
  const cookie = await signedIn(service, ADMIN_KEY);
  const transport = createGrpcTransport({ baseUrl: `http://127.0.0.1:${service.ports.internalGrpc}` });
  const headers = { cookie, origin: originOf(service) };
  t.is(await refusalOf(createClient(BrandAdminService, transport).listBrands({}, { headers })), "INVALID_API_KEY");
  const id = cookie.replace("console_session=", "");
  t.is(await refusalOf(adminOf(service, id).brands.listBrands({})), "INVALID_API_KEY");
  t.is((await signIn(service, id)).status, 401);
});

test("a sign-in whose body is not JSON with a key is refused", async (t, url) => {
  const service = await startReplica(t, url);
  for (const body of [
    "",
    "{",
    "null",
    "[]",
    "{}",
    '{"key":""}',
    '{"key":1}',
    JSON.stringify({ key: "x".repeat(257) }),
  ]) {
    const response = await fetch(`${originOf(service)}/console/session`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: originOf(service) },
      body,
    });
    t.deepEqual([response.status, await codeOf(response)], [400, "BAD_REQUEST"], body);
  }
  const large = await signIn(service, "x".repeat(70_000));
  t.is(await codeOf(large), "PAYLOAD_TOO_LARGE");
  const put = await fetch(`${originOf(service)}/console/session`, { method: "PUT" });
  t.deepEqual([put.status, put.headers.get("allow")], [405, "GET, HEAD, POST, DELETE"]);
});
