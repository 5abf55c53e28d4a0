import { type Credentials, getSigned } from "./api.ts";
import { Comparison, type Counts, type Range } from "./comparison.ts";
import type { Difference } from "./difference.ts";
import { readFeed } from "./feed.ts";
import { readLedger } from "./ledger-file.ts";
import { readTransaction } from "./transaction.ts";

/** The feed is read from so long before the range on: what the ledger has at its beginning may have been settled a little earlier. */
const HEAD_START_MS = 3_600_000;

export interface Reconciliation extends Disposable {
  readonly merchant: string;
  readonly currency: string;
  readonly counts: Counts;
  /** Read on demand, kind by kind: there may be very many. */
  differences(): Iterable<Difference>;
}

/**
 * Compares a merchant's ledger of a range of time with the service's transactions, over the public signed API alone. Matches by tx_id; times
 * only decide which successes of the service the ledger must have. Needs disk for both sides, and hardly any memory.
 *
 * @param file - a CSV file, as {@link readLedger} takes it.
 * @throws LedgerFault, ApiFault
 */
export async function reconcile(credentials: Credentials, file: string, range: Range): Promise<Reconciliation> {
  const { code, currency } = (await getSigned(credentials, "/v1/merchant")) as { code: string; currency: string };
  const comparison = new Comparison();
  try {
    for await (const line of readLedger(file, currency)) comparison.addLine(line);
    // The ledger first: what happens while it is read is in the feed all the same.
    for await (const page of readFeed(credentials, Math.max(0, range.from - HEAD_START_MS))) for (const item of page) comparison.addItem(item);
    comparison.seal();
    // What hasn't changed since before the range is in no feed of it: a bet that is pending ever since, a callback that the wallet was late to book.
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
