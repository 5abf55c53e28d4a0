import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LedgerRules } from "../../sandbox/merchant/ledger.ts";
import { type Database, openDatabase } from "../../src/adapters/sql/connection/database.ts";
import type { Action, Content, GameRef } from "../../src/domain/transaction/transaction.ts";
import { type PlayerId, type ProviderCode, wireTxId } from "../../src/domain/values/identifiers.ts";
import { type BenchMerchant, type Directory, sessionIds } from "../directory/directory.ts";
import { invent, seed } from "../directory/seed.ts";
import { History } from "../provider/history-file.ts";
import { Provider } from "../provider/provider.ts";
import { Replica } from "../service/replica.ts";
import { ReferenceWallet } from "../wallet/reference-wallet.ts";

export interface InstallationOptions {
  /** An empty database; through which proxy ever the service is to see it. */
  readonly databaseUrl: string;
  /** The same database for the rig's own eyes; `databaseUrl` when it isn't said. */
  readonly ownDatabaseUrl?: string;
  /** A merchant stands aside when its wallet is silent ten times in a row: with many of them, none does. */
  readonly merchants?: number;
  readonly sessionsEach?: number;
  readonly rules?: Partial<LedgerRules>;
  /** Of every replica, beside {@link QUICK}. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What takes seconds and minutes in production takes a fraction of it: a lease 1.3 s, the quiet period 4 s, the first resend 50 ms. */
const QUICK = {
  WALLET_TIMEOUT_MS: "600",
  LEASE_MARGIN_MS: "700",
  RESEND_FIRST_DELAY_MS: "50",
  REFUND_QUIET_PERIOD_MS: "4000",
} as const;

const OPENING_MINOR = 100_000_000n;
const CONNECTIONS = { max: 4, decisiveMax: 2 };

/** Somebody who plays. */
export interface Player {
  readonly merchant: BenchMerchant;
  readonly playerId: string;
  readonly sessionId: string;
}

/** Real processes around one database: a wallet, a provider, and as many replicas of the service as are started. All end with {@link close}. */
export class Installation {
  readonly wallet: ReferenceWallet;
  readonly history: History;
  readonly provider: Provider;
  readonly directory: Directory;
  readonly database: Database;
  readonly seats: readonly Player[];
  /** For logs and records; removed at the end. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #game: GameRef;
  readonly #replicas: Replica[] = [];
  #closed: Promise<void> | undefined;

  private constructor(folder: string, wallet: ReferenceWallet, directory: Directory, database: Database, game: GameRef, env: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.wallet = wallet;
    this.directory = directory;
    this.database = database;
    this.#game = game;
    this.env = env;
    process.once("exit", this.#remove);
    this.history = new History(join(folder, "history.jsonl"));
    this.provider = new Provider(directory.apiKey, this.history);
    const seats = directory.merchants.flatMap((merchant) =>
      merchant.sessions.map(({ id, playerId }): [string, Player] => [id, { merchant, playerId, sessionId: id }]),
    );
    const byId = new Map(seats);
    this.seats = sessionIds(directory.merchants).map((id) => byId.get(id) as Player);
  }

  static async open(options: InstallationOptions): Promise<Installation> {
    const folder = mkdtempSync(join(tmpdir(), "rig-"));
    mkdirSync(folder, { recursive: true });
    const wallet = await ReferenceWallet.start(folder);
    const directory = invent([{ merchants: options.merchants ?? 8, sessionsEach: options.sessionsEach ?? 2, walletUrl: wallet.url }]);
    const masterKey = randomBytes(32);
    const ownUrl = options.ownDatabaseUrl ?? options.databaseUrl;
    await seed(ownUrl, masterKey, directory);
    const merchants = directory.merchants.map(({ code, secret, sessions }) => ({
      code,
      secret,
      currency: "BRL" as const,
      players: sessions.map((one) => one.playerId),
    }));
    await wallet.open(merchants, OPENING_MINOR, options.rules);
    const database = openDatabase(ownUrl, CONNECTIONS);
    const env = {
      ...{ ENVIRONMENT: "development", HOST: "127.0.0.1", DATABASE_URL: options.databaseUrl, MASTER_KEY: masterKey.toString("base64") },
      ...{ JWT_KEY: randomBytes(32).toString("base64"), WALLET_ALLOW_HTTP: "true", WALLET_ALLOW_PRIVATE: "true" },
      ...QUICK,
      ...options.env,
    };
    return new Installation(folder, wallet, directory, database, await gameOf(database, directory), env);
  }

  /** One more process of the service. @param env - of it alone, `GAS_FAILPOINTS` for example. */
  async startReplica(env: Readonly<Record<string, string>> = {}): Promise<Replica> {
    const replica = await Replica.start({ ...this.env, ...env });
    this.#replicas.push(replica);
    return replica;
  }

  /** A transaction of somebody. @param own - the provider's own id. @param refOwn - that of the reversed one. */
  content(seat: Player, action: Action, own: string, refOwn: string | null = null, amountMinor = 250n): Content {
    const provider = this.directory.provider as ProviderCode;
    return {
      merchantId: seat.merchant.id,
      txId: wireTxId(provider, own),
      action,
      playerId: seat.playerId as PlayerId,
      roundId: `round ${refOwn ?? own}`,
      amountMinor,
      currency: this.directory.currency,
      game: this.#game,
      refTxId: refOwn === null ? null : wireTxId(provider, refOwn),
    };
  }

  /** Ends every process and removes the folder. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.provider.close();
    this.history.close();
    await Promise.all(this.#replicas.map((replica) => replica.stop()));
    await this.wallet.stop();
    await this.database.close();
    process.off("exit", this.#remove);
    this.#remove();
  }

  readonly #remove = (): void => rmSync(this.folder, { recursive: true, force: true });
}

/** A game that is stored, by its codes. */
export async function gameOf({ knex }: Database, { provider, game }: Pick<Directory, "provider" | "game">): Promise<GameRef> {
  const row = await knex("games")
    .join("providers", "providers.id", "games.provider_id")
    .where({ "providers.code": provider, "games.code": game })
    .first("games.id", "provider_id");
  return { id: Number(row?.id), code: game, providerId: Number(row?.provider_id), provider: provider as ProviderCode };
}
