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

/** Sends many calls at once and counts their refusals. */
async function countRefusals(times: number, call: () => Promise<unknown>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const refusal of await Promise.all(Array.from({ length: times }, () => refusalOf(call()))))
    counts[refusal] = (counts[refusal] ?? 0) + 1;
  return counts;
}

/** The refusal of a call with a right key, once the burst before it no longer overloads the event loop. */
async function refusalAfterBurst(call: () => Promise<unknown>): Promise<string> {
  for (;;) {
    const refusal = await refusalOf(call());
    if (refusal !== "OVERLOADED") return refusal;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function metricsOf({ ports }: Service): Promise<string> {
  return (await fetch(`http://127.0.0.1:${ports.internalHttp}/metrics`)).text();
}

test("wrong admin keys share one limit over gRPC and Connect, count in metrics and raise an alert; a right key is accepted", async (t, url) => {
  const service = await startReplica(t, url);
  const { internalHttp, internalGrpc } = service.ports;
  const tries: string[] = [];
  const guess = (): string => {
    const key = wrongKey();
    tries.push(key);
    return key;
  };
  const connect = await countRefusals(40, () =>
    createClient(BrandAdminService, overConnect(internalHttp, guess())).listBrands({}),
  );
  t.deepEqual(connect, { INVALID_API_KEY: 40 });
  // The bucket refills while the calls arrive, so a few more of them are checked by their key.
  let exhausted = 0;
  const grpc = await countRefusals(60, async () => {
    try {
      await createClient(BrandAdminService, overGrpc(internalGrpc, guess())).listBrands({});
    } catch (error) {
      if (ConnectError.from(error).code === Code.ResourceExhausted) exhausted += 1;
      throw error;
    }
  });
  t.true((grpc.RATE_LIMITED ?? 0) >= 20, JSON.stringify(grpc));
  t.is((grpc.RATE_LIMITED ?? 0) + (grpc.INVALID_API_KEY ?? 0), 60);
  t.is(exhausted, grpc.RATE_LIMITED ?? 0);

  await adminOf(service).brands.createBrand({ code: "house" });
  await createClient(BrandAdminService, overGrpc(internalGrpc, ADMIN_KEY)).listBrands({});

  const metrics = await metricsOf(service);
  t.regex(metrics, /^aggregator_wrong_keys_total\{key_kind="admin"\} 100$/m);
  t.regex(metrics, /^aggregator_alerts_total\{alert="wrong_keys"\} 1$/m);
  for (const key of [ADMIN_KEY, ...tries]) t.false(metrics.includes(key));
});

test("wrong keys of providers and of the sportsbook have separate limits; right keys are accepted", async (t, url) => {
  const service = await startReplica(t, url);
  const { grpc } = service.ports;
  const owner = adminOf(service);
  const { key: acme } = await owner.providers.createProvider({ code: "ACME" });
  const { key: sportsbook } = await owner.providers.rotateProviderKey({ code: "SPORTSBOOK", reason: "test" });
  const balance = (key: string) => createClient(WalletService, overGrpc(grpc, key)).getBalance({ sessionId: "none" });
  const session = (key: string) => createClient(SessionService, overGrpc(grpc, key)).getSession({ sessionId: "none" });

  const provider = await countRefusals(90, () => balance(wrongKey()));
  t.true((provider.RATE_LIMITED ?? 0) >= 10, JSON.stringify(provider));
  t.is(await refusalAfterBurst(() => balance(acme)), "SESSION_NOT_FOUND session_id");
  // A key for another API is a wrong key here. The sportsbook's API has its own limit, which has no failures so far.
  t.is(await refusalOf(session(acme)), "INVALID_API_KEY");
  const book = await countRefusals(90, () => session(acme));
  t.true((book.RATE_LIMITED ?? 0) >= 10, JSON.stringify(book));
  t.is(await refusalAfterBurst(() => session(sportsbook)), "SESSION_NOT_FOUND session_id");

  const metrics = await metricsOf(service);
  t.regex(metrics, /^aggregator_wrong_keys_total\{key_kind="provider"\} 90$/m);
  t.regex(metrics, /^aggregator_wrong_keys_total\{key_kind="sportsbook"\} 91$/m);
  t.regex(metrics, /^aggregator_alerts_total\{alert="wrong_keys"\} 2$/m);
});
