/** The types of requests and replies. Fields have the names of the API's description (/openapi.json). */
import type { Currency, Decimal } from "../money.ts";
import type { Transaction } from "./gen/transaction.ts";
import type { Action, Status, Time } from "./values.ts";

export type { Transaction } from "./gen/transaction.ts";
export type { Action, Status, Time } from "./values.ts";

export type Product = "slot" | "live" | "sportsbook";

export interface Merchant {
  readonly code: string;
  readonly currency: Currency;
  readonly brand: string;
  readonly products: readonly Product[];
  readonly default_language: string;
  readonly wallet_configured: boolean;
  readonly environment: "development" | "staging" | "production";
  readonly sportsbook: {
    readonly url: string | null;
    readonly script_url: string | null;
    readonly integrity_url: string | null;
  };
  /** Milliseconds since 1970. */
  readonly server_time: number;
  /** What the service can send and show beyond its first release. Absent: the service is older than this list. */
  readonly capabilities?: readonly string[];
}

export interface LaunchRequest {
  readonly player_id: string;
  readonly game: string;
  readonly provider?: string;
  readonly currency?: Currency;
  readonly lang?: string;
  readonly country?: string;
  readonly demo?: boolean;
  readonly lobby_url?: string;
  /** The address of the player's device. Some providers require it. */
  readonly player_ip?: string;
  readonly device?: "desktop" | "mobile";
  /** The page at which the player deposits money. */
  readonly deposit_url?: string;
  readonly history_url?: string;
  /** A name to show in the game: 1 to 64 characters. */
  readonly display_name?: string;
}

export interface Launch {
  readonly launch_url: string;
  readonly game: string;
  readonly provider: string;
  readonly demo: boolean;
}

export interface GamesQuery {
  readonly type?: Product;
  readonly provider?: string;
  readonly q?: string;
  readonly demo_available?: boolean;
  readonly active?: boolean | "all";
  readonly updated_since?: Time;
  readonly lang?: string;
  /** Items of a page: 1 to 500. */
  readonly limit?: number;
}

export interface Game {
  readonly code: string;
  readonly provider: string;
  readonly name: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly type: Product;
  readonly demo_available: boolean;
  readonly active: boolean;
  readonly images: Readonly<Record<string, string | null>> | null;
  readonly tags: readonly string[] | null;
  readonly rtp: number | null;
  readonly volatility: string | null;
  readonly free_rounds: boolean | null;
  readonly jackpot: boolean | null;
  readonly platforms: readonly string[] | null;
  readonly languages: readonly string[] | null;
  readonly blocked_countries: readonly string[] | null;
  readonly released_at: string | null;
  readonly updated_at: Time;
}

export interface Provider {
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
  readonly games: number;
}

/** The filters of a listing and of the feed. */
interface TransactionFilter {
  readonly action?: Action;
  readonly player_id?: string;
  readonly provider?: string;
  readonly game?: string;
  readonly tx_id?: string;
  readonly round_id?: string;
  /** Only bets and wins of this kind, for example `jackpot`. */
  readonly kind?: string;
  readonly ref_tx_id?: string;
}

export interface TransactionsQuery extends TransactionFilter {
  /** Created at or after `from` and before `to`. By default the last 24 hours. */
  readonly from?: Time;
  readonly to?: Time;
  readonly status?: Status;
  readonly order?: "asc" | "desc";
  /** Items of a page: 1 to 1000. */
  readonly limit?: number;
}

export interface ChangesQuery extends TransactionFilter {
  /** The cursor that you stored last. If you have none, give the time `since`. */
  readonly cursor?: string;
  readonly since?: Time;
  /** Items of a page: 1 to 1000. */
  readonly limit?: number;
  /** The pause at the end of the feed before the next call, in ms; 1000 by default. */
  readonly pauseMs?: number;
  /** Ends the iteration, even during a pause. */
  readonly signal?: AbortSignal;
}

export interface Attempt {
  readonly n: number;
  readonly at: Time | null;
  readonly duration_ms: number | null;
  readonly http_status: number | null;
  readonly result: string | null;
  readonly request_id: string | null;
  /** The beginning of a reply that the service could not read as an answer. */
  readonly reply_start: string | null;
}

export interface TransactionWithAttempts extends Transaction {
  readonly attempt_log: readonly Attempt[];
}

/** A page of the feed. */
export interface Changes {
  readonly items: readonly Transaction[];
  /** Store the cursor and the items in one transaction of your database. */
  readonly cursor: string;
  /** The age of the oldest change that is not in the feed yet, in ms. */
  readonly behindMs: number;
}

export interface Pending {
  readonly count: number;
  readonly bets: Decimal;
  readonly refunds: Decimal;
  readonly wins: Decimal;
  readonly rollbacks: Decimal;
}

export interface RoundSums {
  readonly bets: Decimal;
  readonly refunds: Decimal;
  readonly wins: Decimal;
  readonly rollbacks: Decimal;
  readonly pending: Pending;
}

export interface RoundsQuery {
  /** By default `open`; with `ended_since` by default `ended`. */
  readonly state?: "open" | "ended";
  /** Only rounds that were opened before this time. */
  readonly older_than?: Time;
  /** Only rounds that ended at this time or later. */
  readonly ended_since?: Time;
  /** Items of a page: 1 to 1000. */
  readonly limit?: number;
}

/** A round whose provider says when its rounds end. */
export interface ListedRound {
  readonly provider: string;
  readonly round_id: string;
  readonly state: "open" | "ended";
  readonly opened_at: Time;
  /** null: the round is open. */
  readonly ended_at: Time | null;
}

export interface Round {
  readonly provider: string;
  readonly round_id: string;
  /** Absent: the service is older than the ends of rounds. */
  readonly state?: "open" | "ended" | "unknown";
  readonly ended_at?: Time | null;
  readonly items: readonly Transaction[];
  /** The sums of the whole round, not only of this page. */
  readonly sums: RoundSums;
  readonly next_cursor: string | null;
}

export interface ReportQuery {
  /** First and last day, `YYYY-MM-DD`. The report includes both. */
  readonly from: string;
  readonly to: string;
  readonly group_by?: "day" | "provider" | "game" | "type" | "player";
  /** An IANA time zone. */
  readonly tz?: string;
  readonly provider?: string;
  readonly type?: Product;
}

export interface ReportTotals extends RoundSums {
  readonly bets_count: number;
  readonly refunds_count: number;
  readonly wins_count: number;
  readonly rollbacks_count: number;
  readonly ggr: Decimal;
  /** The parts of the bets and wins that have a kind. Absent: there are none. */
  readonly of_which?: readonly KindSum[];
}

export interface KindSum {
  readonly action: "bet" | "win";
  /** Later releases may add kinds. */
  readonly kind: string;
  readonly count: number;
  readonly amount: Decimal;
}

export interface Report {
  readonly currency: Currency;
  readonly tz: string;
  readonly group_by: string;
  readonly rows: readonly (ReportTotals & { readonly key: string })[];
  readonly totals: ReportTotals;
  readonly as_of: Time;
}
