import { keyText, type TxId } from "../../../src/domain/values/identifiers.ts";
import { signedCall } from "../../../testbed/callers/signed-call.ts";
import type { Stage } from "../database/stage.ts";

const FROM_THE_BEGINNING = "updated_since=2026-01-01T00:00:00Z";

/** The feeds of all merchants, read up to their ends. */
export interface FeedsRead {
  /** Where each merchant goes on reading, by its code. */
  readonly cursors: ReadonlyMap<string, string>;
  /** The keys of the transactions that were read. */
  readonly keys: ReadonlySet<string>;
}

/**
 * Reads every merchant's feed to its end.
 *
 * @param from - where the merchants go on; by default at the beginning.
 */
export async function readFeeds({ installation, replicas }: Stage, from?: FeedsRead): Promise<FeedsRead> {
  const cursors = new Map<string, string>();
  const keys = new Set<string>();
  for (const merchant of installation.directory.merchants) {
    let query = from?.cursors.get(merchant.code) ?? FROM_THE_BEGINNING;
    for (let isEnd = false; !isEnd; ) {
      const reply = await signedCall(
        replicas[0]?.origin ?? "",
        merchant,
        "GET",
        `/v1/transactions?${query}&limit=1000`,
      );
      if (!reply.ok) throw new Error(`the feed of ${merchant.code} can't be read: ${reply.code}`);
      const { items, next_cursor } = reply.data as { items: { tx_id: string }[]; next_cursor: string };
      for (const { tx_id } of items) keys.add(keyText({ merchantId: merchant.id, txId: tx_id as TxId }));
      query = `cursor=${encodeURIComponent(next_cursor)}`;
      isEnd = items.length === 0;
    }
    cursors.set(merchant.code, query);
  }
  return { cursors, keys };
}
