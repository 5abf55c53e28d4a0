import type { Container } from "inversify";
import { JwtLaunchTokens } from "../adapters/jwt/jwt-launch-tokens.ts";
import { GrpcGameLauncher } from "../adapters/provider-grpc/grpc-game-launcher.ts";
import { SqlConsoleSessionStore } from "../adapters/sql/access/console-session-store.ts";
import { SqlHeartbeatStore } from "../adapters/sql/access/heartbeat-store.ts";
import { SqlNonceStore } from "../adapters/sql/access/nonce-store.ts";
import { SqlSessionStore } from "../adapters/sql/access/session-store.ts";
import { SqlUsedTokens } from "../adapters/sql/access/used-tokens.ts";
import { openDatabase } from "../adapters/sql/connection/database.ts";
import { measured } from "../adapters/sql/connection/measure.ts";
import { SqlLiveFigures } from "../adapters/sql/listings/live-figures.ts";
import { SqlPendingAges } from "../adapters/sql/listings/pending-ages.ts";
import { SqlPlayerMoney } from "../adapters/sql/listings/player-money.ts";
import { SqlProviderRecords } from "../adapters/sql/listings/provider-records.ts";
import { SqlStuckMoney } from "../adapters/sql/listings/stuck-money.ts";
import { SqlTransactionReader } from "../adapters/sql/listings/transaction-reader.ts";
import { SqlTransactionSearch } from "../adapters/sql/listings/transaction-search.ts";
import { SqlAlertStore } from "../adapters/sql/reports/alert-store.ts";
import { SqlChangeStore } from "../adapters/sql/reports/change-store.ts";
import { SqlGgrAudits } from "../adapters/sql/reports/ggr-audits.ts";
import { SqlGgrStore } from "../adapters/sql/reports/ggr-store.ts";
import { SqlSourceHours } from "../adapters/sql/reports/source-hours.ts";
import { SqlStuckNotes } from "../adapters/sql/reports/stuck-notes.ts";
import { SqlWalletMinutes } from "../adapters/sql/reports/wallet-minutes.ts";
import { SqlAdminStore } from "../adapters/sql/settings/admin-store.ts";
import { SecretBox } from "../adapters/sql/settings/secret-box.ts";
import { SqlSettingsStore } from "../adapters/sql/settings/settings-store.ts";
import { SqlRoundStore } from "../adapters/sql/transactions/round-store.ts";
import { SqlSlipStore } from "../adapters/sql/transactions/slip-store.ts";
import { SqlTransactionStore } from "../adapters/sql/transactions/transaction-store.ts";
import { SqlTransactionSupport } from "../adapters/sql/transactions/transaction-support.ts";
import { SystemClock } from "../adapters/system/system-clock.ts";
import { SystemRandom } from "../adapters/system/system-random.ts";
import { openLog } from "../adapters/telemetry/log-output.ts";
import { measuredTransactionStore } from "../adapters/telemetry/measured-store.ts";
import { LogsAndMetrics } from "../adapters/telemetry/telemetry.ts";
import { HttpWallet } from "../adapters/wallet-http/http-wallet.ts";
import { HttpWalletPing } from "../adapters/wallet-http/http-wallet-ping.ts";
import { WalletPermits } from "../app/capacity/wallet-permits.ts";
import { RaisedAlerts } from "../app/console/alerts/raised-alerts.ts";
import type { Config } from "../config.ts";
import { AdminStore } from "../ports/admin-store.ts";
import { Clock } from "../ports/clock.ts";
import { ConsoleSessionStore } from "../ports/console-sessions.ts";
import { HeartbeatStore } from "../ports/heartbeat-store.ts";
import { LaunchTokens } from "../ports/launch-token.ts";
import { NonceStore } from "../ports/nonce-store.ts";
import { Random } from "../ports/random.ts";
import { SessionStore } from "../ports/session-store.ts";
import { SettingsStore } from "../ports/settings-store.ts";
import { GameLauncher } from "../ports/sources/game-launcher.ts";
import { SourceHours } from "../ports/sources/source-hours.ts";
import { Telemetry } from "../ports/telemetry.ts";
import { AlertStore } from "../ports/transactions/alert-store.ts";
import { ChangeStore } from "../ports/transactions/change-store.ts";
import { GgrAudits } from "../ports/transactions/ggr-audits.ts";
import { GgrStore } from "../ports/transactions/ggr-store.ts";
import { LiveFigures } from "../ports/transactions/live-figures.ts";
import { PendingAges } from "../ports/transactions/pending-ages.ts";
import { PlayerMoney } from "../ports/transactions/player-money.ts";
import { ProviderRecords } from "../ports/transactions/provider-records.ts";
import { RoundStore } from "../ports/transactions/round-store.ts";
import { SlipStore } from "../ports/transactions/slip-store.ts";
import { StuckMoney, StuckNotes } from "../ports/transactions/stuck-money.ts";
import { TransactionReader } from "../ports/transactions/transaction-reader.ts";
import { TransactionSearch } from "../ports/transactions/transaction-search.ts";
import { TransactionStore } from "../ports/transactions/transaction-store.ts";
import { TransactionSupport } from "../ports/transactions/transaction-support.ts";
import { WalletMinutes } from "../ports/transactions/wallet-minutes.ts";
import { UsedTokens } from "../ports/used-tokens.ts";
import { Wallet } from "../ports/wallet.ts";
import { WalletPing } from "../ports/wallet-ping.ts";
import { bind, implement } from "./bind.ts";
import { DATABASE, PROCESS_ID, TROUBLES } from "./tokens.ts";

/** Binds the ports: clock, randomness, telemetry, database, stores, wallets and game servers. */
export function bindOutside(container: Container, config: Config, logLevel: string | undefined): void {
  implement(container, Clock, SystemClock, []);
  implement(container, Random, SystemRandom, []);
  container.bind(PROCESS_ID).toResolvedValue((random) => random.uuid(), [Random]);
  bind(container, RaisedAlerts, [Clock]);
  container.bind(LogsAndMetrics).toResolvedValue(() => new LogsAndMetrics(openLog(logLevel)));
  container.bind(Telemetry).toResolvedValue((telemetry) => telemetry, [LogsAndMetrics]);

  container
    .bind(DATABASE)
    .toResolvedValue(({ metrics }) => measured(openDatabase(config.databaseUrl), metrics.statement), [LogsAndMetrics]);
  bindTransactionStores(container);
  bind(container, SecretBox, [], config.masterKeys);
  implement(container, SettingsStore, SqlSettingsStore, [DATABASE, SecretBox]);
  implement(container, AdminStore, SqlAdminStore, [DATABASE, SecretBox]);
  implement(container, SessionStore, SqlSessionStore, [DATABASE]);
  implement(container, ConsoleSessionStore, SqlConsoleSessionStore, [DATABASE]);
  implement(container, NonceStore, SqlNonceStore, [DATABASE]);
  implement(container, UsedTokens, SqlUsedTokens, [DATABASE]);
  implement(container, HeartbeatStore, SqlHeartbeatStore, [DATABASE]);

  container.bind(LaunchTokens).toResolvedValue((clock) => new JwtLaunchTokens(config.jwtKey, clock), [Clock]);
  const wallets = {
    client: config.walletHttpClient,
    timeoutMs: config.walletTimeoutMs,
    allowHttp: config.walletAllowHttp,
    allowPrivate: config.walletAllowPrivate,
    dnsServers: config.walletDnsServers,
  };
  bind(container, HttpWallet, [Clock, Random, Telemetry], wallets);
  implement(container, WalletPing, HttpWalletPing, [Clock, Random], wallets);
  container.bind(Wallet).toResolvedValue((wallet) => wallet, [HttpWallet]);
  container
    .bind(TROUBLES)
    .toResolvedValue(
      (permits, wallet) => () => [
        ...permits.limited().map(({ merchantId }) => ({ alert: "breaker_open" as const, merchantId })),
        ...wallet.troubles(),
      ],
      [WalletPermits, HttpWallet],
    );
  bind(container, GrpcGameLauncher, [Clock], { allowPrivate: config.providerAllowPrivate });
  container.bind(GameLauncher).toResolvedValue((launcher) => launcher, [GrpcGameLauncher]);
}

function bindTransactionStores(container: Container): void {
  container
    .bind(TransactionStore)
    .toResolvedValue(
      (database, { metrics }) => measuredTransactionStore(new SqlTransactionStore(database), metrics.batch),
      [DATABASE, LogsAndMetrics],
    );
  implement(container, TransactionReader, SqlTransactionReader, [DATABASE]);
  implement(container, ProviderRecords, SqlProviderRecords, [DATABASE]);
  implement(container, TransactionSearch, SqlTransactionSearch, [DATABASE]);
  implement(container, PlayerMoney, SqlPlayerMoney, [DATABASE]);
  implement(container, TransactionSupport, SqlTransactionSupport, [DATABASE]);
  implement(container, RoundStore, SqlRoundStore, [DATABASE]);
  implement(container, SlipStore, SqlSlipStore, [DATABASE]);
  implement(container, AlertStore, SqlAlertStore, [DATABASE]);
  implement(container, ChangeStore, SqlChangeStore, [DATABASE]);
  implement(container, PendingAges, SqlPendingAges, [DATABASE]);
  implement(container, GgrStore, SqlGgrStore, [DATABASE]);
  implement(container, LiveFigures, SqlLiveFigures, [DATABASE]);
  implement(container, StuckMoney, SqlStuckMoney, [DATABASE]);
  implement(container, StuckNotes, SqlStuckNotes, [DATABASE]);
  implement(container, WalletMinutes, SqlWalletMinutes, [DATABASE]);
  implement(container, SourceHours, SqlSourceHours, [DATABASE]);
  implement(container, GgrAudits, SqlGgrAudits, [DATABASE]);
}
