/**
 * A program that makes one call with each client of the product to a server at 127.0.0.1 (argv: its HTTP port and its
 * gRPC port). Each name leads to an address of this machine. Prints one line for each client with how its call ended.
 */
import { createClient } from "@connectrpc/connect";
import { Hook } from "../../certify/provider/drive/hook.ts";
import { Source as CertifiedSource } from "../../certify/provider/source.ts";
import { Wallet as CertifiedWallet } from "../../certify/wallet/calls/wallet.ts";
import { getSigned } from "../../reconcile/api.ts";
import { WalletClient } from "../../sandbox/provider/wallet-client.ts";
import { SportsbookClient } from "../../sandbox/sportsbook/service-client.ts";
import { OtlpTracing } from "../../src/adapters/otlp/otlp-tracing.ts";
import { GrpcGameLauncher } from "../../src/adapters/provider-grpc/grpc-game-launcher.ts";
import { SystemClock } from "../../src/adapters/system/system-clock.ts";
import { SystemRandom } from "../../src/adapters/system/system-random.ts";
import { HttpWallet } from "../../src/adapters/wallet-http/http-wallet.ts";
import { connect } from "../../src/cli/service/connection.ts";
import { BrandAdminService } from "../../src/gen/aggregator/admin/v1/brand_admin_service_pb.ts";
import { setUpSandbox } from "../../src/sandbox-set-up.ts";
import { RecordedTelemetry } from "../../testbed/in-process/recorded-telemetry.ts";
import { bet, target } from "../adapters/wallet-http/wallet-fixture.ts";

const [http = "", grpc = ""] = process.argv.slice(2);
const url = `http://127.0.0.1:${http}`;
const clock = new SystemClock();

const launcher = new GrpcGameLauncher(clock, { allowPrivate: true });
const wallet = new HttpWallet(clock, new SystemRandom(), new RecordedTelemetry(), {
  timeoutMs: 5_000,
  allowHttp: true,
  allowPrivate: true,
});
const game = {
  sessionId: "s",
  playerRef: "p",
  gameCode: "g",
  currency: "BRL" as const,
  language: "pt",
  country: "BR",
  demo: false,
  merchant: "m",
  brand: "b",
  jurisdiction: null,
  lobbyUrl: null,
  playerIp: null,
  device: null,
  depositUrl: null,
  historyUrl: null,
  displayName: null,
};
const session = { id: "s", player: { ref: "p" }, game: "g", currency: "BRL", demo: false } as never;

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  "wallet calls": () => wallet.send(target(`${url}/wallet`), bet(), 1),
  "sources of providers": () =>
    launcher.open({ address: `http://localhost:${grpc}`, deadlineMs: 3_000, enabled: true }, game, 3_000),
  traces: async () => {
    const options = { endpoint: url, headers: {}, serviceName: "t", instanceId: "i", ratio: 1 };
    const tracing = new OtlpTracing(options, () => undefined);
    tracing.request("bet", null)?.end(false, {});
    await tracing.stop();
  },
  "the command line": () =>
    createClient(BrandAdminService, connect({ ADMIN_URL: url, ADMIN_KEY: "k".repeat(20) })).listBrands({}),
  "the sandbox's set-up": () => setUpSandbox(url, "k", { sites: [], currencies: [], games: "[]" } as never),
  "the sandbox's provider": () => new WalletClient(`localhost:${grpc}`, "k").call("GetBalance", { session_id: "s" }),
  "the sandbox's sportsbook": () => new SportsbookClient(`localhost:${grpc}`, "k").getSession("s"),
  reconcile: () => getSigned({ apiUrl: url, merchant: "m", secret: "s" }, "/v1/merchant"),
  "certify-provider, the source": () => new CertifiedSource(new URL(`http://127.0.0.1:${grpc}`)).open(session, "pt"),
  "certify-provider, the hook": () =>
    new Hook(new URL(`${url}/hook`), 1, 3_000).spin({ case: "c", session, launchUrl: "https://a.example/" } as never),
  "certify-wallet": () =>
    new CertifiedWallet(new URL(`${url}/certified`), 1).send({
      account: { code: "m", secret: "s", secretName: "SECRET", currency: "BRL" },
      fields: { action: "balance", player_id: "p", currency: "BRL", provider: "P", game: "g" },
    }),
};

await Promise.all(
  Object.entries(CALLS).map(async ([name, call]) => {
    const end = await call().then(
      () => "answered",
      (error: Error) => error.message,
    );
    console.log(`${name}: ${end}`);
  }),
);
// This one call of a client that is not ours shows that the variables have an effect.
await fetch(`${url}/control`).catch(() => undefined);
process.exit();
