import { randomBytes } from "node:crypto";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { SqlTransactionStore } from "../../src/adapters/sql/transactions/transaction-store.ts";
import type { GameRef } from "../../src/domain/transaction/transaction.ts";
import type { PlayerId, ProviderCode, TxId } from "../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";
import type { ClaimLine } from "../../src/ports/transactions/transaction-store.ts";
import type { BenchMerchant } from "../../testbed/directory/directory.ts";

/** The number of bets that share a statement when 64 bets are in flight. */
const BATCH = 13;
const LEASE_MS = 15_000;
/** The number of statements at a time. */
const CONCURRENT = 2;

/** Bets that the store itself claims and settles per second, in statements of 13 rows of several merchants. */
export async function claimsAndSettles(
  databaseUrl: string,
  merchants: readonly BenchMerchant[],
  provider: string,
  seconds: number,
): Promise<number> {
  const database = openDatabase(databaseUrl);
  try {
    const store = new SqlTransactionStore(database);
    const row = await database
      .knex("games")
      .join("providers", "providers.id", "games.provider_id")
      .where("providers.code", provider)
      .first("games.id", "games.code", "games.provider_id");
    const game: GameRef = {
      id: Number(row.id),
      code: row.code,
      providerId: Number(row.provider_id),
      provider: provider as ProviderCode,
    };
    const until = performance.now() + seconds * 1_000;
    const beganAt = performance.now();
    let settled = 0;
    const work = async (): Promise<void> => {
      while (performance.now() < until) settled += await claimAndSettle(store, merchants, game);
    };
    await Promise.all(Array.from({ length: CONCURRENT }, work));
    return (settled * 1_000) / (performance.now() - beganAt);
  } finally {
    await database.close();
  }
}

async function claimAndSettle(
  store: SqlTransactionStore,
  merchants: readonly BenchMerchant[],
  game: GameRef,
): Promise<number> {
  const lines = Array.from({ length: BATCH }, (_, i): ClaimLine => {
    const own = randomBytes(12).toString("hex");
    const content = {
      merchantId: merchants[i % merchants.length]?.id ?? 0,
      txId: `${game.provider}:${own}` as TxId,
      playerId: `u-${i}` as PlayerId,
      roundId: `r-${own}`,
      action: "bet" as const,
      amountMinor: 250n,
      currency: "BRL" as const,
      game,
      refTxId: null,
    };
    return { content, token: randomBytes(16).toString("hex"), as: "leased", leaseMs: wholeMs(LEASE_MS) };
  });
  await store.claim(lines);
  const change = {
    state: { status: "success", balanceMinor: 100_000n },
    resolvedBy: null,
    silent: false,
    next: null,
  } as const;
  const attempt = {
    n: 1,
    durationMs: wholeMs(100),
    httpStatus: 200,
    result: "accepted",
    requestId: "8feb8173-55ac-4c61-84b3-2654d0c2dc13",
  } as const;
  const done = await store.settle(
    lines.map(({ content, token }) => ({
      key: content,
      token,
      change,
      attempt: { ...attempt, at: wholeMs(Date.now()) },
    })),
  );
  if (!done.every((one) => one === true)) throw new Error("a settle did not apply");
  return lines.length;
}
