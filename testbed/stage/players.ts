import type { Content } from "../../src/domain/transaction/transaction.ts";
import type { Outcome } from "../judge/record.ts";
import type { Listening } from "../provider/provider.ts";
import type { SeededRandom } from "../seeded-random.ts";
import type { Installation, Player } from "./installation.ts";

/** The longest time for which a provider repeats one transaction. */
const PATIENCE_MS = 10_000;
/** The average time between two rounds of one player. */
const THINK_MS = 60;

const SHARE = { copies: 0.1, refunded: 0.1, won: 0.5, rolledBack: 0.1, repeated: 0.1 } as const;

/**
 * Plays with all players of the installation: bets, wins, refunds, rollbacks, copies at two replicas at the same time,
 * repeats of final transactions. A transaction without a final answer is repeated at another replica, and an open bet
 * is refunded, as a real provider does.
 */
export class Players {
  /** The number of replies with a result since {@link play}, and the longest time without such a reply. */
  acknowledged = 0;
  longestSilenceMs = 0;
  readonly #installation: Installation;
  readonly #replicas: () => readonly Listening[];
  readonly #random: SeededRandom;
  readonly #final: { readonly player: Player; readonly content: Content }[] = [];
  #rounds = 0;
  #playing = false;
  #lastReplyAt = 0;
  #turns: readonly Promise<void>[] = [];

  /** @param replicas - returns the replicas that a provider may call now, in any state. */
  constructor(installation: Installation, replicas: () => readonly Listening[], random: SeededRandom) {
    this.#installation = installation;
    this.#replicas = replicas;
    this.#random = random;
  }

  play(): void {
    this.#playing = true;
    this.acknowledged = 0;
    this.longestSilenceMs = 0;
    this.#lastReplyAt = performance.now();
    this.#turns = this.#installation.players.map((player) => this.#sit(player));
  }

  /** Resolves when no request is running. */
  async pause(): Promise<void> {
    this.#playing = false;
    await Promise.all(this.#turns);
  }

  async #sit(player: Player): Promise<void> {
    while (this.#playing) {
      await this.#round(player);
      await new Promise((resolve) => setTimeout(resolve, 2 * THINK_MS * this.#random.fraction()));
    }
  }

  async #round(player: Player): Promise<void> {
    const own = `p${++this.#rounds}`;
    const amountMinor = 100n + BigInt(this.#rounds % 900);
    const ask = (action: "bet" | "win" | "refund" | "rollback", id: string, ref: string | null = null) =>
      this.#ask(player, this.#installation.content(player, action, id, ref, amountMinor));
    const bet = await ask("bet", `${own}b`);
    if (!isSuccess(bet)) {
      // Without an answer the round does not begin, and the refund undoes the bet if it was applied.
      if (bet.kind === "unknown" || (bet.kind === "ok" && bet.status === "pending"))
        await ask("refund", `${own}f`, `${own}b`);
      return;
    }
    if (this.#random.chance(SHARE.refunded)) await ask("refund", `${own}f`, `${own}b`);
    else if (
      this.#random.chance(SHARE.won) &&
      isSuccess(await ask("win", `${own}w`)) &&
      this.#random.chance(SHARE.rolledBack)
    )
      await ask("rollback", `${own}r`, `${own}w`);
    if (this.#random.chance(SHARE.repeated) && this.#final.length > 0) {
      const { player, content } = this.#random.pick(this.#final);
      await this.#ask(player, content);
    }
  }

  async #ask(player: Player, content: Content): Promise<Outcome> {
    const until = performance.now() + PATIENCE_MS;
    const repeatUntilFinal = () =>
      this.#installation.provider.repeatUntilFinal(
        content,
        player.sessionId,
        () => this.#random.pick(this.#replicas()),
        () => performance.now() > until,
      );
    const [outcome] = await Promise.all(
      this.#random.chance(SHARE.copies) ? [repeatUntilFinal(), repeatUntilFinal()] : [repeatUntilFinal()],
    );
    this.#countReply(outcome as Outcome);
    if ((outcome as Outcome).kind === "ok") this.#final.push({ player, content });
    return outcome as Outcome;
  }

  #countReply(outcome: Outcome): void {
    if (outcome.kind !== "ok") return;
    const now = performance.now();
    this.acknowledged += 1;
    this.longestSilenceMs = Math.max(this.longestSilenceMs, now - this.#lastReplyAt);
    this.#lastReplyAt = now;
  }
}

const isSuccess = (outcome: Outcome): boolean => outcome.kind === "ok" && outcome.status === "success";
