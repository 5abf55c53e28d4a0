import { isOwnTxId, ownTxId, type TxId } from "../src/domain/values/identifiers.ts";
import { ApiFault, type Credentials, getSigned } from "./api.ts";
import type { FeedItem } from "./feed.ts";

/** `<PROVIDER>:<the provider's own id>`. */
const WIRE_ID = /^[A-Z0-9_]{2,32}:/;

/**
 * Reads one transaction from the service, whatever the time of its last change. undefined: the service does not have
 * it.
 *
 * @param txId - the id in the ledger. No request is sent for a text that can't be an id of the service.
 * @throws ApiFault when the service does not answer.
 */
export async function readTransaction(credentials: Credentials, txId: string): Promise<FeedItem | undefined> {
  if (!WIRE_ID.test(txId) || !isOwnTxId(ownTxId(txId as TxId))) return undefined;
  try {
    return (await getSigned(credentials, `/v1/transactions/${encodeURIComponent(txId)}`)) as FeedItem;
  } catch (cause) {
    if (cause instanceof ApiFault && cause.code === "TRANSACTION_NOT_FOUND") return undefined;
    throw cause;
  }
}
