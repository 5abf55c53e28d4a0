export type { ClientOptions } from "./client/call.ts";
export { AggregatorClient } from "./client/client.ts";
export * from "./client/errors.ts";
export type * from "./client/types.ts";
export { CURRENCIES, type Currency, type Decimal, decimalsOf, toDecimal, toMinor } from "./money.ts";
export { type Headers, type Signable, sign, signedHeaders, TIMESTAMP_TOLERANCE_MS, verify } from "./signing.ts";
export { MemoryStorage } from "./wallet/memory-storage.ts";
export type { Books, Entry, Player, Storage } from "./wallet/storage.ts";
export {
  Wallet,
  type WalletMerchant,
  type WalletOptions,
  type WalletReply,
  type WalletRequest,
} from "./wallet/wallet.ts";
