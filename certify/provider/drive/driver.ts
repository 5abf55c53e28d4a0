/** The driver makes the provider's game play. It is a person, or the provider's own test code. */
import type { Session } from "../aggregator/session.ts";

export interface Spin {
  /** `category/case`. */
  readonly case: string;
  readonly session: Session;
  readonly launchUrl: string;
  /** The transaction that the case waits for. */
  readonly until: "bet" | "win";
}

/** What the game showed to the player about a spin. Every field is optional. */
export interface Shown {
  /** `played`: a paid round. `waiting`: no result yet. `refused`: not played. */
  readonly shown?: "played" | "waiting" | "refused";
  /** The bet and the win that the game showed to the player, in whole minor units. */
  readonly betMinor?: bigint;
  readonly winMinor?: bigint;
}

/** The driver could not make the game play. The message has the reason and the fix. */
export class SpinFailed extends Error {
  override readonly name = "SpinFailed";
}

export abstract class Driver {
  /** The maximum number of sessions that play at the same time. */
  abstract readonly atOnce: number;
  /** Whether one spin repeats the game until it wins. Otherwise a spin is one round. */
  abstract readonly spinsUntilWin: boolean;
  /** The maximum time until the player has made the spin, in milliseconds. */
  abstract readonly clickMs: number;

  /**
   * Makes the game play. Resolves when the driver has nothing more to report about the spin.
   *
   * @throws SpinFailed
   */
  abstract spin(spin: Spin): Promise<Shown>;

  /** Called when the spin's calls have arrived, so that the tester stops clicking. */
  seen(): void {}

  /** Returns what the game shows to the player at the end of the case; empty by default. */
  async look(): Promise<Shown> {
    return {};
  }
}
