import type { Result } from "../domain/errors.ts";

/** A token is good for this long after its launch. */
export const TOKEN_LIFE_MS = 600_000;

/** Launch tokens of the sportsbook: issued to a player's browser, exchanged once for a session (docs/specification/sportsbook.md#sb-token). */
export abstract class LaunchTokens {
  /** A token for one launch of this brand's sportsbook. */
  abstract issue(jti: string, brand: string): Promise<IssuedToken>;
  /** What an authentic token says. Refusals: TOKEN_INVALID, TOKEN_EXPIRED. */
  abstract read(token: string): Promise<Result<LaunchToken>>;
}

export interface IssuedToken {
  readonly token: string;
  /** The session that the token opens: 32 hex digits that can't be told from the token without the service's key. */
  readonly sessionId: string;
}

export interface LaunchToken {
  /** Names this one token: 32 hex digits. */
  readonly jti: string;
  readonly brand: string;
  readonly sessionId: string;
}
