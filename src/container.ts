import "reflect-metadata";
import { Container } from "inversify";
import { pino } from "pino";
import { AdminAccess } from "./adapters/grpc/admin/access.ts";
import type { Administration } from "./adapters/grpc/admin/routes.ts";
import type { OperatorApi } from "./adapters/grpc/operator/routes.ts";
import { ProviderKeys } from "./adapters/grpc/provider/keys.ts";
import { ProviderWallet } from "./adapters/grpc/provider/wallet.ts";
import type { Sportsbook } from "./adapters/grpc/sportsbook/routes.ts";
import { JwtLaunchTokens } from "./adapters/jwt/jwt-launch-tokens.ts";
import { GrpcGameLauncher } from "./adapters/provider-grpc/grpc-game-launcher.ts";
import { apiRoutes } from "./adapters/rest/routes/table.ts";
import { SignedApi } from "./adapters/rest/signed-api.ts";
import { SqlHeartbeatStore } from "./adapters/sql/access/heartbeat-store.ts";
import { SqlNonceStore } from "./adapters/sql/access/nonce-store.ts";
import { SqlSessionStore } from "./adapters/sql/access/session-store.ts";
import { SqlUsedTokens } from "./adapters/sql/access/used-tokens.ts";
import { type Database, openDatabase } from "./adapters/sql/connection/database.ts";
import { SqlPendingAges } from "./adapters/sql/listings/pending-ages.ts";
import { SqlTransactionReader } from "./adapters/sql/listings/transaction-reader.ts";
import { SqlChangeStore } from "./adapters/sql/reports/change-store.ts";
import { SqlGgrAudits } from "./adapters/sql/reports/ggr-audits.ts";
import { SqlGgrStore } from "./adapters/sql/reports/ggr-store.ts";
import { SqlAdminStore } from "./adapters/sql/settings/admin-store.ts";
import { SecretBox } from "./adapters/sql/settings/secret-box.ts";
import { SqlSettingsStore } from "./adapters/sql/settings/settings-store.ts";
import { SqlSlipStore } from "./adapters/sql/transactions/slip-store.ts";
import { SqlTransactionStore } from "./adapters/sql/transactions/transaction-store.ts";
import { SqlTransactionSupport } from "./adapters/sql/transactions/transaction-support.ts";
import { SystemClock } from "./adapters/system/system-clock.ts";
import { SystemRandom } from "./adapters/system/system-random.ts";
import { LogsAndMetrics } from "./adapters/telemetry/telemetry.ts";
import { HttpWallet } from "./adapters/wallet-http/http-wallet.ts";
import { AuditLog } from "./app/admin/audit-log.ts";
import { Brands } from "./app/admin/brands.ts";
import { Changes } from "./app/admin/changes.ts";
import { Games } from "./app/admin/games.ts";
import { ImportGames } from "./app/admin/import-games.ts";
import { Keys } from "./app/admin/keys.ts";
import { Merchants } from "./app/admin/merchants.ts";
import { OnBehalf } from "./app/admin/on-behalf.ts";
import { Providers } from "./app/admin/providers.ts";
import { Support } from "./app/admin/support.ts";
import { LoadShedder } from "./app/capacity/load-shedder.ts";
import { RateLimits } from "./app/capacity/rate-limits.ts";
import { Replicas } from "./app/capacity/replicas.ts";
import { WalletPermits } from "./app/capacity/wallet-permits.ts";
import { WrongKeys } from "./app/capacity/wrong-keys.ts";
import { GgrAudit } from "./app/feed/ggr-audit.ts";
import { PendingCensus } from "./app/feed/pending-census.ts";
import { Sequencer } from "./app/feed/sequencer.ts";
import { Authenticate } from "./app/merchant/authenticate.ts";
import { Catalog } from "./app/merchant/catalog.ts";
import { GgrReport } from "./app/merchant/ggr-report.ts";
import { LaunchGame } from "./app/merchant/launch.ts";
import { Transactions } from "./app/merchant/transactions.ts";
import { Janitor } from "./app/runtime/janitor.ts";
import { Settings } from "./app/runtime/settings.ts";
import { PlaceBetslip, PlaceBetslipThroughWallet } from "./app/sportsbook/place-betslip.ts";
import { SlipWorker } from "./app/sportsbook/slip-worker.ts";
import { Slips } from "./app/sportsbook/slips.ts";
import { SportsbookLaunch } from "./app/sportsbook/sportsbook-launch.ts";
import { SportsbookSessions } from "./app/sportsbook/sportsbook-sessions.ts";
import { Attempt } from "./app/transaction/attempt.ts";
import { BatchedRows } from "./app/transaction/batched-rows.ts";
import { MoveMoney, MoveMoneyThroughWallet } from "./app/transaction/move-money.ts";
import { PlayerLookup } from "./app/transaction/player-lookup.ts";
import { QueryBalance, QueryBalanceOfWallet } from "./app/transaction/query-balance.ts";
import { ResendTransaction } from "./app/transaction/resend-transaction.ts";
import { ResendWorker } from "./app/transaction/resend-worker.ts";
import { Transact } from "./app/transaction/transact.ts";
import { type Config, publicPath } from "./config.ts";
import { SPORTSBOOK, SPORTSBOOK_GAME } from "./domain/catalog/provider.ts";
import type { GameRef } from "./domain/transaction/transaction.ts";
import { installFailpoints } from "./failpoints/install.ts";
import { AdminStore } from "./ports/admin-store.ts";
import { Clock } from "./ports/clock.ts";
import { GameLauncher } from "./ports/game-launcher.ts";
import { HeartbeatStore } from "./ports/heartbeat-store.ts";
import { LaunchTokens } from "./ports/launch-token.ts";
import { NonceStore } from "./ports/nonce-store.ts";
import { Random } from "./ports/random.ts";
import { SessionStore } from "./ports/session-store.ts";
import { SettingsStore } from "./ports/settings-store.ts";
import { Telemetry } from "./ports/telemetry.ts";
import { ChangeStore } from "./ports/transactions/change-store.ts";
import { GgrAudits } from "./ports/transactions/ggr-audits.ts";
import { GgrStore } from "./ports/transactions/ggr-store.ts";
import { PendingAges } from "./ports/transactions/pending-ages.ts";
import { SlipStore } from "./ports/transactions/slip-store.ts";
import { TransactionReader } from "./ports/transactions/transaction-reader.ts";
import { TransactionStore } from "./ports/transactions/transaction-store.ts";
import { TransactionSupport } from "./ports/transactions/transaction-support.ts";
import { UsedTokens } from "./ports/used-tokens.ts";
import { Wallet, type WalletTarget } from "./ports/wallet.ts";

/** What a test or a measurement hands in instead of the real thing. */
export interface Overrides {
  readonly clock?: Clock;
  readonly logLevel?: string;
  readonly transactionStore?: (real: TransactionStore) => TransactionStore;
}

/** The database is no port: only the stores and the composition know it. */
export const DATABASE = Symbol.for("Database");
/** All that aggregator.admin.v1 is served by. */
export const ADMINISTRATION = Symbol.for("Administration");
/** All that aggregator.operator.v1 is served by. */
export const OPERATOR_API = Symbol.for("OperatorApi");
/** All that aggregator.sportsbook.v1 is served by. */
export const SPORTSBOOK_SIDE = Symbol.for("Sportsbook");

/** Every binding of the service on one screen. The container only builds; `service.ts` starts and stops. */
export function createContainer(config: Config, overrides: Overrides = {}): Container {
  const container = new Container({ defaultScope: "Singleton" });
  const policy = {
    ...{ walletTimeoutMs: config.walletTimeoutMs, leaseMarginMs: config.leaseMarginMs },
    ...{ horizonMs: config.resendHorizonMs, firstDelayMs: config.resendFirstDelayMs, quietPeriodMs: config.refundQuietPeriodMs },
  };
  const merchantIds = (settings: Settings) => () => settings.merchants().map((merchant) => merchant.id);

  // The outside.
  container.bind<Database>(DATABASE).toResolvedValue(() => openDatabase(config.databaseUrl), []);
  container.bind(Clock).toResolvedValue(() => overrides.clock ?? new SystemClock(), []);
  container.bind(Random).toResolvedValue(() => new SystemRandom(), []);
  container.bind(LogsAndMetrics).toResolvedValue(() => new LogsAndMetrics(pino({ level: overrides.logLevel ?? "info" })), []);
  container.bind(Telemetry).toResolvedValue((telemetry) => telemetry, [LogsAndMetrics]);
  container.bind(TransactionStore).toResolvedValue(
    (database: Database) => {
      const real = new SqlTransactionStore(database);
      return overrides.transactionStore?.(real) ?? real;
    },
    [DATABASE],
  );
  container.bind(ChangeStore).toResolvedValue((database: Database) => new SqlChangeStore(database), [DATABASE]);
  container.bind(GgrStore).toResolvedValue((database: Database) => new SqlGgrStore(database), [DATABASE]);
  container.bind(GgrAudits).toResolvedValue((database: Database) => new SqlGgrAudits(database), [DATABASE]);
  container.bind(PendingAges).toResolvedValue((database: Database) => new SqlPendingAges(database), [DATABASE]);
  container.bind(SecretBox).toResolvedValue(() => new SecretBox(config.masterKeys), []);
  container.bind(SettingsStore).toResolvedValue((database: Database, box: SecretBox) => new SqlSettingsStore(database, box), [DATABASE, SecretBox]);
  container.bind(AdminStore).toResolvedValue((database: Database, box: SecretBox) => new SqlAdminStore(database, box), [DATABASE, SecretBox]);
  container.bind(TransactionReader).toResolvedValue((database: Database) => new SqlTransactionReader(database), [DATABASE]);
  container.bind(TransactionSupport).toResolvedValue((database: Database) => new SqlTransactionSupport(database), [DATABASE]);
  container.bind(SessionStore).toResolvedValue((database: Database) => new SqlSessionStore(database), [DATABASE]);
  container.bind(SlipStore).toResolvedValue((database: Database) => new SqlSlipStore(database), [DATABASE]);
  container.bind(UsedTokens).toResolvedValue((database: Database) => new SqlUsedTokens(database), [DATABASE]);
  container.bind(LaunchTokens).toResolvedValue((clock) => new JwtLaunchTokens(config.jwtKey, clock), [Clock]);
  container.bind(NonceStore).toResolvedValue((database: Database) => new SqlNonceStore(database), [DATABASE]);
  container.bind(HeartbeatStore).toResolvedValue((database: Database) => new SqlHeartbeatStore(database), [DATABASE]);
  container.bind(HttpWallet).toResolvedValue(
    (clock, random, telemetry) =>
      new HttpWallet(clock, random, telemetry, {
        timeoutMs: config.walletTimeoutMs,
        allowHttp: config.walletAllowHttp,
        allowPrivate: config.walletAllowPrivate,
        dnsServers: config.walletDnsServers,
      }),
    [Clock, Random, Telemetry],
  );
  container.bind(Wallet).toResolvedValue((wallet) => wallet, [HttpWallet]);
  container.bind(GrpcGameLauncher).toResolvedValue((clock) => new GrpcGameLauncher(clock, { allowPrivate: config.providerAllowPrivate }), [Clock]);
  container.bind(GameLauncher).toResolvedValue((launcher) => launcher, [GrpcGameLauncher]);

  // The use cases.
  container.bind(Settings).toResolvedValue((store, clock, telemetry) => new Settings(store, clock, telemetry), [SettingsStore, Clock, Telemetry]);
  container.bind(LoadShedder).toResolvedValue((clock, transact) => new LoadShedder(clock, config.maxInFlight, () => transact.active), [Clock, Transact]);
  container
    .bind(WalletPermits)
    .toResolvedValue(
      (clock, telemetry, settings) =>
        new WalletPermits(clock, telemetry, config.walletConcurrencyPerMerchant, (merchantId) => settings.merchantById(merchantId)?.limits.walletConcurrency),
      [Clock, Telemetry, Settings],
    );
  container
    .bind(PlayerLookup)
    .toResolvedValue((store, settings, clock) => new PlayerLookup(store, settings, clock, config.sessionMs), [SessionStore, Settings, Clock]);
  container.bind(BatchedRows).toResolvedValue((store, clock) => new BatchedRows(store, clock), [TransactionStore, Clock]);
  container
    .bind(Sequencer)
    .toResolvedValue(
      (store, settings, clock, telemetry) => new Sequencer(store, merchantIds(settings), clock, telemetry),
      [ChangeStore, Settings, Clock, Telemetry],
    );
  container
    .bind(Attempt)
    .toResolvedValue(
      (rows, wallet, permits, settings, clock, random, telemetry, sequencer) =>
        new Attempt(rows, wallet, permits, targetOf(settings), clock, random, telemetry, policy, (merchantId) => sequencer.changed(merchantId)),
      [BatchedRows, Wallet, WalletPermits, Settings, Clock, Random, Telemetry, Sequencer],
    );
  container
    .bind(Transact)
    .toResolvedValue(
      (rows, attempt, permits, clock, random, telemetry) => new Transact(rows, attempt, permits, clock, random, telemetry, policy),
      [BatchedRows, Attempt, WalletPermits, Clock, Random, Telemetry],
    );
  container
    .bind(QueryBalance)
    .toResolvedValue(
      (settings, players, wallet, permits, loadShedder, telemetry, clock) =>
        new QueryBalanceOfWallet(settings, players, wallet, permits, loadShedder, telemetry, targetOf(settings), clock),
      [Settings, PlayerLookup, Wallet, WalletPermits, LoadShedder, Telemetry, Clock],
    );
  container
    .bind(MoveMoney)
    .toResolvedValue(
      (settings, players, transact, balance, loadShedder, telemetry) =>
        new MoveMoneyThroughWallet(settings, players, transact, balance, loadShedder, telemetry),
      [Settings, PlayerLookup, Transact, QueryBalance, LoadShedder, Telemetry],
    );
  container
    .bind(ResendWorker)
    .toResolvedValue(
      (store, transact, permits, settings, clock, random, telemetry) =>
        new ResendWorker(store, transact, permits, merchantIds(settings), clock, random, telemetry, config.maxInFlight),
      [TransactionStore, Transact, WalletPermits, Settings, Clock, Random, Telemetry],
    );
  container
    .bind(Replicas)
    .toResolvedValue((store, random, clock, telemetry) => new Replicas(store, random.uuid(), clock, telemetry), [HeartbeatStore, Random, Clock, Telemetry]);
  container.bind(RateLimits).toResolvedValue((clock, replicas) => new RateLimits(clock, () => replicas.live), [Clock, Replicas]);
  container
    .bind(Authenticate)
    .toResolvedValue(
      (settings, nonces, rateLimits, clock, telemetry) =>
        new Authenticate(settings, nonces, rateLimits, clock, telemetry, { explains: config.environment !== "production", pathPrefix: publicPath(config) }),
      [Settings, NonceStore, RateLimits, Clock, Telemetry],
    );
  container.bind(LaunchGame).toResolvedValue(
    (settings, sessions, launcher, random, clock, telemetry, tokens) => {
      const sportsbook = config.sportsbookUrl === null ? null : new SportsbookLaunch(sessions, tokens, random, config.sportsbookUrl);
      return new LaunchGame(settings, sessions, launcher, random, clock, telemetry, sportsbook);
    },
    [Settings, SessionStore, GameLauncher, Random, Clock, Telemetry, LaunchTokens],
  );
  container
    .bind(Slips)
    .toResolvedValue(
      (store, transact, settings, clock, random, telemetry) => new Slips(store, transact, sportsbookGame(settings), clock, random, telemetry, policy),
      [SlipStore, Transact, Settings, Clock, Random, Telemetry],
    );
  container
    .bind(SlipWorker)
    .toResolvedValue((store, slips, clock, telemetry) => new SlipWorker(store, slips, clock, telemetry), [SlipStore, Slips, Clock, Telemetry]);
  container
    .bind(PlaceBetslip)
    .toResolvedValue(
      (settings, players, slips, transact, balance, loadShedder, clock, telemetry) =>
        new PlaceBetslipThroughWallet(settings, players, slips, transact, balance, loadShedder, clock, telemetry),
      [Settings, PlayerLookup, Slips, Transact, QueryBalance, LoadShedder, Clock, Telemetry],
    );
  container
    .bind(SportsbookSessions)
    .toResolvedValue(
      (settings, sessions, tokens, used, telemetry) => new SportsbookSessions(settings, sessions, tokens, used, telemetry),
      [Settings, SessionStore, LaunchTokens, UsedTokens, Telemetry],
    );
  container
    .bind(PendingCensus)
    .toResolvedValue(
      (ages, settings, clock, telemetry) => new PendingCensus(ages, () => settings.merchants(), clock, telemetry),
      [PendingAges, Settings, Clock, Telemetry],
    );
  container
    .bind(Janitor)
    .toResolvedValue(
      (nonces, tokens, heartbeats, sessions, clock, telemetry) => new Janitor({ nonces, tokens, heartbeats, "session ids": sessions }, clock, telemetry),
      [NonceStore, UsedTokens, HeartbeatStore, SessionStore, Clock, Telemetry],
    );
  container.bind(Catalog).toResolvedValue((settings) => new Catalog(settings), [Settings]);
  container
    .bind(ResendTransaction)
    .toResolvedValue(
      (reader, store, sequencer) => new ResendTransaction(reader, store, config.refundQuietPeriodMs, (merchantId) => sequencer.changed(merchantId)),
      [TransactionReader, TransactionStore, Sequencer],
    );
  container
    .bind(Transactions)
    .toResolvedValue(
      (reader, resend, clock, telemetry) => new Transactions(reader, resend, clock, telemetry),
      [TransactionReader, ResendTransaction, Clock, Telemetry],
    );
  container.bind(GgrReport).toResolvedValue((store, telemetry) => new GgrReport(store, telemetry), [GgrStore, Telemetry]);
  container
    .bind(GgrAudit)
    .toResolvedValue(
      (store, audits, random, settings, clock, telemetry) => new GgrAudit(store, audits, random.uuid(), () => settings.merchants(), clock, telemetry),
      [GgrStore, GgrAudits, Random, Settings, Clock, Telemetry],
    );

  // The administration.
  container.bind(Changes).toResolvedValue((store, settings) => new Changes(store, settings), [AdminStore, Settings]);
  container.bind(Brands).toResolvedValue((changes, settings) => new Brands(changes, settings), [Changes, Settings]);
  container.bind(Merchants).toResolvedValue(
    (changes, settings, random) =>
      new Merchants(changes, settings, random, {
        walletUrl: { allowHttp: config.walletAllowHttp, allowPrivate: config.walletAllowPrivate },
        keepsPreviousSecret: config.environment !== "production",
      }),
    [Changes, Settings, Random],
  );
  container
    .bind(Providers)
    .toResolvedValue(
      (changes, settings, random, clock) => new Providers(changes, settings, random, clock, { allowPrivateSources: config.providerAllowPrivate }),
      [Changes, Settings, Random, Clock],
    );
  container.bind(Games).toResolvedValue((changes, settings) => new Games(changes, settings), [Changes, Settings]);
  container.bind(ImportGames).toResolvedValue((changes, settings) => new ImportGames(changes, settings), [Changes, Settings]);
  container
    .bind(Keys)
    .toResolvedValue(
      (changes, store, settings, providers, random, clock) => new Keys(changes, store, settings, providers, random, clock),
      [Changes, AdminStore, Settings, Providers, Random, Clock],
    );
  container
    .bind(Support)
    .toResolvedValue(
      (reader, support, transactions, resend, store, settings, random, sequencer) =>
        new Support(reader, support, transactions, resend, store, settings, random, policy, (merchantId) => sequencer.changed(merchantId)),
      [TransactionReader, TransactionSupport, TransactionStore, ResendTransaction, AdminStore, Settings, Random, Sequencer],
    );
  container.bind(AuditLog).toResolvedValue((store) => new AuditLog(store), [AdminStore]);
  container
    .bind(OnBehalf)
    .toResolvedValue(
      (settings, store, launchGame, transactions, resend, reports) => new OnBehalf(settings, store, launchGame, transactions, resend, reports),
      [Settings, AdminStore, LaunchGame, Transactions, ResendTransaction, GgrReport],
    );

  // What the transports serve.
  container.bind(SignedApi).toResolvedValue(
    (authenticate, launchGame, catalog, transactions, ggrReport, clock, telemetry) => {
      const surroundings = { environment: config.environment, sportsbookUrl: config.sportsbookUrl };
      return new SignedApi(authenticate, apiRoutes({ launchGame, catalog, transactions, ggrReport, clock, surroundings }), telemetry);
    },
    [Authenticate, LaunchGame, Catalog, Transactions, GgrReport, Clock, Telemetry],
  );
  container.bind(WrongKeys).toResolvedValue((rateLimits, clock, telemetry) => new WrongKeys(rateLimits, clock, telemetry), [RateLimits, Clock, Telemetry]);
  container.bind(ProviderKeys).toResolvedValue((settings, wrongKeys) => new ProviderKeys(settings, wrongKeys), [Settings, WrongKeys]);
  container
    .bind(ProviderWallet)
    .toResolvedValue(
      (keys, moveMoney, balance, clock, telemetry) => new ProviderWallet(keys, moveMoney, balance, clock, telemetry),
      [ProviderKeys, MoveMoney, QueryBalance, Clock, Telemetry],
    );
  container.bind<Sportsbook>(SPORTSBOOK_SIDE).toResolvedValue(
    (sessions, settings, keys, clock, telemetry, placeBetslip, moveMoney, queryBalance) => ({
      ...{ sessions, settings, keys, clock, telemetry, placeBetslip, moveMoney, queryBalance },
    }),
    [SportsbookSessions, Settings, ProviderKeys, Clock, Telemetry, PlaceBetslip, MoveMoney, QueryBalance],
  );
  container.bind(AdminAccess).toResolvedValue((settings, wrongKeys) => new AdminAccess(settings, wrongKeys, config.adminKey), [Settings, WrongKeys]);
  container.bind<Administration>(ADMINISTRATION).toResolvedValue(
    (brands, merchants, providers, games, importGames, keys, support, auditLog, settings, access, telemetry) => ({
      ...{ brands, merchants, providers, games, importGames, keys, support, auditLog },
      ...{ settings, access, telemetry },
    }),
    [Brands, Merchants, Providers, Games, ImportGames, Keys, Support, AuditLog, Settings, AdminAccess, Telemetry],
  );
  container.bind<OperatorApi>(OPERATOR_API).toResolvedValue(
    (onBehalf, catalog, access, clock, telemetry) => {
      const surroundings = { environment: config.environment, sportsbookUrl: config.sportsbookUrl };
      return { onBehalf, catalog, surroundings, access, clock, telemetry };
    },
    [OnBehalf, Catalog, AdminAccess, Clock, Telemetry],
  );
  if (config.failpoints.length > 0) installFailpoints(container, config.failpoints, DATABASE);
  return container;
}

/** The sportsbook's one game, as transactions name it: there from the first migration on. */
const sportsbookGame = (settings: Settings) => (): GameRef => {
  const game = settings.game(SPORTSBOOK, SPORTSBOOK_GAME);
  if (game === undefined) throw new Error("the sportsbook is not in the settings");
  return { id: game.id, code: game.code, providerId: game.providerId, provider: game.provider };
};

/** Where a merchant's wallet is and what signs, as the settings say at the moment of each call. */
const targetOf =
  (settings: Settings) =>
  (merchantId: number): WalletTarget => {
    const merchant = settings.merchantById(merchantId);
    if (merchant === undefined) throw new Error(`merchant ${merchantId} is not in the settings`);
    return { merchantId, merchantCode: merchant.code, walletUrl: merchant.walletUrl, secret: merchant.secret };
  };
