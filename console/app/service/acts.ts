import type { Role } from "./session.ts";

interface Act {
  /** The call of the service that does it. */
  readonly rpc: string;
  /** The lowest role that the service lets call it. */
  readonly role: Role;
}

/** What a page or an alert may ask a person to do at the service. */
export const ACTS = {
  resend: { rpc: "TransactionAdminService.ResendTransaction", role: "support" },
  resolve: { rpc: "TransactionAdminService.ResolveTransaction", role: "manager" },
  closeContradiction: { rpc: "TransactionAdminService.CloseContradiction", role: "manager" },
  askBalance: { rpc: "MerchantAdminService.PingWallet", role: "support" },
  changeWallet: { rpc: "MerchantAdminService.SetMerchant", role: "manager" },
  replaceKey: { rpc: "KeyAdminService.CreateKey", role: "manager" },
} as const satisfies Readonly<Record<string, Act>>;

export type ActName = keyof typeof ACTS;
