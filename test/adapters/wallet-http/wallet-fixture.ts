import type { ExecutionContext } from "ava";
import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import { SystemRandom } from "../../../src/adapters/system/system-random.ts";
import type { HttpWalletOptions } from "../../../src/adapters/wallet-http/connector.ts";
import { HttpWallet } from "../../../src/adapters/wallet-http/http-wallet.ts";
import type { Content } from "../../../src/domain/transaction/transaction.ts";
import type { PlayerId, ProviderCode, TxId } from "../../../src/domain/values/identifiers.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Random } from "../../../src/ports/random.ts";
import type { BalanceQuery, WalletTarget } from "../../../src/ports/wallet.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";
import { type RawServer, reply, startRawServer } from "./raw-server.ts";

/** The client that the tests of this process call wallets with: undici for `with-undici.test.ts`. */
export const CLIENT = process.env.TEST_WALLET_HTTP_CLIENT === "undici" ? "undici" : "own";

export const SECRET = "whsec_example_not_a_real_secret";

/** A wallet client for development addresses, closed when the test ends. */
export function makeWallet(
  t: { teardown(run: () => void): void },
  options: Partial<HttpWalletOptions> = {},
  clock: Clock = new SystemClock(),
  random: Random = new SystemRandom(),
): { wallet: HttpWallet; telemetry: RecordedTelemetry } {
  const telemetry = new RecordedTelemetry();
  const wallet = new HttpWallet(clock, random, telemetry, {
    client: CLIENT,
    timeoutMs: 5_000,
    allowHttp: true,
    allowPrivate: true,
    ...options,
  });
  t.teardown(() => wallet.close());
  return { wallet, telemetry };
}

export const target = (walletUrl: string | null, merchantId = 7): WalletTarget => ({
  merchantId,
  merchantCode: `shop-${merchantId}`,
  walletUrl,
  secret: SECRET,
  nextSecret: null,
  traceContext: false,
});

export const bet = (fields: Partial<Content> = {}): Content => ({
  merchantId: 7,
  txId: "ACME:t-1" as TxId,
  action: "bet",
  playerId: "u-1" as PlayerId,
  roundId: "r-1",
  amountMinor: 250n,
  currency: "BRL",
  game: { id: 1, code: "book-of-x", providerId: 1, provider: "ACME" as ProviderCode },
  refTxId: null,
  ...fields,
});

export const query = (fields: Partial<BalanceQuery> = {}): BalanceQuery => ({
  playerId: "u-1" as PlayerId,
  currency: "BRL",
  provider: "ACME" as ProviderCode,
  game: "book-of-x",
  ...fields,
});

export const OK = reply(200, '{"ok":true,"balance":97.5}');

export async function serve(t: ExecutionContext, respond: Parameters<typeof startRawServer>[0]): Promise<RawServer> {
  const server = await startRawServer(respond);
  t.teardown(() => server.close());
  return server;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function until(t: ExecutionContext, what: string, holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds() && waited < 60_000; waited += 10) await pause(10);
  t.true(holds(), what);
}

export function header(request: string | undefined, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)\r$`, "im").exec(request ?? "")?.[1];
}
