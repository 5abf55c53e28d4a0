import { type Credentials, getSigned } from "./api.ts";
import { Comparison, type Counts, type Range } from "./comparison.ts";
import type { Difference } from "./difference.ts";
import { readFeed } from "./feed.ts";
import { readLedger } from "./ledger-file.ts";
import { readTransaction } from "./transaction.ts";

/**
 * The feed is read from this time before the range on, because transactions at the ledger's beginning may have been
 * settled a little earlier.
 */
const HEAD_START_MS = 3_600_000;

export interface Reconciliation extends Disposable {
  readonly merchant: string;
  readonly currency: string;
  readonly counts: Counts;
  /** The differences, read on demand because there may be very many. */
  differences(): Iterable<Difference>;
}

/**
 * Compares a merchant's ledger of a range of time with the service's transactions, through the public signed API. Lines
 * are matched by tx_id. Times only decide which successes of the service the ledger must have. The comparison needs
 * disk space for both sides, and little memory.
 *
 * @param file - a CSV file, in the form of {@link readLedger}.
 * @throws LedgerFault, ApiFault
 */
export async function reconcile(credentials: Credentials, file: string, range: Range): Promise<Reconciliation> {
  const { code, currency } = (await getSigned(credentials, "/v1/merchant")) as { code: string; currency: string };
  const comparison = new Comparison();
  try {
    for await (const line of readLedger(file, currency)) comparison.addLine(line);
    // The ledger is read first, so that the feed also has the changes that happen meanwhile.
    for await (const page of readFeed(credentials, Math.max(0, range.from - HEAD_START_MS)))
      for (const item of page) comparison.addItem(item);
    comparison.seal();
    // A ledger may repeat the ids of an export, in which some texts are changed for spreadsheets.
    for (const { shown, txId } of comparison.protectedIds()) {
      if (!comparison.has(txId)) {
        const item = (await readTransaction(credentials, shown)) ?? (await readTransaction(credentials, txId));
        if (item !== undefined) comparison.addItem(item);
      }
      if (comparison.has(txId)) comparison.rename(shown, txId);
    }
    // The pages that were read do not have a transaction whose last change was before the range, for example a bet that
    // is still pending, or a callback that the wallet booked late. So such transactions are read one by one.
    for (const txId of comparison.notInFeed()) {
      const item = await readTransaction(credentials, txId);
      if (item !== undefined) comparison.addItem(item);
    }
    return {
      merchant: code,
      currency,
      counts: comparison.counts(range),
      differences: () => comparison.differences(range),
      [Symbol.dispose]: () => comparison[Symbol.dispose](),
    };
  } catch (cause) {
    comparison[Symbol.dispose]();
    throw cause;
  }
}
