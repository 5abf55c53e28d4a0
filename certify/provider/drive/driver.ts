/** What makes the provider's game play: a person, or the provider's own test code. */
import type { Session } from "../aggregator/session.ts";

export interface Spin {
  /** `category/case`. */
  readonly case: string;
  readonly session: Session;
  readonly launchUrl: string;
  /** What the case waits for. */
  readonly until: "bet" | "win";
}

/** What the player was shown of a spin. All of it is optional. */
export interface Shown {
  /** `played`: as a round that was paid for. `waiting`: as not decided yet. `refused`: as not played. */
  readonly shown?: "played" | "waiting" | "refused";
  /** Whole minor units that the player was told to have bet and won. */
  readonly betMinor?: bigint;
  readonly winMinor?: bigint;
}

/** The game could not be made to play. The message says what to do. */
export class SpinFailed extends Error {
  override readonly name = "SpinFailed";
}

export abstract class Driver {
  /** Sessions that play at the same time, at most. */
  abstract readonly atOnce: number;
  /** Whether the player plays as often as it takes to win. Otherwise a spin is one round. */
  abstract readonly spinsUntilWin: boolean;
  /** How long the player may take until the spin is made, in milliseconds. */
  abstract readonly clickMs: number;

  /** Makes the game play. Ends when the driver has nothing more to tell about it. @throws SpinFailed */
  abstract spin(spin: Spin): Promise<Shown>;

  /** Says that the spin's calls were seen, so that nobody goes on clicking. */
  seen(): void {}

  /** Asks what the player sees when the case is over; by default nobody can tell. */
  async look(): Promise<Shown> {
    return {};
  }
}
