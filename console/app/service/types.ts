/** The messages of the internal rpcs as JSON. A field with its default value is absent. */
import type { PlainInput } from "../../../contract/merchants/fields.ts";
import type { Layout } from "../../../web-renderer/protocol.ts";
import type { Whole } from "../parts/amount.ts";

export interface Merchant extends PlainInput {
  readonly code: string;
  readonly currency: string;
  readonly brand?: string;
  readonly products?: readonly string[];
  readonly ipList?: readonly string[];
  readonly limits?: Readonly<Record<string, number>>;
  readonly secretVersion?: number;
  readonly rotationEndsAt?: string;
}

export interface Brand {
  readonly code: string;
  readonly name: string;
  readonly theme: string;
  readonly layout: Layout;
  readonly defaultLanguage?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly allowedOrigins?: readonly string[];
}

export interface Source {
  readonly address: string;
  readonly deadlineMs?: number;
  readonly enabled?: boolean;
  /** Absent: no launch at this source in the last 7 days. */
  readonly health?: {
    /** In the last 24 hours. */
    readonly opened?: number;
    readonly failed?: number;
    readonly lastOpenedAt?: string;
    readonly lastOpenedMs?: number;
    readonly lastFailedAt?: string;
    readonly lastFault?: string;
    readonly lastFailure?: string;
  };
}

export interface Provider {
  readonly code: string;
  readonly name: string;
  readonly active?: boolean;
  readonly sources?: readonly Source[];
  readonly keys?: readonly Key[];
}

export interface Transaction {
  readonly merchant?: string;
  readonly txId: string;
  readonly roundId: string;
  readonly refTxId?: string;
  readonly action: "bet" | "win" | "refund" | "rollback";
  readonly amountMinor: Whole;
  readonly currency: string;
  readonly status: "pending" | "success" | "failed";
  readonly error?: string;
  readonly provider: string;
  readonly game: string;
  readonly playerId: string;
  readonly balanceMinor?: Whole;
  readonly attempts?: number;
  readonly lastResult?: string;
  readonly nextAttemptAt?: string;
  readonly resolvedBy?: string;
  readonly reversedBy?: string;
  /** A newer release of the service may have kinds that these pages do not know. */
  readonly kind?: string;
  readonly promoId?: string;
  readonly jackpot?: { readonly id?: string; readonly tier?: string };
  readonly settledBy?: string;
  readonly inFlight?: boolean;
  readonly createdAt: string;
  readonly openedAt?: string;
  readonly updatedAt: string;
}

export interface Attempt {
  readonly n: number;
  readonly at: string;
  readonly durationMs?: number;
  readonly httpStatus?: number;
  readonly result?: string;
  readonly requestId?: string;
  readonly replyStart?: string;
  /** The wallet's code, if it refused. */
  readonly error?: string;
}

export interface Key {
  readonly name: string;
  readonly provider?: string;
  readonly role?: string;
  readonly expiresAt?: string;
  readonly revoked?: boolean;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly target?: string;
  readonly reason?: string;
  readonly changes?: readonly { readonly field: string; readonly from?: string; readonly to?: string }[];
}

export interface GgrSum {
  readonly count?: number;
  readonly amountMinor?: Whole;
}

export interface GgrRow {
  readonly key?: string;
  /** The name of the game or provider. */
  readonly name?: string;
  readonly bets?: GgrSum;
  readonly refunds?: GgrSum;
  readonly wins?: GgrSum;
  readonly rollbacks?: GgrSum;
  readonly ggrMinor?: Whole;
  readonly pending?: { readonly count?: number };
  /** The bets and wins that have a kind. They are a part of `bets` and `wins`. */
  readonly ofWhich?: { readonly sums?: readonly KindSum[] };
}

export interface KindSum extends GgrSum {
  readonly action: "bet" | "win";
  readonly kind: string;
}

export interface GgrReport {
  readonly currency: string;
  readonly tz: string;
  readonly groupBy: string;
  readonly rows?: readonly GgrRow[];
  readonly totals?: GgrRow;
  readonly asOf: string;
}

/** A page of a list. `nextCursor` is absent on the last page. */
export interface Paged {
  readonly nextCursor?: string;
}

export interface Brands extends Paged {
  readonly brands?: readonly Brand[];
  /** The sportsbook's address; absent: there is none. */
  readonly sportsbookUrl?: string;
}

/** A transaction with its wallet calls. */
export interface TimelineTransaction {
  readonly transaction: Transaction;
  readonly attemptLog?: readonly Attempt[];
  readonly horizonAt?: string;
}

export interface TimelineSlip {
  readonly slipId: string;
  readonly status: "running" | "accepted" | "failed";
  readonly failedTxId?: string;
  readonly failure?: string;
  readonly unfinished?: boolean;
  readonly createdAt: string;
  readonly bets?: readonly {
    readonly txId: string;
    readonly amountMinor?: Whole;
    readonly status?: Transaction["status"] | "";
    readonly reversedBy?: string;
  }[];
}

/** All that the service knows of a transaction. */
export interface Timeline {
  readonly transaction: TimelineTransaction;
  readonly related?: TimelineTransaction;
  readonly slip?: TimelineSlip;
  readonly auditEntries?: readonly AuditEntry[];
  readonly now: string;
  readonly resendable?: boolean;
  readonly resolvable?: boolean;
  readonly notResolvableBecause?: string;
  readonly contradiction?: boolean;
  readonly roundState?: "open" | "ended" | "unknown";
  readonly roundEndedAt?: string;
}
