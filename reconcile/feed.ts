import { type Credentials, getSigned } from "./api.ts";

/** A transaction of the feed, as far as it is compared. */
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
/** A change is in the feed within 2 s; so long it is waited for at the end. */
const PATIENCE_MS = 10_000;

/**
 * Every transaction whose state changed since then, page by page, up to those that changed when this began. A transaction that changes again
 * comes again: its last state counts.
 *
 * @param since - milliseconds since 1970.
 */
export async function* readFeed(credentials: Credentials, since: number): AsyncGenerator<readonly FeedItem[]> {
  const { server_time: begun } = (await getSigned(credentials, "/v1/merchant")) as { server_time: number };
  const until = performance.now() + PATIENCE_MS;
  let query = `updated_since=${encodeURIComponent(new Date(since).toISOString())}`;
  for (;;) {
    const page = (await getSigned(credentials, `/v1/transactions?${query}&limit=${PAGE}`)) as Page;
    if (page.items.length > 0) yield page.items;
    const last = page.items.at(-1);
    if (last !== undefined && Date.parse(last.updated_at) > begun) return;
    if (page.items.length < PAGE) {
      if (page.behind_ms === 0 || performance.now() > until) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    query = `cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}
