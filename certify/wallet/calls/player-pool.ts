/**
 * Lends players to cases. One case at a time uses a player, so that cases with different players can run in parallel.
 */
import type { Needs } from "../case.ts";
import type { TrialPlayers } from "../trial.ts";
import type { Player } from "./player.ts";

interface Waiting {
  readonly needs: Needs;
  readonly start: (taken: TrialPlayers) => void;
}

const playersOf = ({ players, blocked, other }: TrialPlayers): Player[] =>
  [...players, blocked, other].filter((player) => player !== undefined);

export class PlayerPool {
  readonly #given: TrialPlayers;
  readonly #free: Set<Player>;
  readonly #waiting: Waiting[] = [];

  constructor(given: TrialPlayers) {
    this.#given = given;
    this.#free = new Set(playersOf(given));
  }

  /** A sentence that names the missing option; undefined when nothing is missing. */
  missing({ blocked, players = blocked ? 0 : 1, other }: Needs): string | undefined {
    if (blocked && this.#given.blocked === undefined) return "It needs --blocked-player.";
    if (other && this.#given.other === undefined) return "It needs --other-merchant and --other-secret.";
    return players > this.#given.players.length ? "It needs a second --player." : undefined;
  }

  /**
   * Waits for free players. Trials start in the order of their requests. A trial whose players are free does not wait
   * for earlier trials.
   */
  take(needs: Needs): Promise<TrialPlayers> {
    return new Promise((start) => {
      this.#waiting.push({ needs, start });
      this.#startWaiting();
    });
  }

  give(taken: TrialPlayers): void {
    for (const player of playersOf(taken)) this.#free.add(player);
    this.#startWaiting();
  }

  #startWaiting(): void {
    for (const next of [...this.#waiting]) {
      const taken = this.#choose(next.needs);
      if (taken === undefined) continue;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      for (const player of playersOf(taken)) this.#free.delete(player);
      next.start(taken);
    }
  }

  /**
   * Two merchants may have the same player_id. So a case with the other merchant gets this merchant's player with the
   * same id.
   */
  #choose({ blocked, players = blocked ? 0 : 1, other }: Needs): TrialPlayers | undefined {
    const given = this.#given;
    const alike = other ? given.players.find(({ id }) => id === given.other?.id) : undefined;
    const free = (alike === undefined ? given.players : [alike]).filter((player) => this.#free.has(player));
    const extras = [...(blocked ? [given.blocked] : []), ...(other ? [given.other] : [])];
    if (free.length < players || extras.some((player) => player === undefined || !this.#free.has(player)))
      return undefined;
    return {
      players: free.slice(0, players),
      ...(blocked && { blocked: given.blocked }),
      ...(other && { other: given.other }),
    };
  }
}
