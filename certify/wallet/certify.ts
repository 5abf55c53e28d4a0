/** A pass: every case against one wallet. */

import { endingOf, NotTried, Unprepared } from "../report/ending.ts";
import { Unreachable } from "../report/faults.ts";
import { decimals } from "./calls/money.ts";
import { Ids, Player } from "./calls/player.ts";
import { PlayerPool } from "./calls/player-pool.ts";
import { type Exchange, Wallet } from "./calls/wallet.ts";
import type { Case, Category, Needs } from "./case.ts";
import { CATEGORIES } from "./cases/list.ts";
import type { Outcome, Pass, Plan } from "./pass.ts";
import { randomHistories, replayed } from "./random/histories.ts";
import { inWords, Trial, type TrialPlayers } from "./trial.ts";
import { VERSION } from "./version.ts";

type Listener = (outcome: Outcome, done: number, all: number) => void;

/**
 * Runs the plan. Calls `onOutcome` after each case.
 *
 * @throws Unreachable
 */
export async function certify(plan: Plan, onOutcome: Listener = () => {}): Promise<Pass> {
  const wallet = new Wallet(plan.url, plan.atOnce);
  try {
    return await new PassRun(plan, wallet).run(onOutcome);
  } finally {
    wallet.close();
  }
}

function categoriesOf({ only = [], seed, histories, replay }: Plan): Category[] {
  if (replay !== undefined) return [replayed(replay)];
  const all = [...CATEGORIES, randomHistories(seed, histories)];
  const isSelected = (category: Category, { id }: Case): boolean =>
    only.length === 0 || only.some((name) => name === category.id || name === `${category.id}/${id}`);
  return all
    .map((category) => ({ ...category, cases: category.cases.filter((one) => isSelected(category, one)) }))
    .filter(({ cases }) => cases.length > 0);
}

class PassRun {
  readonly #plan: Plan;
  readonly #wallet: Wallet;
  readonly #ids = new Ids();
  readonly #pool: PlayerPool;
  /**
   * The players whose balance can be restored, each with the balance before the pass; null when the wallet did not
   * report the balance.
   */
  readonly #before = new Map<Player, bigint | null>();
  readonly #outcomes: Outcome[] = [];

  constructor(plan: Plan, wallet: Wallet) {
    this.#plan = plan;
    this.#wallet = wallet;
    const players = plan.players.map((id) => new Player(plan.merchant, id, this.#ids));
    const blocked = plan.blocked === undefined ? undefined : new Player(plan.merchant, plan.blocked, this.#ids);
    const other = plan.other === undefined ? undefined : new Player(plan.other.merchant, plan.other.player, this.#ids);
    for (const player of [...players, other]) if (player !== undefined) this.#before.set(player, null);
    this.#pool = new PlayerPool({ players, blocked, other });
  }

  async run(onOutcome: Listener): Promise<Pass> {
    const at = new Date();
    const began = performance.now();
    await Promise.all(
      [...this.#before.keys()].map(async (player) => this.#before.set(player, await this.#reach(player))),
    );
    const categories = categoriesOf(this.#plan);
    const all = categories.reduce((sum, { cases }) => sum + cases.length, 0);
    const run = async (category: Category, one: Case): Promise<void> => {
      const outcome = { category, case: one, ...(await this.#try(one)) };
      this.#outcomes.push(outcome);
      onOutcome(outcome, this.#outcomes.length, all);
    };
    const cases = categories.flatMap((category) => category.cases.map((one) => ({ category, one })));
    await Promise.all(cases.filter(({ one }) => !one.isLast).map(({ category, one }) => run(category, one)));
    for (const { category, one } of cases.filter(({ one }) => one.isLast)) await run(category, one);
    const outcomes = cases.flatMap(({ one }) => this.#outcomes.filter((outcome) => outcome.case === one));
    await Promise.all([...this.#before.keys()].map((player) => this.#putBack(player)));
    const calls = outcomes.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
    return {
      version: VERSION,
      at,
      ms: performance.now() - began,
      plan: this.#plan,
      run: this.#ids.run,
      outcomes,
      calls,
    };
  }

  async #try({ needs = {}, level, run }: Case): Promise<Omit<Outcome, "category" | "case">> {
    const binding = level ?? "must";
    const missing = this.#missing(needs);
    if (missing !== undefined) return { ...endingOf(missing, binding), exchanges: [], ms: 0 };
    const taken = await this.#pool.take(needs);
    const began = performance.now();
    const trial = new Trial(this.#wallet, taken, () => this.#outcomes.flatMap(({ exchanges }) => exchanges));
    const cause = await run(trial).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const ended = { exchanges: trial.exchanges, ms: performance.now() - began };
    // The effects of a failed case must not make the next case fail.
    if (cause !== undefined) await this.#leave(taken);
    this.#pool.give(taken);
    return { ...endingOf<Exchange>(cause, binding), ...ended };
  }

  #missing(needs: Needs): NotTried | undefined {
    if (needs.decimals !== undefined && needs.decimals !== decimals(this.#plan.merchant.currency))
      return new NotTried(
        needs.decimals === 0 ? "It is about currencies without decimals (CLP)." : "The currency has no decimals.",
        false,
      );
    const option = this.#pool.missing(needs);
    return option === undefined ? undefined : new NotTried(option, true);
  }

  async #leave({ players, other }: TrialPlayers): Promise<void> {
    for (const player of [...players, other]) if (player !== undefined) await this.#putBack(player);
  }

  /** Restores the player's balance from before the pass, if the wallet accepts the callbacks. */
  async #putBack(player: Player): Promise<void> {
    const balance = this.#before.get(player) ?? null;
    if (balance === null) return;
    await new Trial(this.#wallet, { players: [player] }).setBalance(player, balance).catch((cause: unknown) => {
      if (!(cause instanceof Unprepared)) throw cause;
    });
  }

  /**
   * Reads the player's balance before the pass; null when the wallet reports none.
   *
   * @throws Unreachable
   */
  async #reach(player: Player): Promise<bigint | null> {
    const { url, target } = this.#wallet;
    const isOther = player.account === this.#plan.other?.merchant;
    const options = isOther ? "--other-merchant and --other-secret" : "--merchant and --secret";
    const exchange = await this.#wallet.send(player.query());
    const { meaning, status } = exchange.reply;
    if (meaning.kind === "accepted") return meaning.balance;
    const query = `a balance query of player ${player.id}, rightly signed for merchant ${player.account.code}`;
    if (status === null)
      throw new Unreachable(
        `${url.href} did not answer: ${inWords(exchange)}. Is the wallet running, and is the address right?`,
      );
    if (meaning.kind === "silent")
      throw new Unreachable(
        `The wallet did not answer ${query}, but with ${inWords(exchange)} (${meaning.why}). Is the path right?`,
      );
    const isSignature = status === 401 || /SIGN|AUTH/.test(meaning.error);
    const hint = isSignature
      ? `Are ${options} the wallet's own, and does it check the signature over the raw body and ${target}?`
      : `Name a player who exists at this merchant with ${isOther ? "--other-player" : "--player"}.`;
    throw new Unreachable(`The wallet refused ${query}: ${inWords(exchange)}. ${hint}`);
  }
}
