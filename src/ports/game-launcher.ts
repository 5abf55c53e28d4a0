import type { Source } from "./settings-store.ts";

/** Opens a game at one source of a provider. */
export abstract class GameLauncher {
  /**
   * Returns the launch_url, an absolute http(s) URL. Throws if the source fails, if its reply has no such URL, or if it
   * takes longer than `deadlineMs`.
   */
  abstract open(source: Source, game: OpenGame, deadlineMs: number): Promise<string>;
}

/** The request of the provider's GameService.OpenGame. */
export interface OpenGame {
  readonly sessionId: string;
  readonly playerRef: string;
  readonly gameCode: string;
  readonly currency: string;
  readonly language: string;
  readonly country: string;
  readonly demo: boolean;
  readonly lobbyUrl: string | null;
}
