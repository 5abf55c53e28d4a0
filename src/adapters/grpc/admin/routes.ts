import type { AuditLog } from "../../../app/admin/audit-log.ts";
import type { Brands } from "../../../app/admin/brands.ts";
import type { Games } from "../../../app/admin/games.ts";
import type { ImportGames } from "../../../app/admin/import-games.ts";
import type { Keys } from "../../../app/admin/keys.ts";
import type { Merchants } from "../../../app/admin/merchants.ts";
import type { PingWallet } from "../../../app/admin/ping-wallet.ts";
import type { Providers } from "../../../app/admin/providers.ts";
import type { Support } from "../../../app/admin/support.ts";
import type { CloseContradiction } from "../../../app/console/close-contradiction.ts";
import type { ReadSourceHealth } from "../../../app/console/source-health.ts";
import type { Surroundings } from "../../../app/merchant/surroundings.ts";
import type { Settings } from "../../../app/runtime/settings.ts";
import type { ResolvePolicy } from "../../../domain/transaction/support.ts";
import { AuditService } from "../../../gen/aggregator/admin/v1/audit_service_pb.ts";
import { BrandAdminService } from "../../../gen/aggregator/admin/v1/brand_admin_service_pb.ts";
import { CatalogAdminService } from "../../../gen/aggregator/admin/v1/catalog_admin_service_pb.ts";
import { ConsoleService } from "../../../gen/aggregator/admin/v1/console_service_pb.ts";
import { KeyAdminService } from "../../../gen/aggregator/admin/v1/key_admin_service_pb.ts";
import { MerchantAdminService } from "../../../gen/aggregator/admin/v1/merchant_admin_service_pb.ts";
import { ProviderAdminService } from "../../../gen/aggregator/admin/v1/provider_admin_service_pb.ts";
import { TransactionAdminService } from "../../../gen/aggregator/admin/v1/transaction_admin_service_pb.ts";
import type { Telemetry } from "../../../ports/telemetry.ts";
import type { Routes } from "../server/grpc-server.ts";
import type { AdminAccess } from "./access.ts";
import { auditHandlers } from "./audit.ts";
import { brandHandlers } from "./brands.ts";
import { catalogHandlers } from "./catalog.ts";
import { type ConsolePagesUseCases, consoleHandlers } from "./console.ts";
import { keyHandlers } from "./keys.ts";
import { merchantHandlers } from "./merchants.ts";
import { providerHandlers } from "./providers.ts";
import { adminService } from "./service.ts";
import { transactionHandlers } from "./transactions.ts";

/** The use cases behind aggregator.admin.v1. */
export interface Administration {
  readonly brands: Brands;
  readonly merchants: Merchants;
  readonly pingWallet: PingWallet;
  readonly providers: Providers;
  readonly sourceHealth: ReadSourceHealth;
  readonly games: Games;
  readonly importGames: ImportGames;
  readonly keys: Keys;
  readonly support: Support;
  readonly contradictions: CloseContradiction;
  readonly auditLog: AuditLog;
  readonly console: ConsolePagesUseCases;
  readonly policy: ResolvePolicy;
  readonly settings: Settings;
  readonly surroundings: Surroundings;
  readonly access: AdminAccess;
  readonly telemetry: Telemetry;
}

/**
 * Adds all services of aggregator.admin.v1.
 *
 * @param apiUrl - returns the API's address for merchants, without /v1. The rpcs call it, so the listeners have
 *   started and their ports are known.
 */
export const adminRoutes =
  ({ access, telemetry, ...useCases }: Administration, apiUrl: () => string): Routes =>
  (router) => {
    router.service(
      BrandAdminService,
      adminService(BrandAdminService, brandHandlers(useCases.brands, useCases.surroundings), access, telemetry),
    );
    router.service(
      MerchantAdminService,
      adminService(
        MerchantAdminService,
        merchantHandlers(useCases.merchants, useCases.pingWallet, apiUrl),
        access,
        telemetry,
      ),
    );
    router.service(
      ProviderAdminService,
      adminService(
        ProviderAdminService,
        providerHandlers(useCases.providers, useCases.sourceHealth),
        access,
        telemetry,
      ),
    );
    router.service(
      CatalogAdminService,
      adminService(CatalogAdminService, catalogHandlers(useCases.games, useCases.importGames), access, telemetry),
    );
    router.service(KeyAdminService, adminService(KeyAdminService, keyHandlers(useCases.keys), access, telemetry));
    router.service(
      TransactionAdminService,
      adminService(
        TransactionAdminService,
        transactionHandlers(useCases.support, useCases.contradictions, useCases.settings),
        access,
        telemetry,
      ),
    );
    router.service(AuditService, adminService(AuditService, auditHandlers(useCases.auditLog), access, telemetry));
    const pages = consoleHandlers(useCases.console, useCases.settings, useCases.policy.horizonMs);
    router.service(ConsoleService, adminService(ConsoleService, pages, access, telemetry));
  };
