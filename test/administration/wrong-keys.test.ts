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

/** The limit of wrong keys of one address: so many at once, and one more each second. */
const BURST = 60;

/** Sends many calls at once and counts their refusals. */
async function countRefusals(times: number, call: () => Promise<unknown>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const refusal of await Promise.all(Array.from({ length: times }, () => refusalOf(call()))))
    counts[refusal] = (counts[refusal] ?? 0) + 1;
  return counts;
}

/** Sends 60 calls at once, again and again until some of them are above the limit, and counts their refusals. */
async function untilLimited(call: () => Promise<unknown>): Promise<{ wrong: number; limited: number }> {
  for (let wrong = 0; ; ) {
    const counts = await countRefusals(BURST, call);
    wrong += counts.INVALID_API_KEY ?? 0;
    const limited = counts.RATE_LIMITED ?? 0;
    if (wrong + limited === 0) throw new Error(JSON.stringify(counts));
    if (limited > 0) return { wrong, limited };
  }
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
  const begun = performance.now();
  const connect = await countRefusals(40, () =>
    createClient(BrandAdminService, overConnect(internalHttp, guess())).listBrands({}),
  );
  t.deepEqual(connect, { INVALID_API_KEY: 40 });
  let exhausted = 0;
  const grpc = await untilLimited(async () => {
    try {
      await createClient(BrandAdminService, overGrpc(internalGrpc, guess())).listBrands({});
    } catch (error) {
      if (ConnectError.from(error).code === Code.ResourceExhausted) exhausted += 1;
      throw error;
    }
  });
  const allowed = BURST + (performance.now() - begun) / 1_000;
  t.true(40 + grpc.wrong <= allowed, `40 and ${grpc.wrong} of ${allowed}`);
  t.is(40 + grpc.wrong + grpc.limited, tries.length);
  t.is(exhausted, grpc.limited);

  await adminOf(service).brands.createBrand({ code: "house" });
  await createClient(BrandAdminService, overGrpc(internalGrpc, ADMIN_KEY)).listBrands({});

  const metrics = await metricsOf(service);
  t.regex(metrics, new RegExp(`^aggregator_wrong_keys_total\\{key_kind="admin"\\} ${tries.length}$`, "m"));
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

  const provider = await untilLimited(() => balance(wrongKey()));
  t.is(await refusalAfterBurst(() => balance(acme)), "SESSION_NOT_FOUND session_id");
  // A key for another API is a wrong key here. The sportsbook's API has its own limit, which has no failures so far.
  t.is(await refusalOf(session(acme)), "INVALID_API_KEY");
  const book = await untilLimited(() => session(acme));
  t.is(await refusalAfterBurst(() => session(sportsbook)), "SESSION_NOT_FOUND session_id");

  const metrics = await metricsOf(service);
  for (const [kind, count] of [
    ["provider", provider.wrong + provider.limited],
    ["sportsbook", 1 + book.wrong + book.limited],
  ] as const)
    t.regex(metrics, new RegExp(`^aggregator_wrong_keys_total\\{key_kind="${kind}"\\} ${count}$`, "m"));
  t.regex(metrics, /^aggregator_alerts_total\{alert="wrong_keys"\} 2$/m);
});
