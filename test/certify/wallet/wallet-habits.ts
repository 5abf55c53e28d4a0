/** The parts of the wallet under test: its habits, its stored data, and the forms of transactions and replies. */
import type { BugName } from "./bugs.ts";

/** Unusual behaviour that is also right. */
export interface Habits {
  readonly codes?: Readonly<Record<string, string>>;
  /** More fields of each reply. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly rejectionStatus?: number;
  readonly delayMs?: number;
  /** The reply's JSON, printed in another way. */
  readonly print?: (reply: Reply) => string;
  readonly closes?: boolean;
  readonly neverNegative?: boolean;
  /** A known tx_id with other content is rejected. */
  readonly comparesContent?: boolean;
  readonly remembersNonces?: boolean;
  /** The currency is checked first, and this rejection is not kept. */
  readonly currencyFirst?: boolean;
  /** A callback gets a 500 while another one about the same transaction, or about the same player, is judged. */
  readonly locks?: "transaction" | "player";
  /** The server closes each connection after its reply, without saying so in the reply. */
  readonly hangsUp?: boolean;
  /** The wallet ignores X-Signature-Next. */
  readonly readsOneSignature?: boolean;
}

export interface Tx {
  readonly action: string;
  readonly player_id: string;
  readonly currency: string;
  readonly tx_id: string;
  readonly round_id: string;
  readonly ref_tx_id?: string;
  readonly minor: bigint;
}

export interface Reply {
  readonly ok: boolean;
  readonly balance?: bigint;
  readonly error?: string;
}

interface Applied {
  readonly tx: Tx;
  readonly reply: Reply;
}

export interface Books {
  readonly players: Map<string, { balance: number | bigint; readonly blocked: boolean }>;
  readonly applied: Map<string, Applied>;
  readonly rejected: Map<string, Reply>;
  readonly reversed: Set<string>;
  readonly tombstones: Set<string>;
  readonly rounds: Map<string, Set<string>>;
}

export const reject = (error: string): Reply => ({ ok: false, error });

/** The planted mistakes and the habits of one wallet, and its currency. */
export class Character {
  readonly habits: Habits;
  readonly currency: string;
  /** The minor units of one unit of the currency. */
  readonly scale: number;
  readonly #bugs: ReadonlySet<BugName>;

  constructor(bugs: readonly BugName[], habits: Habits, currency: string) {
    this.#bugs = new Set(bugs);
    this.habits = habits;
    this.currency = currency;
    this.scale = currency === "CLP" ? 1 : 100;
  }

  has(bug: BugName): boolean {
    return this.#bugs.has(bug);
  }
}
