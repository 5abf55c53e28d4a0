import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { AuditService } from "../../gen/aggregator/admin/v1/audit_service_pb.ts";
import { BrandAdminService } from "../../gen/aggregator/admin/v1/brand_admin_service_pb.ts";
import { CatalogAdminService } from "../../gen/aggregator/admin/v1/catalog_admin_service_pb.ts";
import { KeyAdminService } from "../../gen/aggregator/admin/v1/key_admin_service_pb.ts";
import { MerchantAdminService } from "../../gen/aggregator/admin/v1/merchant_admin_service_pb.ts";
import { ProviderAdminService } from "../../gen/aggregator/admin/v1/provider_admin_service_pb.ts";
import { TransactionAdminService } from "../../gen/aggregator/admin/v1/transaction_admin_service_pb.ts";
import { ReportService } from "../../gen/aggregator/operator/v1/report_service_pb.ts";

/** The admin API, one client for each noun. */
export interface Api {
  readonly brand: Client<typeof BrandAdminService>;
  readonly merchant: Client<typeof MerchantAdminService>;
  readonly provider: Client<typeof ProviderAdminService>;
  readonly catalog: Client<typeof CatalogAdminService>;
  readonly key: Client<typeof KeyAdminService>;
  readonly transaction: Client<typeof TransactionAdminService>;
  readonly report: Client<typeof ReportService>;
  readonly audit: Client<typeof AuditService>;
}

export const createApi = (transport: Transport): Api => ({
  brand: createClient(BrandAdminService, transport),
  merchant: createClient(MerchantAdminService, transport),
  provider: createClient(ProviderAdminService, transport),
  catalog: createClient(CatalogAdminService, transport),
  key: createClient(KeyAdminService, transport),
  transaction: createClient(TransactionAdminService, transport),
  report: createClient(ReportService, transport),
  audit: createClient(AuditService, transport),
});
