import { createHmac } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { ok, type Result, refuse } from "../../domain/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import { type IssuedToken, type LaunchToken, LaunchTokens, TOKEN_LIFE_MS } from "../../ports/launch-token.ts";

/** The only algorithm that is accepted. The header of a token cannot choose another algorithm. */
const ALGORITHM = "HS256";
/**
 * The type of launch tokens. A token of another type with the same key is never accepted as a launch token (RFC 8725,
 * 3.11).
 */
const TYPE = "sb-launch+jwt";
const ISSUER = "aggregator";
const TOKEN_MAX_LENGTH = 4_096;

/** Launch tokens as JWTs. Only this service signs and reads them. */
export class JwtLaunchTokens extends LaunchTokens {
  readonly #key: Uint8Array;
  readonly #clock: Clock;

  /** @param key - 32 bytes. */
  constructor(key: Uint8Array, clock: Clock) {
    super();
    this.#key = key;
    this.#clock = clock;
  }

  override async issue(jti: string, brand: string): Promise<IssuedToken> {
    const issuedAt = Math.floor(this.#clock.now() / 1_000);
    const token = await new SignJWT()
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(brand)
      .setJti(jti)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_LIFE_MS / 1_000)
      .sign(this.#key);
    return { token, sessionId: this.#sessionId(jti) };
  }

  override async read(token: string): Promise<Result<LaunchToken>> {
    if (token.length > TOKEN_MAX_LENGTH) return refuse("TOKEN_INVALID", { field: "token" });
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        requiredClaims: ["aud", "jti", "iat", "exp"],
        currentDate: new Date(this.#clock.now()),
      });
      if (typeof payload.jti !== "string" || typeof payload.aud !== "string")
        return refuse("TOKEN_INVALID", { field: "token" });
      return ok({ jti: payload.jti, brand: payload.aud, sessionId: this.#sessionId(payload.jti) });
    } catch (cause) {
      if (cause instanceof errors.JWTExpired) return refuse("TOKEN_EXPIRED", { field: "token" });
      if (cause instanceof errors.JOSEError) return refuse("TOKEN_INVALID", { field: "token" });
      throw cause;
    }
  }

  /**
   * Computes the session's id from the token's id. So nothing has to be stored between launch and exchange. Only this
   * service can compute the id.
   */
  #sessionId(jti: string): string {
    return createHmac("sha256", this.#key).update(`session:${jti}`).digest("hex").slice(0, 32);
  }
}
