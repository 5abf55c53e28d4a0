import { openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { SqlTransactionReader } from "../../../src/adapters/sql/listings/transaction-reader.ts";
import { SqlGgrStore } from "../../../src/adapters/sql/reports/ggr-store.ts";
import { migrate } from "../../../src/adapters/sql/schema/migrate.ts";
import { SqlRoundStore } from "../../../src/adapters/sql/transactions/round-store.ts";
import { SqlTransactionStore } from "../../../src/adapters/sql/transactions/transaction-store.ts";
import { Transactions } from "../../../src/app/merchant/transactions.ts";
import { Rounds } from "../../../src/app/rounds/rounds.ts";
import { ResendTransaction } from "../../../src/app/transaction/resend-transaction.ts";
import type { ProviderCode } from "../../../src/domain/values/identifiers.ts";
import type { Merchant, SettingsWrite } from "../../../src/ports/settings-store.ts";
import { type RestTestOptions, type RestUnderTest, startRest } from "../../../testbed/callers/rest-server.ts";
import { addGames } from "../../../testbed/database/history.ts";
import { storedRow, storeRows } from "../../../testbed/database/stored-rows.ts";
import { gameRecord, merchantRecord, providerRecord } from "../../../testbed/directory/records.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";

/**
 * An API with merchants, providers and games for every answer of a launch. It also has a bet `NORTH:b1` and a failed
 * win `NORTH:w1` in round `r1`, and the open rounds `r1` and `r2`.
 */
export async function startStocked(
  t: Parameters<typeof startRest>[0],
  options: RestTestOptions = {},
): Promise<RestUnderTest> {
  const database = openDatabase("sqlite::memory:");
  await migrate(database);
  t.teardown(() => database.close());
  const [game] = await addGames(database);
  if (game === undefined) throw new Error("no game");
  const row = { merchantId: 1, providerId: game.providerId, gameId: game.id };
  await storeRows(database, [
    storedRow({ ...row, txId: "NORTH:b1" }),
    storedRow({ ...row, txId: "NORTH:w1", action: "win", status: "failed" }),
  ]);
  for (const [i, round_id] of ["r1", "r2"].entries())
    await database
      .knex("rounds")
      .insert({ merchant_id: 1, provider_id: game.providerId, round_id, opened_at: 1 + i, ended_at: null });
  const north = { ...providerRecord("NORTH", []), id: game.providerId, activeChangedAt: 0, endsRoundsSince: 0 };
  const reader = new SqlTransactionReader(database);
  const resend = new ResendTransaction(reader, new SqlTransactionStore(database), { changed: () => {} }, 0);
  const transactions = new Transactions(
    reader,
    resend,
    new Rounds(new SqlRoundStore(database), {
      provider: (code) => (code === north.code ? north : undefined),
      providers: () => [north],
      refresh: async () => true,
    }),
    new ManualClock(),
    new RecordedTelemetry(),
  );

  const rest = await startRest(t, { transactions, ggrStore: new SqlGgrStore(database), ...options });
  const merchant = (code: string, more: Partial<Merchant>): SettingsWrite => ({
    kind: "merchant",
    merchant: merchantRecord(code, more),
  });
  const games = (provider: string, ...records: ReturnType<typeof gameRecord>[]): SettingsWrite => ({
    kind: "games",
    provider: provider as ProviderCode,
    games: records,
  });
  for (const write of [
    merchant("no-wallet", { walletUrl: null }),
    merchant("live-only", { products: ["live"] }),
    merchant("suspended", { enabled: false }),
    merchant("elsewhere", { ipList: ["192.0.2.1"] }),
    { kind: "provider", provider: providerRecord("ACME", ["http://opens:1"]) },
    { kind: "provider", provider: providerRecord("OTHER", ["http://opens:2"]) },
    { kind: "provider", provider: providerRecord("BARE", []) },
    { kind: "provider", provider: providerRecord("BROKEN", ["http://fails:1"]) },
    games("ACME", gameRecord("fruits"), gameRecord("twice")),
    games("OTHER", gameRecord("twice")),
    games("BARE", gameRecord("bare")),
    games("BROKEN", gameRecord("broken")),
  ] satisfies readonly SettingsWrite[])
    await rest.store.save(write);
  await rest.settings.readForUnknown();
  return rest;
}
