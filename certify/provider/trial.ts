/** One run of one case: opens sessions, makes the game play, and waits until the provider has made its last call. */
import { setTimeout as sleep } from "node:timers/promises";
import { NotTried, Unprepared } from "../report/ending.ts";
import type { Aggregator } from "./aggregator/aggregator.ts";
import { type BadDay, type Call, newPlayer, type Player, Session } from "./aggregator/session.ts";
import type { Driver, Shown, Spin } from "./drive/driver.ts";
import { judge } from "./judge/judge.ts";
import { betsOf, isFinal, refundsOf, standingOf, type Transaction, transactionsOf, winsOf } from "./judge/standing.ts";
import type { Opening, Source } from "./source.ts";

/** Maximum waits, in milliseconds. */
export interface Waits {
  /** The wait from a spin to its bet. */
  readonly bet: number;
  /** The wait from an accepted bet to its win. */
  readonly win: number;
  /** The wait from the first answer of a bet that stays open to its refund. */
  readonly refund: number;
  /** The wait from the first answer of a win or refund to its delivery. */
  readonly deliver: number;
  /** The wait from the last expected call to the end of the case, to notice further calls. */
  readonly quiet: number;
}

export interface Setting {
  readonly aggregator: Aggregator;
  readonly source: Source;
  readonly driver: Driver;
  readonly game: string;
  readonly currency: string;
  readonly waits: Waits;
  /** The maximum number of spins until a win comes. */
  readonly spinsMax: number;
}

/** What the game showed to the player, and whether the bet was paid at that moment. */
export interface Seen extends Shown {
  readonly session: Session;
  readonly isPaid: boolean;
}

interface Opened {
  readonly session: Session;
  readonly launchUrl: string;
}

export class Trial {
  readonly sessions: Session[] = [];
  readonly seen: Seen[] = [];
  /** The trials that began before this one. */
  readonly earlier: readonly Trial[];
  readonly #setting: Setting;
  readonly #name: string;
  readonly #reports: Promise<void>[] = [];
  #spins = 0;

  /** `name`: the name of the case, as `category/case`. */
  constructor(setting: Setting, name: string, earlier: readonly Trial[]) {
    this.#setting = setting;
    this.#name = name;
    this.earlier = earlier;
  }

  get waits(): Waits {
    return this.#setting.waits;
  }

  get calls(): Call[] {
    return this.sessions.flatMap(({ calls }) => calls).sort((a, b) => a.at - b.at);
  }

  /** The calls of the trials that have certainly ended: those before this one, when one case runs at a time. */
  get endedCalls(): Call[] {
    return this.#setting.driver.atOnce === 1 ? this.earlier.flatMap(({ calls }) => calls) : [];
  }

  /** Creates a session of this trial. The game is not opened yet. */
  session({ badDay = {}, demo = false, player = newPlayer() }: SessionOptions = {}): Session {
    const { aggregator, game, currency } = this.#setting;
    const session = new Session(player, game, currency, demo, badDay);
    aggregator.add(session);
    this.sessions.push(session);
    return session;
  }

  launch(session: Session, language = "en"): Promise<Opening> {
    return this.#setting.source.open(session, language);
  }

  /** @throws Unprepared */
  async open(options?: SessionOptions): Promise<Opened> {
    const session = this.session(options);
    const opening = await this.launch(session);
    if ("fault" in opening) throw new Unprepared(`OpenGame got ${opening.fault}.`);
    return { session, launchUrl: opening.launchUrl };
  }

  /**
   * Makes the game play once, and waits for the bet.
   *
   * @throws Unprepared
   */
  async spin(opened: Opened, until: Spin["until"] = "bet"): Promise<void> {
    const { waits, aggregator } = this.#setting;
    const { session } = opened;
    const bets = (): number => betsOf(transactionsOf(session.calls)).length;
    const before = bets();
    const end = aggregator.now() + waits.bet;
    const failed = this.#play(opened, until);
    while (bets() === before && failed.why === undefined && aggregator.now() < end)
      await aggregator.change(Math.min(100, end - aggregator.now()));
    if (bets() > before) return this.#setting.driver.seen();
    throw new Unprepared(failed.why ?? `No PlaceBet of the session came within ${waits.bet / 1_000} s after the spin.`);
  }

  /**
   * Makes the game play until a win comes.
   *
   * @throws Unprepared, NotTried
   */
  async spinUntilWin(opened: Opened): Promise<void> {
    const { driver, waits, spinsMax, aggregator } = this.#setting;
    const wins = (): number => winsOf(transactionsOf(opened.session.calls)).length;
    const spinCount = driver.spinsUntilWin ? 1 : spinsMax;
    const winWaitMs = driver.spinsUntilWin ? waits.bet : waits.win;
    for (let n = 0; n < spinCount; n += 1) {
      const seenCount = this.seen.length;
      await this.spin(opened, "win");
      const end = aggregator.now() + winWaitMs;
      const isLost = (): boolean => this.seen.slice(seenCount).some(({ winMinor }) => winMinor === 0n);
      while (wins() === 0 && !isLost() && aggregator.now() < end)
        await aggregator.change(Math.min(100, end - aggregator.now()));
      if (wins() > 0) return;
    }
    throw new NotTried(
      `No PayWin came in ${spinCount} ${spinCount === 1 ? "attempt" : "spins"}. A spin that is asked for a win should have one.`,
      true,
    );
  }

  /**
   * Makes the game play in a situation where no bet may come. Waits to see whether a bet comes.
   *
   * @throws Unprepared
   */
  async spinInVain(opened: Opened): Promise<void> {
    const { aggregator, driver, waits } = this.#setting;
    const failed = this.#play(opened, "bet");
    await within(Promise.all(this.#reports), waits.bet);
    if (failed.why !== undefined) throw new Unprepared(failed.why);
    const end = aggregator.now() + driver.clickMs + waits.quiet;
    while (transactionsOf(opened.session.calls).length === 0 && aggregator.now() < end)
      await aggregator.change(Math.min(100, end - aggregator.now()));
  }

  /** Waits until no transaction needs a further call of the provider, or the time for the call is over. */
  async settle(): Promise<void> {
    const { aggregator } = this.#setting;
    for (;;) {
      const now = aggregator.now();
      const waitMs = Math.max(0, ...transactionsOf(this.calls).map((one) => this.#dueMs(one, now)));
      if (waitMs <= 0) return;
      await aggregator.change(waitMs);
    }
  }

  /** Waits to see whether further calls come. */
  async quiet(): Promise<void> {
    await sleep(this.waits.quiet);
    await this.settle();
    await within(Promise.all(this.#reports), this.waits.bet);
    const [session] = this.sessions;
    if (session !== undefined) this.#see(session, await this.#setting.driver.look());
  }

  /** @throws Finding */
  judge(): void {
    judge(this.calls, this.#spins);
  }

  #play({ session, launchUrl }: Opened, until: Spin["until"]): { why?: string } {
    const { driver } = this.#setting;
    this.#spins += until === "win" && driver.spinsUntilWin ? Number.POSITIVE_INFINITY : 1;
    const failed: { why?: string } = {};
    const report = driver.spin({ case: this.#name, session, launchUrl, until }).then(
      (shown) => this.#see(session, shown),
      (cause: unknown) => void (failed.why = (cause as Error).message),
    );
    this.#reports.push(report);
    return failed;
  }

  #see(session: Session, shown: Shown): void {
    const isPaid = betsOf(transactionsOf(session.calls)).some((bet) => standingOf(bet) === "success");
    if (Object.keys(shown).length > 0) this.seen.push({ ...shown, session, isPaid });
  }

  /**
   * The time that the provider still has for its next call of a transaction; 0: it needs no call, or its time is over.
   */
  #dueMs(transaction: Transaction, now: number): number {
    const { refund, deliver, quiet } = this.waits;
    const { calls, method } = transaction;
    if (calls.some(({ answer }) => answer === undefined)) return 100;
    const standing = standingOf(transaction);
    if (isFinal(standing) || standing === "delivered") return 0;
    const isBet = method === "PlaceBet";
    if (isBet && refundsOf(transactionsOf(this.calls), transaction).length > 0) return 0;
    // After OVERLOADED the provider need not send the bet again, so it is unknown whether another call comes.
    if (isBet && standing === "unrecorded") return (calls.at(-1)?.at ?? 0) + 2 * quiet - now;
    return (calls[0]?.answeredAt ?? now) + (isBet ? refund : deliver) - now;
  }
}

/**
 * Resolves when the work is done, or after `ms`. The timer is stopped, because a running timer would keep the process
 * alive.
 */
async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const done = new AbortController();
  const late = sleep(ms, undefined, { signal: done.signal }).catch(() => {});
  await Promise.race([work, late]).finally(() => done.abort());
}

export interface SessionOptions {
  readonly badDay?: BadDay;
  readonly demo?: boolean;
  readonly player?: Player;
}
