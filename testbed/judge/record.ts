/** The record of a run: everything that the judge needs. */

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
  /** The time that the service had for its answer. */
  readonly timeoutMs: number;
  endedAt: number | null;
  /**
   * ok: a reply; refused: the service says that it did nothing and will do nothing; unknown: no reply, anything may
   * have happened.
   */
  outcome: Outcome;
}

export type Outcome =
  | {
      readonly kind: "ok";
      readonly status: "success" | "pending" | "failed";
      readonly error: string;
      readonly txId: string;
    }
  /** `field`: the field that the refusal names, where a test looks at it. */
  | { readonly kind: "refused"; readonly code: string; readonly field?: string }
  | { readonly kind: "unknown" };

/** One call of a wallet, as the service made it. */
export interface WalletCall {
  readonly content: Content;
  readonly body: string;
  readonly attempt: number;
  readonly replica: number;
  /**
   * `begunAt`: the service began the call. `sentAt`: the bytes left (null: never). `endedAt`: it had the answer (null:
   * its process died first).
   */
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

/** A resend or a closing of a row that a merchant or support asked for. */
export interface Command {
  readonly what: "resend" | "close";
  readonly key: string;
  readonly invokedAt: number;
  /** done: the service said so; refused: it wrote nothing; unknown: it gave no answer. */
  outcome: "done" | "refused" | "unknown";
}

export interface StoredRow {
  readonly transaction: Transaction;
  readonly feedSeq: bigint | null;
}

/** Everything that is known without a look into the service's processes. */
export interface OutsideRecord {
  /** Whether every fault was healed at the end, with enough time for everything that must end. */
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
  /**
   * Rows that were closed by the merchant's ledger, which changed before the row did: the service could not know that.
   */
  readonly closedUnseen?: ReadonlySet<string>;
  /** When the database's clock stepped forward: every lease of that moment is shorter than its holder knows. */
  readonly forwardAt?: readonly number[];
  /** Errors thrown by the code under test where only bugs throw. */
  readonly bugs: readonly string[];
}

/** The record of a simulated run: everything is known. */
export interface RunRecord extends OutsideRecord {
  readonly writes: readonly Write[];
  /** No process and no statement came to harm, so resends keep their times exactly. */
  readonly undisturbed: boolean;
  /** A merchant had too few permits, so a resend may come later than its time. */
  readonly crowded: boolean;
  /** The service resends a credit by itself for this long. */
  readonly horizonMs: number;
  /** A late copy of an unanswered attempt may reach the wallet for this long. */
  readonly quietPeriodMs: number;
}

/**
 * The first field in which two contents differ; ids are not compared. The judge has its own comparison, because it also
 * judges the service's.
 */
export function difference(a: Content, b: Content): string | undefined {
  const fields = (c: Content) => [
    c.action,
    c.amountMinor,
    c.currency,
    c.playerId,
    c.roundId,
    c.refTxId,
    c.game.provider,
    c.game.code,
  ];
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

export const violation = (invariant: Violation["invariant"], key: string, what: string): Violation => ({
  invariant,
  key,
  what,
});
