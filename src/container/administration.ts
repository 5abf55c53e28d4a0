import type { Container } from "inversify";
import { AdminAccess } from "../adapters/grpc/admin/access.ts";
import { AdminKeys } from "../app/access/admin-keys.ts";
import { ConsoleSessions } from "../app/access/console-sessions.ts";
import { AuditLog } from "../app/admin/audit-log.ts";
import { Brands } from "../app/admin/brands.ts";
import { Changes } from "../app/admin/changes.ts";
import { Games } from "../app/admin/games.ts";
import { ImportGames } from "../app/admin/import-games.ts";
import { Keys } from "../app/admin/keys.ts";
import { Merchants } from "../app/admin/merchants.ts";
import { OnBehalf } from "../app/admin/on-behalf.ts";
import { PingWallet } from "../app/admin/ping-wallet.ts";
import { Providers } from "../app/admin/providers.ts";
import { Support } from "../app/admin/support.ts";
import { RateLimits } from "../app/capacity/rate-limits.ts";
import { WrongKeys } from "../app/capacity/wrong-keys.ts";
import { ShowAlerts } from "../app/console/alerts/show-alerts.ts";
import { CloseContradiction } from "../app/console/close-contradiction.ts";
import { SearchTransactions } from "../app/console/search-transactions.ts";
import { ShowPlayer } from "../app/console/show-player.ts";
import { ShowRounds } from "../app/console/show-rounds.ts";
import { ShowTimeline } from "../app/console/show-timeline.ts";
import { ReadSourceHealth } from "../app/console/source-health.ts";
import { ShowStuckMoney } from "../app/console/stuck-money.ts";
import { ShowToday } from "../app/console/today.ts";
import { WalletHealth } from "../app/console/wallet-health.ts";
import { WalletVerdicts } from "../app/console/wallet-verdict.ts";
import { Sequencer } from "../app/feed/sequencer.ts";
import { GgrReport } from "../app/merchant/ggr-report.ts";
import { LaunchGame } from "../app/merchant/launch.ts";
import { Transactions } from "../app/merchant/transactions.ts";
import { Rounds } from "../app/rounds/rounds.ts";
import { Settings } from "../app/runtime/settings.ts";
import { ResendTransaction } from "../app/transaction/resend-transaction.ts";
import { type Config, keepsEndedSecrets } from "../config.ts";
import { AdminStore } from "../ports/admin-store.ts";
import { Clock } from "../ports/clock.ts";
import { ConsoleSessionStore } from "../ports/console-sessions.ts";
import { Random } from "../ports/random.ts";
import { SourceHours } from "../ports/sources/source-hours.ts";
import { AlertStore } from "../ports/transactions/alert-store.ts";
import { LiveFigures } from "../ports/transactions/live-figures.ts";
import { PlayerMoney } from "../ports/transactions/player-money.ts";
import { SlipStore } from "../ports/transactions/slip-store.ts";
import { StuckMoney, StuckNotes } from "../ports/transactions/stuck-money.ts";
import { TransactionReader } from "../ports/transactions/transaction-reader.ts";
import { TransactionSearch } from "../ports/transactions/transaction-search.ts";
import { TransactionStore } from "../ports/transactions/transaction-store.ts";
import { TransactionSupport } from "../ports/transactions/transaction-support.ts";
import { WalletMinutes } from "../ports/transactions/wallet-minutes.ts";
import { WalletPing } from "../ports/wallet-ping.ts";
import { bind } from "./bind.ts";
import { POLICY } from "./tokens.ts";

/** Binds the use cases that internal teams call: the administration, and the merchants' operations on their behalf. */
export function bindAdministration(container: Container, config: Config): void {
  bind(container, Changes, [AdminStore, Settings]);
  bind(container, Brands, [Changes, Settings]);
  bind(container, Merchants, [Changes, Settings, Random], {
    walletUrl: { allowHttp: config.walletAllowHttp, allowPrivate: config.walletAllowPrivate },
    keepsEndedSecret: keepsEndedSecrets(config),
  });
  bind(container, PingWallet, [Merchants, AdminStore, Settings, RateLimits, WalletPing]);
  bind(container, Providers, [Changes, Settings, Random, Clock], { allowPrivateSources: config.providerAllowPrivate });
  bind(container, Games, [Changes, Settings]);
  bind(container, ImportGames, [Changes, Settings]);
  bind(container, Keys, [Changes, AdminStore, Settings, Providers, Random, Clock]);
  bind(container, Support, [
    TransactionReader,
    TransactionSupport,
    TransactionStore,
    ResendTransaction,
    AdminStore,
    Settings,
    Random,
    POLICY,
    Sequencer,
  ]);
  bind(container, AuditLog, [AdminStore]);
  bind(container, CloseContradiction, [StuckNotes, TransactionReader, Settings]);
  bind(container, ShowTimeline, [
    TransactionReader,
    TransactionStore,
    SlipStore,
    StuckMoney,
    Rounds,
    AdminStore,
    Settings,
    POLICY,
  ]);
  bind(container, ShowRounds, [Rounds, Settings]);
  bind(container, SearchTransactions, [TransactionSearch, AdminStore, Settings]);
  bind(container, ShowPlayer, [PlayerMoney, AdminStore, Settings]);
  bind(container, WalletVerdicts, [WalletMinutes, StuckMoney, AlertStore, POLICY]);
  bind(container, WalletHealth, [WalletMinutes, WalletVerdicts, Settings]);
  bind(container, ReadSourceHealth, [SourceHours, Settings]);
  bind(container, ShowToday, [LiveFigures, StuckMoney, WalletVerdicts, Settings, POLICY]);
  bind(container, ShowStuckMoney, [StuckMoney, StuckNotes, AdminStore, Settings, POLICY]);
  bind(container, ShowAlerts, [AlertStore, Settings]);
  bind(container, AdminKeys, [Settings], config.adminKey);
  bind(
    container,
    ConsoleSessions,
    [AdminKeys, ConsoleSessionStore, AdminStore, Settings, WrongKeys, Random],
    config.jwtKey,
  );
  bind(container, AdminAccess, [Settings, AdminKeys, ConsoleSessions, WrongKeys]);
  bind(container, OnBehalf, [Settings, AdminStore, LaunchGame, Transactions, ResendTransaction, GgrReport]);
}
