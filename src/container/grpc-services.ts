import type { DescService } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Container } from "inversify";
import { AdminAccess } from "../adapters/grpc/admin/access.ts";
import { auditHandlers } from "../adapters/grpc/admin/audit.ts";
import { brandHandlers } from "../adapters/grpc/admin/brands.ts";
import { catalogHandlers } from "../adapters/grpc/admin/catalog.ts";
import { consoleHandlers } from "../adapters/grpc/admin/console.ts";
import { keyHandlers } from "../adapters/grpc/admin/keys.ts";
import { merchantHandlers } from "../adapters/grpc/admin/merchants.ts";
import { providerHandlers } from "../adapters/grpc/admin/providers.ts";
import { type AdminHandlers, adminService } from "../adapters/grpc/admin/service.ts";
import { transactionHandlers } from "../adapters/grpc/admin/transactions.ts";
import { operatorCatalog } from "../adapters/grpc/operator/catalog.ts";
import { operatorLaunch } from "../adapters/grpc/operator/launch.ts";
import { operatorMerchant } from "../adapters/grpc/operator/merchant.ts";
import { operatorReport } from "../adapters/grpc/operator/report.ts";
import { operatorTransactions } from "../adapters/grpc/operator/transactions.ts";
import { ProviderKeys } from "../adapters/grpc/provider/keys.ts";
import { ProviderWallet } from "../adapters/grpc/provider/wallet.ts";
import { SportsbookBetHandlers } from "../adapters/grpc/sportsbook/bets.ts";
import { SportsbookBrandHandlers } from "../adapters/grpc/sportsbook/brands.ts";
import { SportsbookSessionHandlers } from "../adapters/grpc/sportsbook/sessions.ts";
import { AuditLog } from "../app/admin/audit-log.ts";
import { Brands } from "../app/admin/brands.ts";
import { Games } from "../app/admin/games.ts";
import { ImportGames } from "../app/admin/import-games.ts";
import { Keys } from "../app/admin/keys.ts";
import { Merchants } from "../app/admin/merchants.ts";
import { OnBehalf } from "../app/admin/on-behalf.ts";
import { PingWallet } from "../app/admin/ping-wallet.ts";
import { Providers } from "../app/admin/providers.ts";
import { Support } from "../app/admin/support.ts";
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
import { Catalog } from "../app/merchant/catalog.ts";
import { EndRound } from "../app/rounds/end-round.ts";
import { Settings } from "../app/runtime/settings.ts";
import { PlaceBetslip } from "../app/sportsbook/place-betslip.ts";
import { SportsbookSessions } from "../app/sportsbook/sportsbook-sessions.ts";
import { MoveMoney } from "../app/transaction/move-money.ts";
import { Play } from "../app/transaction/play.ts";
import { ProviderQuestions } from "../app/transaction/provider-questions.ts";
import { QueryBalance } from "../app/transaction/query-balance.ts";
import { ReverseTransaction } from "../app/transaction/reverse-transaction.ts";
import { AuditService } from "../gen/aggregator/admin/v1/audit_service_pb.ts";
import { BrandAdminService } from "../gen/aggregator/admin/v1/brand_admin_service_pb.ts";
import { CatalogAdminService } from "../gen/aggregator/admin/v1/catalog_admin_service_pb.ts";
import { ConsoleService } from "../gen/aggregator/admin/v1/console_service_pb.ts";
import { KeyAdminService } from "../gen/aggregator/admin/v1/key_admin_service_pb.ts";
import { MerchantAdminService } from "../gen/aggregator/admin/v1/merchant_admin_service_pb.ts";
import { ProviderAdminService } from "../gen/aggregator/admin/v1/provider_admin_service_pb.ts";
import { TransactionAdminService } from "../gen/aggregator/admin/v1/transaction_admin_service_pb.ts";
import { CatalogService } from "../gen/aggregator/operator/v1/catalog_service_pb.ts";
import { LaunchService } from "../gen/aggregator/operator/v1/launch_service_pb.ts";
import { MerchantService } from "../gen/aggregator/operator/v1/merchant_service_pb.ts";
import { ReportService } from "../gen/aggregator/operator/v1/report_service_pb.ts";
import { TransactionService } from "../gen/aggregator/operator/v1/transaction_service_pb.ts";
import { WalletService } from "../gen/aggregator/provider/v1/wallet_service_pb.ts";
import { BetService } from "../gen/aggregator/sportsbook/v1/bet_service_pb.ts";
import { BrandService } from "../gen/aggregator/sportsbook/v1/brand_service_pb.ts";
import { SessionService } from "../gen/aggregator/sportsbook/v1/session_service_pb.ts";
import { Clock } from "../ports/clock.ts";
import { Telemetry } from "../ports/telemetry.ts";
import type { Tokens } from "./bind.ts";
import { API_URL, EXTERNAL_SERVICES, INTERNAL_SERVICES, POLICY, SURROUNDINGS } from "./tokens.ts";

/** Binds every gRPC service to the use cases that its handlers call. */
export function bindGrpcServices(container: Container): void {
  /** Adds a service for providers and the sportsbook. Its class checks the caller's key. */
  function external<S extends DescService, Injected extends unknown[]>(
    service: S,
    type: new (...injected: Injected) => ServiceImpl<S>,
    dependencies: Tokens<Injected>,
  ): void {
    container.bind(EXTERNAL_SERVICES).toResolvedValue(
      (...injected: Injected) =>
        (router) =>
          router.service(service, new type(...injected)),
      dependencies,
    );
  }

  /** Adds a service for internal teams. Each of its rpcs needs an admin key with the right role. */
  function internal<S extends DescService, Injected extends unknown[]>(
    service: S,
    handlers: (...injected: Injected) => AdminHandlers<S>,
    dependencies: Tokens<Injected>,
  ): void {
    container.bind(INTERNAL_SERVICES).toResolvedValue(
      (access: AdminAccess, telemetry: Telemetry, ...injected: Injected) =>
        (router) =>
          router.service(service, adminService(service, handlers(...injected), access, telemetry)),
      [AdminAccess, Telemetry, ...dependencies],
    );
  }

  external(WalletService, ProviderWallet, [
    ProviderKeys,
    MoveMoney,
    Play,
    ReverseTransaction,
    QueryBalance,
    ProviderQuestions,
    EndRound,
    Clock,
    Telemetry,
  ]);
  external(SessionService, SportsbookSessionHandlers, [ProviderKeys, SportsbookSessions, Telemetry]);
  external(BetService, SportsbookBetHandlers, [ProviderKeys, PlaceBetslip, MoveMoney, QueryBalance, Clock, Telemetry]);
  external(BrandService, SportsbookBrandHandlers, [ProviderKeys, Settings, Telemetry]);

  internal(BrandAdminService, brandHandlers, [Brands, SURROUNDINGS]);
  internal(MerchantAdminService, merchantHandlers, [Merchants, PingWallet, API_URL]);
  internal(ProviderAdminService, providerHandlers, [Providers, ReadSourceHealth]);
  internal(CatalogAdminService, catalogHandlers, [Games, ImportGames]);
  internal(KeyAdminService, keyHandlers, [Keys]);
  internal(TransactionAdminService, transactionHandlers, [Support, CloseContradiction, Settings]);
  internal(AuditService, auditHandlers, [AuditLog]);
  internal(ConsoleService, consoleHandlers, [
    ShowTimeline,
    SearchTransactions,
    ShowPlayer,
    WalletHealth,
    ShowToday,
    ShowStuckMoney,
    ShowRounds,
    ShowAlerts,
    Settings,
    POLICY,
  ]);

  internal(LaunchService, operatorLaunch, [OnBehalf]);
  internal(MerchantService, operatorMerchant, [OnBehalf, SURROUNDINGS, Clock]);
  internal(CatalogService, operatorCatalog, [OnBehalf, Catalog]);
  internal(TransactionService, operatorTransactions, [OnBehalf]);
  internal(ReportService, operatorReport, [OnBehalf]);
}
