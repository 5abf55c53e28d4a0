/** What a run leaves behind: all that the checker judges by. */

import type { Effect } from "../../sandbox/merchant/ledger.ts";
import type { Content, Transaction, WalletAnswer } from "../../src/domain/transaction/transaction.ts";
import type { HourSum } from "../../src/ports/transactions/change-store.ts";

/** A process of the service was killed, or stood still. Times in ms. */
export interface Injury {
  readonly kind: "crash" | "pause";
  readonly replica: number;
  readonly at: number;
  /** When it runs again. */
  readonly until: number;
}

/** One request of a provider, as the provider saw it. */
export interface Operation {
  readonly content: Content;
  readonly invokedAt: number;
  /** How long the service had for its answer. */
  readonly timeoutMs: number;
  endedAt: number | null;
  /** ok: a reply; refused: the service says that it did not and will not; unknown: no reply, anything may have happened. */
  outcome: Outcome;
}

export type Outcome =
  | { readonly kind: "ok"; readonly status: "success" | "pending" | "failed"; readonly error: string; readonly txId: string }
  /** `field`: what the refusal names, where somebody looks. */
  | { readonly kind: "refused"; readonly code: string; readonly field?: string }
  | { readonly kind: "unknown" };

/** One call of a wallet, as the service made it. */
export interface WalletCall {
  readonly content: Content;
  readonly body: string;
  readonly attempt: number;
  readonly replica: number;
  /** When the service turned to the wallet; when the bytes left (null: never); when the answer was in its hands (null: its process died first). */
  readonly begunAt: number;
  sentAt: number | null;
  endedAt: number | null;
  answer: WalletAnswer | null;
}

/** A row that a statement changed. */
export interface Write {
  readonly at: number;
  /** Statements are atomic: what it wrote becomes visible together. */
  readonly statement: number;
  readonly key: string;
  readonly before: Transaction | undefined;
  readonly after: Transaction;
  /** The row's number after it; undefined: the recorder doesn't see numbers. */
  readonly feedSeq?: bigint | null;
}

/** What a merchant or support asked the service to do with a row. */
export interface Command {
  readonly what: "resend" | "close";
  readonly key: string;
  readonly invokedAt: number;
  /** done: so said the service; refused: it wrote nothing; unknown: nothing was heard. */
  outcome: "done" | "refused" | "unknown";
}

export interface StoredRow {
  readonly transaction: Transaction;
  readonly feedSeq: bigint | null;
}

/** What can be known without looking into the service's processes. */
export interface OutsideRecord {
  /** Whether everything healed at the end, so that what must come to an end had the time to. */
  readonly healed: boolean;
  readonly endedAt: number;
  readonly operations: readonly Operation[];
  readonly calls: readonly WalletCall[];
  /** By merchant code; see `merchantIds`. */
  readonly effects: readonly Effect[];
  readonly merchantIds: ReadonlyMap<string, number>;
  /** Applied before the run, by a service that has forgotten it. */
  readonly forgotten: ReadonlySet<string>;
  readonly rows: ReadonlyMap<string, StoredRow>;
  readonly sums: ReadonlyMap<number, ReadonlyMap<string, HourSum>>;
  readonly injuries: readonly Injury[];
  readonly commands?: readonly Command[];
  /** Closed by what the merchant's ledger said, which changed before the row was: nothing in this service could have known. */
  readonly closedUnseen?: ReadonlySet<string>;
  /** When the database's clock stepped forward: every lease of that moment is shorter than its holder knows. */
  readonly forwardAt?: readonly number[];
  /** Errors thrown by the code under test where only bugs throw. */
  readonly bugs: readonly string[];
}

/** Of a simulated run everything is known. */
export interface RunRecord extends OutsideRecord {
  readonly writes: readonly Write[];
  /** No process and no statement came to harm, so resends keep their times exactly. */
  readonly undisturbed: boolean;
  /** A merchant's places were short, so a resend may be later than its time. */
  readonly crowded: boolean;
  /** For how long the service sends a credit again by itself. */
  readonly horizonMs: number;
  /** How long after an unanswered attempt a late copy of it may reach the wallet. */
  readonly quietPeriodMs: number;
}

/** The first field in which two contents differ, their ids aside. Its own, for the service's comparison is among what is judged. */
export function difference(a: Content, b: Content): string | undefined {
  const fields = (c: Content) => [c.action, c.amountMinor, c.currency, c.playerId, c.roundId, c.refTxId, c.game.provider, c.game.code];
  const names = ["action", "amount", "currency", "player", "round", "reference", "provider", "game"];
  const others = fields(b);
  const at = fields(a).findIndex((value, i) => value !== others[i]);
  return names[at];
}

export interface Violation {
  /** I1 to I12 of docs/simulation.md; I0: something threw that only bugs throw. */
  readonly invariant: `I${number}`;
  readonly key: string;
  readonly what: string;
}

export const violation = (invariant: Violation["invariant"], key: string, what: string): Violation => ({ invariant, key, what });
