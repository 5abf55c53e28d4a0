/** A pass: every case against one wallet. */

import { endingOf, NotTried, Unprepared } from "../report/ending.ts";
import { Unreachable } from "../report/faults.ts";
import type { Level } from "../report/report.ts";
import { decimals } from "./calls/money.ts";
import { Ids, Player } from "./calls/player.ts";
import { PlayerPool } from "./calls/player-pool.ts";
import { type Exchange, Wallet } from "./calls/wallet.ts";
import type { Case, Category, Needs } from "./case.ts";
import { CATEGORIES } from "./cases/list.ts";
import { Memory, memoryOf } from "./cases/memory.ts";
import type { Outcome, Pass, Plan } from "./pass.ts";
import { randomHistories, replayed } from "./random/histories.ts";
import { inWords, type PassSoFar, Trial, type TrialPlayers } from "./trial.ts";
import { VERSION } from "./version.ts";

export interface Listener {
  /** A case has ended. */
  onOutcome(outcome: Outcome, done: number, all: number): void;
  /** A case waits for this time. */
  onWait(ms: number): void;
}

/** @throws Unreachable */
export async function certify(
  plan: Plan,
  listener: Listener = { onOutcome: () => {}, onWait: () => {} },
): Promise<Pass> {
  const wallet = new Wallet(plan.url, plan.atOnce);
  try {
    return await new PassRun(plan, wallet, listener).run();
  } finally {
    wallet.close();
  }
}

function categoriesOf({ only = [], seed, histories, replay, pauseMs, resumed }: Plan, memory: Memory): Category[] {
  if (replay !== undefined) return [replayed(replay)];
  const all = [...CATEGORIES, memoryOf(memory, pauseMs, resumed), randomHistories(seed, histories)];
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
  readonly #memory = new Memory();
  readonly #listener: Listener;
  readonly #soFar: PassSoFar = {
    exchanges: () => this.#outcomes.flatMap(({ exchanges }) => exchanges),
    hasFailed: () => this.#outcomes.some(({ status }) => status === "failed"),
    onWait: (ms) => this.#listener.onWait(ms),
  };

  constructor(plan: Plan, wallet: Wallet, listener: Listener) {
    this.#listener = listener;
    this.#plan = plan;
    this.#wallet = wallet;
    const players = plan.players.map((id) => new Player(plan.merchant, id, this.#ids));
    const blocked = plan.blocked === undefined ? undefined : new Player(plan.merchant, plan.blocked, this.#ids);
    const other = plan.other === undefined ? undefined : new Player(plan.other.merchant, plan.other.player, this.#ids);
    for (const player of [...players, other]) if (player !== undefined) this.#before.set(player, null);
    this.#pool = new PlayerPool({ players, blocked, other });
  }

  async run(): Promise<Pass> {
    const at = new Date();
    const began = performance.now();
    await Promise.all(
      [...this.#before.keys()].map(async (player) => this.#before.set(player, await this.#reach(player))),
    );
    const categories = categoriesOf(this.#plan, this.#memory);
    const all = categories.reduce((sum, { cases }) => sum + cases.length, 0);
    const run = async (category: Category, one: Case): Promise<void> => {
      const outcome = { category, case: one, ...(await this.#try(one, this.#levelOf(category, one))) };
      this.#outcomes.push(outcome);
      this.#listener.onOutcome(outcome, this.#outcomes.length, all);
    };
    const cases = categories.flatMap((category) => category.cases.map((one) => ({ category, one })));
    const ordered = (order: Case["order"]) => cases.filter(({ one }) => one.order === order);
    for (const { category, one } of ordered("first")) await run(category, one);
    await Promise.all(ordered(undefined).map(({ category, one }) => run(category, one)));
    for (const { category, one } of ordered("last")) await run(category, one);
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
      memory: this.#memory,
      calls,
    };
  }

  /** A finding of a case that `--allow` names is a warning. */
  #levelOf(category: Category, { id, level }: Case): Level {
    return this.#plan.allow?.includes(`${category.id}/${id}`) ? "should" : (level ?? "must");
  }

  async #try({ needs = {}, run }: Case, binding: Level): Promise<Omit<Outcome, "category" | "case">> {
    const missing = this.#missing(needs);
    if (missing !== undefined) return { ...endingOf(missing, binding), exchanges: [], ms: 0 };
    const taken = await this.#pool.take(needs);
    const began = performance.now();
    const trial = new Trial(this.#wallet, taken, this.#soFar);
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
    await new Trial(this.#wallet, { players: [player] }, this.#soFar)
      .setBalance(player, balance)
      .catch((cause: unknown) => {
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
    const { meaning, status, text } = exchange.reply;
    if (meaning.kind === "accepted") return meaning.balance;
    const query = `a balance query of player ${player.id}, rightly signed for merchant ${player.account.code}`;
    if (status === null)
      throw new Unreachable(
        `${url.href} did not answer: ${inWords(exchange)}. Is the wallet running, and is the address right?`,
      );
    if (meaning.kind === "silent") {
      const isWallets = text.trimStart().startsWith("{");
      const hint = isWallets
        ? 'A wallet answers {"ok":true,"balance":97.5} or {"ok":false,"error":"PLAYER_NOT_FOUND"}.'
        : "Is the path right?";
      throw new Unreachable(
        `The wallet did not answer ${query}, but with ${inWords(exchange)} (${meaning.why}). ${hint}`,
      );
    }
    const { currency } = player.account;
    const hint =
      status === 401 || /SIGN|AUTH/.test(meaning.error)
        ? `Are ${options} the wallet's own, and does it check the signature over the raw body and ${target}?`
        : /CURREN/.test(meaning.error)
          ? `The callback's currency was ${currency}. Name the merchant's with ${isOther ? "--other-currency" : "--currency"}.`
          : `Name a player who exists at this merchant with ${isOther ? "--other-player" : "--player"}. If the player exists, is ${currency} the merchant's currency? Name it with ${isOther ? "--other-currency" : "--currency"}.`;
    throw new Unreachable(`The wallet refused ${query}: ${inWords(exchange)}. ${hint}`);
  }
}
