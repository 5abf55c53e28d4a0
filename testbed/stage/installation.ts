import { join } from "node:path";
import type { LedgerRules } from "../../sandbox/merchant/ledger.ts";
import type { Database } from "../../src/adapters/sql/connection/database.ts";
import type { Action, Content, GameRef } from "../../src/domain/transaction/transaction.ts";
import { type PlayerId, type ProviderCode, wireTxId } from "../../src/domain/values/identifiers.ts";
import type { SettingsStore } from "../../src/ports/settings-store.ts";
import { type BenchMerchant, type Directory, sessionIds } from "../directory/directory.ts";
import { invent, seedDirectory } from "../directory/seed.ts";
import { History } from "../provider/history-file.ts";
import { Provider } from "../provider/provider.ts";
import type { Release, Replica } from "../service/replica.ts";
import { ReferenceWallet } from "../wallet/reference-wallet.ts";
import { Deployment, type DeploymentOptions } from "./deployment.ts";

export interface InstallationOptions extends DeploymentOptions {
  readonly databaseUrl: string;
  /**
   * The number of merchants, 8 by default. The service limits a merchant whose wallet is silent ten times in a row.
   * With many merchants this does not happen.
   */
  readonly merchants?: number;
  /** The number of sessions of each merchant, 2 by default. */
  readonly sessionsEach?: number;
  /** Stores merchants and sessions in the migrated database. By default the stores of this release do. */
  readonly setUp?: (deployment: Deployment, walletUrl: string) => Promise<Directory>;
  /** The wallet's differences from docs/specification/wallet-contract.md. */
  readonly rules?: Partial<LedgerRules>;
}

/** Shorter times than in production: a lease of 1.3 s, a quiet period of 4 s, the first resend after 50 ms. */
const QUICK = {
  WALLET_TIMEOUT_MS: "600",
  LEASE_MARGIN_MS: "700",
  RESEND_FIRST_DELAY_MS: "50",
  REFUND_QUIET_PERIOD_MS: "4000",
} as const;

const OPENING_MINOR = 100_000_000n;

/** A player with a session. */
export interface Player {
  readonly merchant: BenchMerchant;
  readonly playerId: string;
  readonly sessionId: string;
}

/**
 * Real processes around one database: a wallet, a provider, and any number of replicas of the service. {@link close}
 * ends all of them.
 */
export class Installation {
  readonly wallet: ReferenceWallet;
  readonly history: History;
  readonly provider: Provider;
  readonly directory: Directory;
  readonly players: readonly Player[];
  readonly #deployment: Deployment;
  readonly #game: GameRef;
  #closed: Promise<void> | undefined;

  private constructor(deployment: Deployment, wallet: ReferenceWallet, directory: Directory, game: GameRef) {
    this.#deployment = deployment;
    this.wallet = wallet;
    this.directory = directory;
    this.#game = game;
    this.history = new History(join(deployment.folder, "history.jsonl"));
    this.provider = new Provider(directory.apiKey, this.history);
    const players = directory.merchants.flatMap((merchant) =>
      merchant.sessions.map(({ id, playerId }): [string, Player] => [id, { merchant, playerId, sessionId: id }]),
    );
    const byId = new Map(players);
    this.players = sessionIds(directory.merchants).map((id) => byId.get(id) as Player);
  }

  static async open(options: InstallationOptions): Promise<Installation> {
    const deployment = await Deployment.open({ ...options, env: { ...QUICK, ...options.env } });
    const wallet = await ReferenceWallet.start(deployment.folder);
    const { merchants: count = 8, sessionsEach = 2, setUp } = options;
    const seeded = async (): Promise<Directory> => {
      const invented = invent([{ merchants: count, sessionsEach, walletUrl: wallet.url }]);
      await seedDirectory(deployment.database, deployment.settings, invented);
      return invented;
    };
    const directory = await (setUp?.(deployment, wallet.url) ?? seeded());
    const merchants = directory.merchants.map(({ code, secret, sessions }) => ({
      code,
      secret,
      currency: "BRL" as const,
      players: sessions.map((one) => one.playerId),
    }));
    await wallet.open(merchants, OPENING_MINOR, options.rules);
    return new Installation(deployment, wallet, directory, await gameOf(deployment.database, directory));
  }

  get database(): Database {
    return this.#deployment.database;
  }

  get settings(): SettingsStore {
    return this.#deployment.settings;
  }

  /** The folder for logs and records. It is removed at the end. */
  get folder(): string {
    return this.#deployment.folder;
  }

  /**
   * Starts one more process of the service.
   *
   * @param env - variables for this process only, for example `GAS_FAILPOINTS`.
   */
  startReplica(env: Readonly<Record<string, string>> = {}, release?: Release): Promise<Replica> {
    return this.#deployment.startReplica(env, release);
  }

  /**
   * A transaction of a player.
   * @param own - the provider's own id.
   * @param refOwn - the own id of the reversed transaction.
   */
  content(player: Player, action: Action, own: string, refOwn: string | null = null, amountMinor = 250n): Content {
    const provider = this.directory.provider as ProviderCode;
    return {
      merchantId: player.merchant.id,
      txId: wireTxId(provider, own),
      action,
      playerId: player.playerId as PlayerId,
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
    await this.#deployment.stopReplicas();
    await this.wallet.stop();
    await this.#deployment.close();
  }
}

/** A stored game, found by its codes. */
export async function gameOf(
  { knex }: Database,
  { provider, game }: Pick<Directory, "provider" | "game">,
): Promise<GameRef> {
  const row = await knex("games")
    .join("providers", "providers.id", "games.provider_id")
    .where({ "providers.code": provider, "games.code": game })
    .first("games.id", "provider_id");
  return { id: Number(row?.id), code: game, providerId: Number(row?.provider_id), provider: provider as ProviderCode };
}
