import type { Source } from "./settings-store.ts";

/** Opens a game at one source of a provider. */
export abstract class GameLauncher {
  /** The launch_url, absolute http(s). Throws when the source fails, answers nonsense, or is later than `deadlineMs`. */
  abstract open(source: Source, game: OpenGame, deadlineMs: number): Promise<string>;
}

/** What the provider's GameService.OpenGame is told. */
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
