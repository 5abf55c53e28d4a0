import type { Transaction } from "../../domain/transaction/transaction.ts";
import { keyText, type TxKey } from "../../domain/values/identifiers.ts";
import type { Clock } from "../../ports/clock.ts";
import {
  type AdoptLine,
  type Claimed,
  type ClaimLine,
  type LineResult,
  type MarkLine,
  type PlayClaimLine,
  type PlaySettleLine,
  RoundOver,
  type ScheduleLine,
  type SealLine,
  type SettleBetLine,
  type SettleLine,
  StoreFault,
  type TakeOverLine,
  type TransactionStore,
} from "../../ports/transactions/transaction-store.ts";
import { Coalescer } from "../runtime/coalescer.ts";

const byKey = (line: { readonly key: TxKey }): string => keyText(line.key);
const byContent = (line: ClaimLine): string => keyText(line.content);

/** A series of claims that failed, without a success between them. Times are by Clock.monotonic(). */
export interface ClaimFailures {
  /** When the first claim of the series failed. */
  readonly since: number;
  /** When the last claim of the series failed. */
  readonly at: number;
}

/** The rows that a Play writes: its bet, and its win, which waits for the bet. */
export interface PlayLines {
  readonly bet: PlayClaimLine;
  readonly win: PlayClaimLine;
}
/** `win` is undefined if the bet was stored before, and nothing can be written because its round has ended. */
type PlayClaimed = { readonly bet: Claimed; readonly win: Claimed | undefined };

/** The transaction store with functions for a single row. Concurrent calls of the same kind share a statement. */
export class BatchedRows {
  readonly read: (key: TxKey) => Promise<Transaction | undefined>;
  readonly claim: (line: ClaimLine) => Promise<Claimed>;
  readonly claimPlay: (lines: PlayLines) => Promise<PlayClaimed>;
  /** Writes the win of a Play whose bet is stored already. */
  readonly claimWin: (line: PlayClaimLine) => Promise<Claimed>;
  readonly takeOver: (line: TakeOverLine) => Promise<Transaction | undefined>;
  readonly adopt: (line: AdoptLine) => Promise<Transaction | undefined>;
  readonly wait: (line: AdoptLine) => Promise<Transaction | undefined>;
  readonly mark: (line: MarkLine) => Promise<boolean>;
  readonly seal: (line: SealLine) => Promise<boolean>;
  readonly settleBet: (line: SettleBetLine) => Promise<boolean>;
  readonly settle: (line: SettleLine) => Promise<boolean>;
  readonly settlePlay: (line: PlaySettleLine) => Promise<boolean>;
  readonly schedule: (line: ScheduleLine) => Promise<boolean>;
  readonly #store: TransactionStore;
  readonly #clock: Clock;
  #failing: ClaimFailures | undefined;

  constructor(store: TransactionStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    // Every bet needs a claim and a settle. They share one coalescer. So claims are collected while settles run, and
    // settles while claims run.
    const perBet = new Coalescer(clock);
    this.claim = perBet.batched((lines: ClaimLine[]) => this.#claiming(store.claim(lines)), byContent);
    this.settle = perBet.batched((lines: SettleLine[]) => store.settle(lines), byKey);
    this.claimPlay = perBet.batched(
      (plays: PlayLines[]) => this.#claimPlays(plays),
      ({ bet }) => byContent(bet),
    );
    this.claimWin = new Coalescer(clock).batched(
      (lines: PlayClaimLine[]) => this.#claiming(store.claimPlay(lines)),
      byContent,
    );
    this.read = new Coalescer(clock).batched((keys) => store.read(keys), keyText);
    this.takeOver = new Coalescer(clock).batched((lines: TakeOverLine[]) => store.takeOver(lines), byKey);
    this.adopt = new Coalescer(clock).batched((lines: AdoptLine[]) => store.adopt(lines), byContent);
    this.wait = new Coalescer(clock).batched((lines: AdoptLine[]) => store.wait(lines), byContent);
    this.mark = new Coalescer(clock).batched((lines: MarkLine[]) => store.mark(lines), byKey);
    this.seal = new Coalescer(clock).batched((lines: SealLine[]) => store.seal(lines), byKey);
    this.settleBet = new Coalescer(clock).batched((lines: SettleBetLine[]) => store.settleBet(lines), byKey);
    this.settlePlay = perBet.batched((lines: PlaySettleLine[]) => store.settlePlay(lines), byKey);
    this.schedule = new Coalescer(clock).batched((lines: ScheduleLine[]) => store.schedule(lines), byKey);
  }

  /** The claims that have failed since the last success; undefined: the last claim succeeded. */
  get failing(): ClaimFailures | undefined {
    return this.#failing;
  }

  async #claimPlays(plays: readonly PlayLines[]): Promise<LineResult<PlayClaimed>[]> {
    const claimed = await this.#claiming(this.#store.claimPlay(plays.flatMap(({ bet, win }) => [bet, win])));
    return plays.map((_, i) => {
      const [bet, win] = [claimed[2 * i], claimed[2 * i + 1]];
      if (bet === undefined || win === undefined) throw new Error("two lines get two answers");
      if (bet instanceof StoreFault) return bet;
      if (win instanceof RoundOver) return { bet, win: undefined };
      return win instanceof StoreFault ? win : { bet, win };
    });
  }

  async #claiming(sent: Promise<LineResult<Claimed>[]>): Promise<LineResult<Claimed>[]> {
    try {
      const claimed = await sent;
      this.#failing = undefined;
      return claimed;
    } catch (cause) {
      const at = this.#clock.monotonic();
      this.#failing = { since: this.#failing?.since ?? at, at };
      throw cause;
    }
  }

  /**
   * Claims two rows in one statement: a reversal, and an original that has no row. This is too rare to share statements
   * with other calls.
   */
  async claimBoth(lines: readonly [ClaimLine, ClaimLine]): Promise<[Claimed, Claimed]> {
    const [first, second] = await this.#store.claim(lines);
    if (first === undefined || second === undefined) throw new Error("two lines get two answers");
    if (first instanceof StoreFault) throw first;
    if (second instanceof StoreFault) throw second;
    return [first, second];
  }
}
