/** The operations on transactions, over a real socket. The database is in memory, and a test writes its rows. */
import type { ExecutionContext } from "ava";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { SqlTransactionReader } from "../../../../src/adapters/sql/listings/transaction-reader.ts";
import { migrate } from "../../../../src/adapters/sql/schema/migrate.ts";
import { SqlRoundStore } from "../../../../src/adapters/sql/transactions/round-store.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { SystemClock } from "../../../../src/adapters/system/system-clock.ts";
import { Transactions } from "../../../../src/app/merchant/transactions.ts";
import { Rounds } from "../../../../src/app/rounds/rounds.ts";
import { ResendTransaction } from "../../../../src/app/transaction/resend-transaction.ts";
import type { TransactionReader } from "../../../../src/ports/transactions/transaction-reader.ts";
import { dataOf, errorOf, startRest } from "../../../../testbed/callers/rest-server.ts";
import { type StoredRow, storedRow, storeRows } from "../../../../testbed/database/stored-rows.ts";
import { merchantRecord, providerRecord } from "../../../../testbed/directory/records.ts";
import { RecordedTelemetry } from "../../../../testbed/in-process/recorded-telemetry.ts";
import { MemorySettingsStore } from "../../../../testbed/memory/settings-store.ts";

export type Item = Readonly<Record<string, unknown>> & { readonly tx_id: string };
export interface Listed {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
  readonly behind_ms?: number;
}

/** @param around - wraps the real reader. */
export async function startTransactions(
  t: ExecutionContext,
  around: (reader: TransactionReader) => TransactionReader = (reader) => reader,
) {
  const database = openDatabase("sqlite::memory:");
  await migrate(database);
  await database.knex("providers").insert({ code: "ACME", name: "Acme", active: 1, epoch: 1 });
  const provider = await database.knex("providers").where({ code: "ACME" }).first("id");
  const game = { name: "", type: 1, demo_available: 1, active: 1, details: "{}", updated_at: 0, epoch: 1 };
  await database.knex("games").insert({ ...game, provider_id: provider.id, code: "fruits" });
  const { id } = await database.knex("games").where({ code: "fruits" }).first("id");

  const clock = new SystemClock();
  const telemetry = new RecordedTelemetry();
  const settings = new MemorySettingsStore(clock);
  for (const code of ["casa-br", "casa-cl"])
    await settings.save({
      kind: "merchant",
      merchant: merchantRecord(code, code === "casa-cl" ? { currency: "CLP" } : {}),
    });
  const { merchants } = await settings.load(0n);
  const merchantId = merchants.find(({ code }) => code === "casa-br")?.id ?? 0;

  const reader = around(new SqlTransactionReader(database));
  const changed: number[] = [];
  const resend = new ResendTransaction(
    reader,
    new SqlTransactionStore(database),
    { changed: (merchant) => void changed.push(merchant) },
    0,
  );
  const roundStore = new SqlRoundStore(database);
  const acme = {
    ...providerRecord("ACME", []),
    id: Number(provider.id),
    activeChangedAt: 0,
    // It has ended rounds for an hour.
    endsRoundsSince: Date.now() - 3_600_000,
  };
  // A replica learns of a new provider when it reads its settings again.
  let isKnown = false;
  const rounds = new Rounds(roundStore, {
    provider: (code) => (code === acme.code ? acme : undefined),
    providers: () => (isKnown ? [acme] : []),
    refresh: async () => (isKnown = true),
  });
  const rest = await startRest(t, {
    store: settings,
    transactions: new Transactions(reader, resend, rounds, clock, telemetry),
  });
  t.teardown(() => database.close());

  const row = (own: string, more: Partial<StoredRow> = {}): StoredRow =>
    storedRow({
      merchantId,
      txId: `ACME:${own}`,
      providerId: Number(provider.id),
      gameId: Number(id),
      createdAt: Date.now() - 60_000,
      ...more,
    });
  const get = (target: string, merchant = "casa-br") => rest.send({ target: `/v1/${target}`, merchant });
  return {
    ...rest,
    database,
    merchantId,
    acme,
    rounds: roundStore,
    /** The telemetry of the transactions' streams. */
    streamTelemetry: telemetry,
    changed,
    row,
    store: (rows: readonly StoredRow[]) => storeRows(database, rows),
    get,
    list: async (query = "") => dataOf(await get(`transactions${query}`)) as unknown as Listed,
    ids: async (query = "") =>
      (dataOf(await get(`transactions${query}`)) as unknown as Listed).items.map(({ tx_id }) =>
        tx_id.replace("ACME:", ""),
      ),
    /** The fields in the faults of a VALIDATION_ERROR; for another error only its code. */
    faults: async (target: string) => {
      const { code, details } = errorOf(await get(target));
      return code === "VALIDATION_ERROR" ? (details as { field: string }[]).map(({ field }) => field) : [code];
    },
  };
}
