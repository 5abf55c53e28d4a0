import { ok, type Result, refuse } from "../../domain/errors.ts";
import { isRoundId, type TxId, type TxKey } from "../../domain/values/identifiers.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { Settings } from "../runtime/settings.ts";
import { notFound } from "./changes.ts";

/** Identifies a merchant's transaction. */
export interface TransactionName {
  /** The merchant's code. */
  readonly merchant: string;
  /** The transaction's id as merchants see it, with the provider's prefix. */
  readonly txId: string;
}

/**
 * The merchant with this code, even if it is disabled or was created a moment ago. Refusals: RECORD_NOT_FOUND
 * (`merchant`), SERVICE_UNAVAILABLE.
 */
export async function findMerchant(settings: Settings, code: string): Promise<Result<Merchant>> {
  const known = settings.merchant(code);
  if (known === undefined && !(await settings.refresh())) return refuse("SERVICE_UNAVAILABLE");
  const merchant = known ?? settings.merchant(code);
  return merchant === undefined ? notFound("merchant") : ok(merchant);
}

/**
 * The key of a transaction. The transaction need not exist. Refusals: those of {@link findMerchant},
 * TRANSACTION_NOT_FOUND.
 */
export async function findTxKey(settings: Settings, { merchant: code, txId }: TransactionName): Promise<Result<TxKey>> {
  const merchant = await findMerchant(settings, code);
  if (!merchant.ok) return merchant;
  // A text that can't be an id is refused here, so that it does not fill the audit log.
  return isRoundId(txId)
    ? ok({ merchantId: merchant.value.id, txId: txId as TxId })
    : refuse("TRANSACTION_NOT_FOUND", { field: "tx_id" });
}

/** The name that the audit log uses for a transaction. */
export const transactionTarget = ({ merchant, txId }: TransactionName): string => `transaction ${merchant} ${txId}`;
