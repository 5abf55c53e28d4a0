import { ApiFault, type Credentials, getSigned } from "./api.ts";

/** A transaction of the feed, with the fields that are compared. */
export interface FeedItem {
  readonly tx_id: string;
  readonly action: string;
  /** Major unit. */
  readonly amount: number;
  readonly currency: string;
  readonly status: "success" | "pending" | "failed";
  readonly created_at: string;
  readonly updated_at: string;
}

interface Page {
  readonly items: readonly FeedItem[];
  readonly next_cursor: string;
  readonly behind_ms: number;
}

const PAGE = 1_000;
/** At the end the reader waits at most this long for the last changes. Usually a change is in the feed within 2 s. */
const BEHIND_MAX_MS = 60_000;

/**
 * Every transaction whose state changed since then, page by page. Includes every change up to the moment of the call. A
 * transaction that changes again is yielded again, and its last state counts.
 *
 * @param since - milliseconds since 1970.
 * @throws ApiFault when the service is too slow to add its last changes to the feed.
 */
export async function* readFeed(credentials: Credentials, since: number): AsyncGenerator<readonly FeedItem[]> {
  const begun = performance.now();
  let query = `updated_since=${encodeURIComponent(new Date(since).toISOString())}`;
  for (;;) {
    const elapsed = performance.now() - begun;
    const page = (await getSigned(credentials, `/v1/transactions?${query}&limit=${PAGE}`)) as Page;
    if (page.items.length > 0) yield page.items;
    if (page.items.length < PAGE) {
      // Changes that are not in the feed yet happened after this call began.
      if (page.behind_ms === 0 || page.behind_ms < elapsed) return;
      if (elapsed > BEHIND_MAX_MS && page.behind_ms > BEHIND_MAX_MS)
        throw new ApiFault(`the feed is ${page.behind_ms} ms behind: try again later`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    query = `cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}
