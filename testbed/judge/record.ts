/** The record of a run: everything that the judge needs. */

import type { Effect } from "../../sandbox/merchant/ledger.ts";
import type {
  Content,
  Transaction,
  TransactionRequest,
  WalletAnswer,
} from "../../src/domain/transaction/transaction.ts";
import { CARRIED } from "../../src/domain/values/carried.ts";
import type { HourSum } from "../../src/ports/transactions/change-store.ts";
import type { RoundKey } from "../../src/ports/transactions/round-store.ts";

/** A process of the service was killed or paused. Times in ms. */
export interface ProcessFault {
  readonly kind: "crash" | "pause";
  readonly replica: number;
  readonly at: number;
  /** The time at which the process runs again. */
  readonly until: number;
}

/** One request of a provider, as the provider recorded it. */
export interface Operation {
  readonly content: TransactionRequest;
  readonly invokedAt: number;
  /** The time that the service had for its answer. */
  readonly timeoutMs: number;
  endedAt: number | null;
  /**
   * ok: a reply came. refused: the service answered that it did nothing and will do nothing. unknown: no reply came, so
   * the service may have done anything.
   */
  outcome: Outcome;
  /** The request was a Play, of which this is the bet or the win. */
  readonly ofPlay?: true;
  /**
   * The request was a Reverse, and `content` is the refund or rollback that it means if the original is known. `as`: what
   * the reply said.
   */
  readonly reverse?: { readonly deliver: boolean; as?: "refund" | "rollback" | "nothing" | "marked" };
}

/** One EndRound of a provider. */
export interface EndOperation {
  readonly key: RoundKey;
  readonly invokedAt: number;
  /** When the service said that the round has ended; null: it gave no such answer. */
  endedAt: number | null;
}

/** A round that a statement stored. */
export interface RoundWrite extends RoundKey {
  readonly at: number;
  /** As in {@link Write}. */
  readonly statement: number;
  /** By the database's clock. */
  readonly endedAt: number | null;
}

export type Outcome =
  | {
      readonly kind: "ok";
      readonly status: "success" | "pending" | "failed";
      readonly error: string;
      readonly txId: string;
    }
  /** `field`: the field that the refusal names, if a test checks it. */
  | { readonly kind: "refused"; readonly code: string; readonly field?: string }
  | { readonly kind: "unknown" }
  /** A Reverse was answered without a transaction. */
  | { readonly kind: "uncalled" };

/** One call of a wallet, as the service made it. */
export interface WalletCall {
  readonly content: Content;
  readonly body: string;
  readonly attempt: number;
  readonly replica: number;
  /**
   * `begunAt`: the service began the call. `sentAt`: the bytes left (null: never). `endedAt`: the service got the
   * answer (null: its process died first).
   */
  readonly begunAt: number;
  sentAt: number | null;
  endedAt: number | null;
  answer: WalletAnswer | null;
}

/** A row that a statement changed. */
export interface Write {
  readonly at: number;
  /** Statements are atomic: all writes of one statement become visible together. */
  readonly statement: number;
  readonly key: string;
  readonly before: Transaction | undefined;
  readonly after: Transaction;
  /** The row's change number after the write; undefined: the recorder cannot read numbers. */
  readonly feedSeq?: bigint | null;
}

/** A request of a merchant or of support to resend or close a row. */
export interface Command {
  readonly what: "resend" | "close";
  readonly key: string;
  readonly invokedAt: number;
  /** done: the service confirmed it. refused: it wrote nothing. unknown: it gave no answer. */
  outcome: "done" | "refused" | "unknown";
}

export interface StoredRow {
  readonly transaction: Transaction;
  readonly feedSeq: bigint | null;
}

/** The part of the record that needs no data from inside the service's processes. */
export interface OutsideRecord {
  /** Whether every fault was healed at the end, with enough time for everything that must end. */
  readonly healed: boolean;
  readonly endedAt: number;
  readonly operations: readonly Operation[];
  readonly calls: readonly WalletCall[];
  /** The wallets' effects, by merchant code; see `merchantIds`. */
  readonly effects: readonly Effect[];
  readonly merchantIds: ReadonlyMap<string, number>;
  /** Transactions that the service has lost: wallets applied them before the run. */
  readonly forgotten: ReadonlySet<string>;
  readonly rows: ReadonlyMap<string, StoredRow>;
  readonly sums: ReadonlyMap<number, ReadonlyMap<string, HourSum>>;
  readonly processFaults: readonly ProcessFault[];
  readonly commands?: readonly Command[];
  /** The ends of rounds, and every write of a round; absent: none was asked for. */
  readonly ends?: readonly EndOperation[];
  readonly roundWrites?: readonly RoundWrite[];
  /**
   * Rows that support closed with outdated evidence: the merchant's ledger changed before the row was closed. The
   * service cannot notice such a change.
   */
  readonly closedUnseen?: ReadonlySet<string>;
  /**
   * The times at which the database's clock stepped forward. Leases at these times end earlier than their holders
   * calculate.
   */
  readonly forwardAt?: readonly number[];
  /** Errors that the code under test throws only because of bugs. */
  readonly bugs: readonly string[];
}

/** The complete record of a simulated run. */
export interface RunRecord extends OutsideRecord {
  readonly writes: readonly Write[];
  /** Whether no process and no statement had a fault, so that resends must come exactly at their times. */
  readonly undisturbed: boolean;
  /** Whether a merchant had too few permits, so that a resend may be late. */
  readonly crowded: boolean;
  /** The service resends a credit by itself during this time. */
  readonly horizonMs: number;
  /** During this time a late copy of an unanswered attempt may reach the wallet. */
  readonly quietPeriodMs: number;
}

/**
 * The first field in which two contents differ. Ids are not compared. The judge does not use the service's comparison,
 * because it must also judge that comparison.
 */
export function difference(a: Content, b: Content): string | undefined {
  const fields = (c: Content) => [
    c.action,
    c.amountMinor,
    c.currency,
    c.playerId,
    ...CARRIED.map(({ property }) => c[property] ?? null),
    c.game.provider,
    c.game.code,
    c.bet?.txId,
    c.bet?.settles === true,
  ];
  const names = [
    "action",
    "amount",
    "currency",
    "player",
    ...CARRIED.map(({ name }) => name),
    "provider",
    "game",
    "bet",
    "settlement",
  ];
  const others = fields(b);
  const at = fields(a).findIndex((value, i) => value !== others[i]);
  return names[at];
}

export interface Violation {
  /** I1 to I17 of docs/simulation.md. I0: an error that only bugs cause. */
  readonly invariant: `I${number}`;
  readonly key: string;
  readonly what: string;
}

export const violation = (invariant: Violation["invariant"], key: string, what: string): Violation => ({
  invariant,
  key,
  what,
});
