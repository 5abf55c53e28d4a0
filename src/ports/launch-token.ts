import type { Result } from "../domain/errors.ts";

/** A token is valid for this long after its launch, in ms. */
export const TOKEN_LIFE_MS = 600_000;

/**
 * Launch tokens of the sportsbook. A player's browser gets a token and exchanges it once for a session
 * (docs/specification/sportsbook.md#sb-token).
 */
export abstract class LaunchTokens {
  /** Makes a token for one launch of this brand's sportsbook. */
  abstract issue(jti: string, brand: string): Promise<IssuedToken>;
  /** Verifies a token and returns its content. Refusals: TOKEN_INVALID, TOKEN_EXPIRED. */
  abstract read(token: string): Promise<Result<LaunchToken>>;
}

export interface IssuedToken {
  readonly token: string;
  /**
   * The id of the session that the token opens: 32 hex digits. It can be computed from the token only with the
   * service's key.
   */
  readonly sessionId: string;
}

export interface LaunchToken {
  /** The token's own id: 32 hex digits. */
  readonly jti: string;
  readonly brand: string;
  readonly sessionId: string;
}
