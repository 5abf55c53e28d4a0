/** The transactions of the service whose statements come one by one, because later ones need the results of earlier ones. */
import type { Database } from "../../../src/adapters/sql/connection/database.ts";
import { SqlStuckNotes } from "../../../src/adapters/sql/reports/stuck-notes.ts";
import { SqlAdminStore } from "../../../src/adapters/sql/settings/admin-store.ts";
import { changeWithAudit } from "../../../src/adapters/sql/settings/audit-rows.ts";
import { SecretBox } from "../../../src/adapters/sql/settings/secret-box.ts";
import { SqlSettingsStore } from "../../../src/adapters/sql/settings/settings-store.ts";
import { SqlTransactionStore } from "../../../src/adapters/sql/transactions/transaction-store.ts";
import { SqlTransactionSupport } from "../../../src/adapters/sql/transactions/transaction-support.ts";
import type { PlayerId, ProviderCode, TxId } from "../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import type { NewAuditEntry } from "../../../src/ports/admin-store.ts";
import { StoreFault } from "../../../src/ports/transactions/transaction-store.ts";

export interface Interactive {
  readonly name: string;
  /** A text of a statement of the transaction, but not of its last one. After this statement it holds a lock. */
  readonly inside: string;
  /** Prepares it. The function that is returned runs it. */
  begin(database: Database): Promise<() => Promise<unknown>>;
}

/** No merchant of a test has this number. */
export const NOBODY = 900_001;

const box = new SecretBox([Buffer.alloc(32, 7)]);
const audit: NewAuditEntry = { actor: "maria", action: "test", target: "all", reason: null, changes: [] };

/** A pending bet whose lease is over. */
async function deadBet(database: Database) {
  const game = await database
    .knex("games")
    .join("providers", "providers.id", "games.provider_id")
    .first("games.id", "games.code", "provider_id", "providers.code AS provider");
  const store = new SqlTransactionStore(database);
  const content = {
    merchantId: NOBODY,
    txId: `${game.provider}:resolved` as TxId,
    action: "bet",
    playerId: "ana" as PlayerId,
    roundId: "round",
    amountMinor: 250n,
    currency: "BRL",
    game: {
      id: Number(game.id),
      code: String(game.code),
      providerId: Number(game.provider_id),
      provider: game.provider as ProviderCode,
    },
    refTxId: null,
  } as const;
  await store.claim([{ content, token: "e".repeat(32), as: "leased", leaseMs: wholeMs(1) }]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const [row] = await store.read([content]);
  if (row === undefined || row instanceof StoreFault) throw new Error("no row");
  return row;
}

export const INTERACTIVE: readonly Interactive[] = [
  {
    name: "a change by an administrator",
    inside: "settings_epoch",
    begin: async (database) => () =>
      new SqlAdminStore(database, box).change({}, () => ({
        ok: true,
        value: { writes: [], audit: [audit], value: null },
      })),
  },
  {
    name: "an entry of the audit log",
    inside: "INSERT INTO audit",
    begin: async (database) => () => new SqlAdminStore(database, box).record(audit),
  },
  {
    name: "a write of the settings",
    inside: "settings_epoch",
    begin: async (database) => {
      const { code } = await database.knex("providers").first("code");
      return () => new SqlSettingsStore(database, box).save({ kind: "games", provider: code, games: [] });
    },
  },
  {
    name: "a change with its audit entry",
    inside: "UPDATE settings_epoch",
    begin: async (database) => () =>
      changeWithAudit(database, { sql: "UPDATE settings_epoch SET epoch = epoch + 1", bindings: [] }, audit),
  },
  {
    name: "a transaction that support resolves",
    inside: "UPDATE (SELECT",
    begin: async (database) => {
      const row = await deadBet(database);
      const state = { status: "success", balanceMinor: null } as const;
      const change = { state, resolvedBy: "manual", silent: false, next: null } as const;
      const line = { key: row, seen: row, token: "f".repeat(32), horizonMs: wholeMs(0), change };
      return () => new SqlTransactionSupport(database).resolve(line, audit);
    },
  },
  {
    name: "the search for stuck money",
    inside: "UPDATE feed_head SET stuck_seq",
    begin: async (database) => async () => {
      // A replica's own search would find this row soon.
      await database.knex("feed_head").insert({ merchant_id: NOBODY, seq: 5, stuck_seq: null });
      return new SqlStuckNotes(database).catchUp();
    },
  },
];
