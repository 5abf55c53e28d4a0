import type { OnBehalf } from "../../../app/admin/on-behalf.ts";
import type { Catalog } from "../../../app/merchant/catalog.ts";
import type { Surroundings } from "../../../app/merchant/surroundings.ts";
import { CatalogService } from "../../../gen/aggregator/operator/v1/catalog_service_pb.ts";
import { LaunchService } from "../../../gen/aggregator/operator/v1/launch_service_pb.ts";
import { MerchantService } from "../../../gen/aggregator/operator/v1/merchant_service_pb.ts";
import { ReportService } from "../../../gen/aggregator/operator/v1/report_service_pb.ts";
import { TransactionService } from "../../../gen/aggregator/operator/v1/transaction_service_pb.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Telemetry } from "../../../ports/telemetry.ts";
import type { AdminAccess } from "../admin/access.ts";
import { adminService } from "../admin/service.ts";
import type { Routes } from "../server/grpc-server.ts";
import { operatorCatalog } from "./catalog.ts";
import { operatorLaunch } from "./launch.ts";
import { operatorMerchant } from "./merchant.ts";
import { operatorReport } from "./report.ts";
import { operatorTransactions } from "./transactions.ts";

/** The use cases behind aggregator.operator.v1: the merchants' operations for internal teams. */
export interface OperatorApi {
  readonly onBehalf: OnBehalf;
  readonly catalog: Catalog;
  readonly surroundings: Surroundings;
  readonly access: AdminAccess;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Adds all services of aggregator.operator.v1. They need the same keys and roles as the administration. */
export const operatorRoutes =
  ({ onBehalf, catalog, surroundings, access, clock, telemetry }: OperatorApi): Routes =>
  (router) => {
    router.service(LaunchService, adminService(LaunchService, operatorLaunch(onBehalf), access, telemetry));
    router.service(
      MerchantService,
      adminService(MerchantService, operatorMerchant(onBehalf, surroundings, clock), access, telemetry),
    );
    router.service(CatalogService, adminService(CatalogService, operatorCatalog(onBehalf, catalog), access, telemetry));
    router.service(
      TransactionService,
      adminService(TransactionService, operatorTransactions(onBehalf), access, telemetry),
    );
    router.service(ReportService, adminService(ReportService, operatorReport(onBehalf), access, telemetry));
  };
