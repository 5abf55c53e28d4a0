import type { DescMethod } from "@bufbuild/protobuf";
import type { Role } from "../../../domain/access/role.ts";

/** The lowest role that may call each rpc of aggregator.admin.v1 and aggregator.operator.v1. Every rpc has an entry. */
const ROLES: Readonly<Record<string, Role>> = {
  "BrandAdminService.CreateBrand": "manager",
  "BrandAdminService.SetBrand": "manager",
  "BrandAdminService.GetBrand": "viewer",
  "BrandAdminService.ListBrands": "viewer",

  "MerchantAdminService.CreateMerchant": "manager",
  "MerchantAdminService.SetMerchant": "manager",
  "MerchantAdminService.GetMerchant": "viewer",
  "MerchantAdminService.ListMerchants": "viewer",
  "MerchantAdminService.RotateSecret": "manager",
  // At least support, because the reply may have a player's balance.
  "MerchantAdminService.PingWallet": "support",
  "MerchantAdminService.FinishRotation": "manager",
  "MerchantAdminService.CancelRotation": "manager",
  "MerchantAdminService.DisableMerchant": "manager",
  "MerchantAdminService.EnableMerchant": "manager",

  "ProviderAdminService.CreateProvider": "manager",
  "ProviderAdminService.SetProvider": "manager",
  "ProviderAdminService.GetProvider": "viewer",
  "ProviderAdminService.ListProviders": "viewer",
  "ProviderAdminService.RotateProviderKey": "manager",
  "ProviderAdminService.AddSource": "manager",
  "ProviderAdminService.RemoveSource": "manager",

  "CatalogAdminService.ImportGames": "manager",
  "CatalogAdminService.SetGame": "manager",
  "CatalogAdminService.GetGame": "viewer",
  "CatalogAdminService.ListGames": "viewer",

  "TransactionAdminService.GetTransaction": "support",
  "TransactionAdminService.ListTransactions": "support",
  "TransactionAdminService.ResendTransaction": "support",
  "TransactionAdminService.ResolveTransaction": "manager",
  "TransactionAdminService.CloseContradiction": "manager",

  // Managers may call these rpcs for providers' keys. The use case lets only an owner create and revoke admin keys.
  "KeyAdminService.CreateKey": "manager",
  "KeyAdminService.RevokeKey": "manager",
  "KeyAdminService.GetKey": "manager",
  "KeyAdminService.ListKeys": "manager",
  "KeyAdminService.RotateMasterKey": "owner",

  "AuditService.GetAuditEntry": "manager",
  "AuditService.ListAuditEntries": "manager",

  // These show players' transactions, as TransactionAdminService does.
  "ConsoleService.GetTimeline": "support",
  "ConsoleService.SearchTransactions": "support",
  "ConsoleService.GetPlayer": "support",
  "ConsoleService.GetWalletHealth": "viewer",
  "ConsoleService.ListWalletHealth": "viewer",
  "ConsoleService.GetToday": "viewer",
  "ConsoleService.GetStuckMoney": "viewer",
  "ConsoleService.ListStuckMoney": "support",
  // A round has no player.
  "ConsoleService.ListRounds": "viewer",
  "ConsoleService.ListAlerts": "viewer",
  "ConsoleService.AcknowledgeAlert": "support",

  "LaunchService.LaunchGame": "manager",
  "MerchantService.GetMerchant": "viewer",
  "CatalogService.ListGames": "viewer",
  "CatalogService.GetGame": "viewer",
  "CatalogService.ListProviders": "viewer",
  "TransactionService.ListTransactions": "support",
  "TransactionService.GetTransaction": "support",
  "TransactionService.ResendTransaction": "support",
  "TransactionService.GetRound": "support",
  // A report by player needs the role support. The use case checks this.
  "ReportService.GetGgrReport": "viewer",
};

/** @throws Error for an rpc without an entry. A service with such an rpc can't be served. */
export function roleFor(method: DescMethod): Role {
  const role = ROLES[`${method.parent.name}.${method.name}`];
  if (role === undefined) throw new Error(`${method.parent.typeName}.${method.name} has no role`);
  return role;
}
