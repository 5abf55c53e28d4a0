/** A request checks only once whether the settings are fresh: its authentication checks this for all later steps. */
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import test from "ava";
import { Settings } from "../../../src/app/runtime/settings.ts";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { BetService } from "../../../src/gen/aggregator/sportsbook/v1/bet_service_pb.ts";
import { SessionService } from "../../../src/gen/aggregator/sportsbook/v1/session_service_pb.ts";
import { TransactionStatus } from "../../../src/gen/aggregator/sportsbook/v1/transaction_status_pb.ts";
import { adminOf, operatorOf, refusalOf, startReplica, withKey } from "../../../testbed/callers/administration.ts";
import { pause } from "../../../testbed/in-process/engine.ts";

/**
 * The answer of `call`, and the number of its checks that find the settings fresh. Checks that find them stale do not
 * count, because such a replica checks again after its read. A call that a busy machine refuses is made again.
 */
async function checksOf(call: () => Promise<unknown>): Promise<readonly [answer: unknown, checks: number]> {
  const { isFresh } = Settings.prototype;
  let checks = 0;
  Settings.prototype.isFresh = function () {
    const fresh = isFresh.call(this);
    if (fresh) checks += 1;
    return fresh;
  };
  try {
    for (;;) {
      checks = 0;
      const answer = await call();
      if (answer !== "OVERLOADED") return [answer, checks];
      await pause(100);
    }
  } finally {
    Settings.prototype.isFresh = isFresh;
  }
}

test.serial(
  "a bet, a balance query, a slip of free bets and a call of the administration each check once that the settings are fresh",
  async (t) => {
    const service = await startReplica(t, "sqlite::memory:", {
      SPORTSBOOK_URL: "https://sportsbook.example",
      WALLET_ALLOW_HTTP: "true",
      WALLET_ALLOW_PRIVATE: "true",
    });
    const { brands, merchants, providers } = adminOf(service);
    await brands.createBrand({ code: "house" });
    await merchants.createMerchant({
      code: "shop",
      brand: "house",
      currency: "BRL",
      products: ["sportsbook"],
      walletUrl: "http://127.0.0.1:9/wallet",
    });
    const { key: providerKey } = await providers.createProvider({ code: "ACME" });
    const { key: sportsbookKey } = await providers.rotateProviderKey({ code: "SPORTSBOOK", reason: "test" });
    const grpc = (key: string) =>
      createGrpcTransport({ baseUrl: `http://127.0.0.1:${service.ports.grpc}`, interceptors: [withKey(key)] });

    const wallet = createClient(WalletService, grpc(providerKey));
    const unknown = { sessionId: "0".repeat(32), txId: "b1", roundId: "r1", amountMinor: 0n, currency: "BRL" };
    const notFound = ["SESSION_NOT_FOUND session_id", 1] as const;
    t.deepEqual(await checksOf(() => refusalOf(wallet.placeBet(unknown))), notFound);
    t.deepEqual(await checksOf(() => refusalOf(wallet.getBalance(unknown))), notFound);

    const launched = await operatorOf(service).launches.launchGame({
      merchant: "shop",
      playerId: "ana",
      game: "sportsbook",
      currency: "BRL",
    });
    const token = new URL(launched.launchUrl).searchParams.get("jwt") ?? "";
    const { sessionId } = await createClient(SessionService, grpc(sportsbookKey)).exchangeToken({ token });
    const bets = createClient(BetService, grpc(sportsbookKey));
    const free = { sessionId, slipId: "s1", bets: [{ txId: "b1", roundId: "r1", amountMinor: 0n }], currency: "BRL" };
    const placed = async () => {
      const slip = bets.placeBetslip(free);
      return slip.then(
        ({ status }) => status,
        () => refusalOf(slip),
      );
    };
    t.deepEqual(await checksOf(placed), [TransactionStatus.SUCCESS, 1]);

    t.is((await checksOf(() => brands.listBrands({})))[1], 1);
  },
);
