import type { PassedOn } from "../../domain/merchant/launch-policy.ts";
import type { Source } from "../settings-store.ts";

/** Opens a game at one source of a provider. */
export abstract class GameLauncher {
  /**
   * Returns the launch_url, an absolute http(s) URL.
   *
   * @throws OpenFailed if the source fails, if its reply has no such URL, or if it takes longer than `deadlineMs`.
   */
  abstract open(source: Source, game: OpenGame, deadlineMs: number): Promise<string>;
}

/**
 * The ways in which a source fails to open a game.
 * - `unreachable`: no connection, or the connection broke
 * - `timeout`: no answer before the deadline
 * - `refused`: the source answered with an error
 * - `unusable`: the answer has no usable launch_url
 */
export const OPEN_FAULTS = ["unreachable", "timeout", "refused", "unusable"] as const;
export type OpenFault = (typeof OPEN_FAULTS)[number];

/** A source did not open a game. The message is for people, and has no session id. */
export class OpenFailed extends Error {
  readonly fault: OpenFault;

  constructor(fault: OpenFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** The request of the provider's GameService.OpenGame. */
export interface OpenGame extends PassedOn {
  readonly sessionId: string;
  readonly playerRef: string;
  readonly gameCode: string;
  readonly currency: string;
  readonly language: string;
  readonly country: string;
  readonly demo: boolean;
  /** The codes of the merchant and of its brand. */
  readonly merchant: string;
  readonly brand: string;
  /** The merchant's. null: not told. */
  readonly jurisdiction: string | null;
}
