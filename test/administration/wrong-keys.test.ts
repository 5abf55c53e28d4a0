import { randomBytes } from "node:crypto";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { BrandAdminService } from "../../src/gen/aggregator/admin/v1/brand_admin_service_pb.ts";
import { WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { SessionService } from "../../src/gen/aggregator/sportsbook/v1/session_service_pb.ts";
import type { Service } from "../../src/service.ts";
import { ADMIN_KEY, adminOf, refusalOf, startReplica, withKey } from "../../testbed/callers/administration.ts";
import { onBothDatabases } from "./databases.ts";

const test = onBothDatabases();

const wrongKey = (): string => randomBytes(32).toString("base64url");
const overGrpc = (port: number, key: string) =>
  createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}`, interceptors: [withKey(key)] });
const overConnect = (port: number, key: string) =>
  createConnectTransport({ baseUrl: `http://127.0.0.1:${port}`, httpVersion: "1.1", interceptors: [withKey(key)] });

/** What so many calls with wrong keys are told, all at once. */
async function told(times: number, call: () => Promise<unknown>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const said of await Promise.all(Array.from({ length: times }, () => refusalOf(call()))))
    counts[said] = (counts[said] ?? 0) + 1;
  return counts;
}

/** What a call with a right key is told, once the burst before it no longer makes the event loop late. */
async function toldLater(call: () => Promise<unknown>): Promise<string> {
  for (;;) {
    const said = await refusalOf(call());
    if (said !== "OVERLOADED") return said;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function metricsOf({ ports }: Service): Promise<string> {
  return (await fetch(`http://127.0.0.1:${ports.internalHttp}/metrics`)).text();
}

test("wrong admin keys are slowed down over gRPC and Connect together, told in metrics and an alert; a right key passes as ever", async (t, url) => {
  const service = await startReplica(t, url);
  const { internalHttp, internalGrpc } = service.ports;
  const tries: string[] = [];
  const guess = (): string => {
    const key = wrongKey();
    tries.push(key);
    return key;
  };
  const connect = await told(40, () =>
    createClient(BrandAdminService, overConnect(internalHttp, guess())).listBrands({}),
  );
  t.deepEqual(connect, { INVALID_API_KEY: 40 });
  // A bucket that fills while they come gives a few more.
  const grpc = await told(60, () => createClient(BrandAdminService, overGrpc(internalGrpc, guess())).listBrands({}));
  t.true((grpc.RATE_LIMITED ?? 0) >= 20, JSON.stringify(grpc));
  t.is((grpc.RATE_LIMITED ?? 0) + (grpc.INVALID_API_KEY ?? 0), 60);
  const refused = await t.throwsAsync(createClient(BrandAdminService, overGrpc(internalGrpc, guess())).listBrands({}), {
    instanceOf: ConnectError,
  });
  t.is(refused.code, Code.ResourceExhausted);

  await adminOf(service).brands.createBrand({ code: "house" });
  await createClient(BrandAdminService, overGrpc(internalGrpc, ADMIN_KEY)).listBrands({});

  const metrics = await metricsOf(service);
  t.regex(metrics, /^wrong_keys_total\{door="admin"\} 101$/m);
  t.regex(metrics, /^alerts_total\{alert="wrong_keys"\} 1$/m);
  for (const key of [ADMIN_KEY, ...tries]) t.false(metrics.includes(key));
});

test("wrong keys of providers and of the sportsbook are slowed down alike, each by themselves; right keys pass as ever", async (t, url) => {
  const service = await startReplica(t, url);
  const { grpc } = service.ports;
  const owner = adminOf(service);
  const { key: acme } = await owner.providers.createProvider({ code: "ACME" });
  const { key: sportsbook } = await owner.providers.rotateProviderKey({ code: "SPORTSBOOK", reason: "test" });
  const balance = (key: string) => createClient(WalletService, overGrpc(grpc, key)).getBalance({ sessionId: "none" });
  const session = (key: string) => createClient(SessionService, overGrpc(grpc, key)).getSession({ sessionId: "none" });

  const provider = await told(90, () => balance(wrongKey()));
  t.true((provider.RATE_LIMITED ?? 0) >= 10, JSON.stringify(provider));
  t.is(await toldLater(() => balance(acme)), "SESSION_NOT_FOUND session_id");
  // A key of another door is a wrong one, and the sportsbook's callers have failed nothing so far.
  t.is(await refusalOf(session(acme)), "INVALID_API_KEY");
  const book = await told(90, () => session(acme));
  t.true((book.RATE_LIMITED ?? 0) >= 10, JSON.stringify(book));
  t.is(await toldLater(() => session(sportsbook)), "SESSION_NOT_FOUND session_id");

  const metrics = await metricsOf(service);
  t.regex(metrics, /^wrong_keys_total\{door="provider"\} 90$/m);
  t.regex(metrics, /^wrong_keys_total\{door="sportsbook"\} 91$/m);
  t.regex(metrics, /^alerts_total\{alert="wrong_keys"\} 2$/m);
});
