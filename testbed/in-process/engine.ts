import { type Callback, startWallet } from "../../sandbox/merchant/wallet.ts";
import { SystemClock } from "../../src/adapters/system/system-clock.ts";
import { SystemRandom } from "../../src/adapters/system/system-random.ts";
import { HttpWallet } from "../../src/adapters/wallet-http/http-wallet.ts";
import { WalletPermits } from "../../src/app/capacity/wallet-permits.ts";
import { Attempt } from "../../src/app/transaction/attempt.ts";
import { BatchedRows } from "../../src/app/transaction/batched-rows.ts";
import { Transact } from "../../src/app/transaction/transact.ts";
import type { Result } from "../../src/domain/errors.ts";
import type { Action, Answer, Content, Transaction } from "../../src/domain/transaction/transaction.ts";
import { type PlayerId, type ProviderCode, wireTxId } from "../../src/domain/values/identifiers.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { TransactionStore } from "../../src/ports/transactions/transaction-store.ts";
import type { WalletTarget } from "../../src/ports/wallet.ts";
import { MemoryTransactionStore } from "../memory/transaction-store.ts";
import { RecordedTelemetry } from "./recorded-telemetry.ts";

const PROVIDER = "ACME" as ProviderCode;
const SECRET = "sk_test_engine";

export interface EngineOptions {
  readonly walletTimeoutMs?: number;
  readonly quietPeriodMs?: number;
  readonly permitsPerMerchant?: number;
  readonly horizonMs?: number;
  /** The wallet to use instead of the reference wallet. */
  readonly walletUrl?: string;
  /** The clock of the service's classes; the system's by default. The store and the wallet keep real time. */
  readonly clock?: Clock;
}

/** The fields of a transaction that a test sets; the others have defaults. */
export interface TransactionFields {
  readonly amount?: bigint;
  readonly round?: string;
  readonly player?: string;
  /** Own id of the reversed transaction. */
  readonly ref?: string;
}

/** The use case of one transaction, with the in-memory store and a real wallet on a real socket. */
export async function startEngine({
  walletTimeoutMs = 2_500,
  quietPeriodMs = 100,
  permitsPerMerchant: perMerchant = 64,
  horizonMs = 3_600_000,
  walletUrl,
  clock = new SystemClock(),
}: EngineOptions = {}) {
  const callbacks: Callback[] = [];
  const contradicted: string[] = [];
  const wallet = await startWallet({ secretsOf: () => [SECRET], onCallback: (callback) => callbacks.push(callback) });
  wallet.ledger.addMerchant("shop", "BRL");
  wallet.ledger.addPlayer("shop", "ana", 10_000n);
  wallet.ledger.addPlayer("shop", "rui", 10_000n);
  const random = new SystemRandom();
  const telemetry = new RecordedTelemetry();
  /** The database's clock is ahead by this time, which a test can change. */
  const database = { aheadMs: 0 };
  const store = new MemoryTransactionStore(() => Date.now() + database.aheadMs);
  const http = new HttpWallet(clock, random, telemetry, {
    timeoutMs: walletTimeoutMs,
    allowHttp: true,
    allowPrivate: true,
  });

  /** The wallet's settings. A test may change them, as an administrator changes a merchant. */
  const target: { -readonly [field in keyof WalletTarget]: WalletTarget[field] } = {
    merchantId: 1,
    merchantCode: "shop",
    walletUrl: walletUrl ?? wallet.url,
    secret: SECRET,
    nextSecret: null,
    traceContext: false,
  };

  /** One replica with its own permits and runs. It uses the shared store, or `ownStore` when a test wraps the store. */
  const replica = (ownStore: TransactionStore = store) => {
    const rows = new BatchedRows(ownStore, clock);
    const permits = new WalletPermits(clock, telemetry, perMerchant);
    const attempt = new Attempt(
      rows,
      http,
      permits,
      { walletTarget: () => target },
      clock,
      random,
      telemetry,
      { walletTimeoutMs, horizonMs, quietPeriodMs },
      { changed: () => {} },
      ({ txId }) => contradicted.push(txId),
    );
    return {
      permits,
      transact: new Transact(rows, attempt, permits, clock, random, telemetry, { walletTimeoutMs, quietPeriodMs }),
    };
  };

  const content = (action: Action, id: string, fields: TransactionFields = {}): Content => ({
    merchantId: 1,
    txId: wireTxId(PROVIDER, id),
    action,
    playerId: (fields.player ?? "ana") as PlayerId,
    roundId: fields.round ?? "r1",
    amountMinor: fields.amount ?? 250n,
    currency: "BRL",
    game: { id: 1, code: "fruits", providerId: 1, provider: PROVIDER },
    refTxId: fields.ref === undefined ? null : wireTxId(PROVIDER, fields.ref),
  });
  const first = replica();
  const ask = (
    action: Action,
    id: string,
    fields: TransactionFields = {},
    waitMs = 5_000,
    on = first.transact,
  ): Promise<Result<Answer>> => on.run(content(action, id, fields), clock.monotonic() + waitMs);

  return {
    wallet,
    http,
    target,
    callbacks,
    /** The ids of the transactions that a late answer contradicted. */
    contradicted,
    telemetry,
    store,
    database,
    clock,
    replica,
    permits: first.permits,
    transact: first.transact,
    content,
    ask,
    /** `success`, `failed:CODE`, `pending`, or the refusal's code. */
    async request(action: Action, id: string, fields: TransactionFields = {}, waitMs = 5_000): Promise<string> {
      return outcomeText(await ask(action, id, fields, waitMs));
    },
    balance: (player = "ana") => wallet.ledger.balanceMinor("shop", player),
    /** The number of the wallet's calls for this id. */
    calls: (id: string) => callbacks.filter((callback) => JSON.parse(callback.body).tx_id === `ACME:${id}`).length,
    row: async (id: string): Promise<Transaction | undefined> =>
      (await store.read([content("bet", id)]))[0] as Transaction | undefined,
    async close() {
      http.close();
      await wallet.close();
    },
  };
}

export function outcomeText(result: Result<Answer>): string {
  if (!result.ok)
    return result.refusal.field === undefined ? result.refusal.code : `${result.refusal.code} ${result.refusal.field}`;
  return result.value.status === "failed" ? `failed:${result.value.error}` : result.value.status;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
