/**
 * The change of a merchant's secret (docs/specification/signing.md#sign-rotation). With an overlap, the old and the new
 * secret count until it ends. Times are milliseconds since 1970 by the database's clock.
 */

/** A merchant's secrets as they are stored. */
export interface MerchantSecrets {
  /** The newest secret, as it was shown once. */
  readonly secret: string;
  /** Raised by each new secret, and when a rotation is cancelled. */
  readonly secretVersion: number;
  /**
   * The secret before. It counts until `rotationEndsAt`. Without one it is never accepted, and kept only so that a
   * merchant that still signs with it can be told so. null: there was none, or it is not kept.
   */
  readonly previousSecret: string | null;
  /** When the overlap ends, or has ended. null: the secret was changed without one, or never. */
  readonly rotationEndsAt: number | null;
}

/** The secrets that count at one moment. Requests signed with either of them are accepted. */
export interface SecretsInForce {
  /** Signs `X-Signature` of callbacks. */
  readonly current: string;
  /** During an overlap the new secret, which signs `X-Signature-Next`. null: there is no overlap. */
  readonly next: string | null;
}

export const OVERLAP_MIN_MS = 1_000;
export const OVERLAP_MAX_MS = 30 * 86_400_000;

export function secretsInForce(stored: Omit<MerchantSecrets, "secretVersion">, now: number): SecretsInForce {
  const { secret, previousSecret, rotationEndsAt } = stored;
  return rotationEndsAt !== null && now < rotationEndsAt && previousSecret !== null
    ? { current: previousSecret, next: secret }
    : { current: secret, next: null };
}

/** When the overlap ends; null: there is none at the moment. */
export const runningUntil = (stored: MerchantSecrets, now: number): number | null =>
  secretsInForce(stored, now).next === null ? null : stored.rotationEndsAt;

/**
 * The secrets after a new one was made.
 *
 * @param endsAt - null: the old secret ends at once.
 * @param keepsEnded - whether a secret that has ended is kept.
 */
export const rotatedSecrets = (
  { secret: old, secretVersion }: MerchantSecrets,
  secret: string,
  endsAt: number | null,
  keepsEnded: boolean,
): MerchantSecrets => ({
  secret,
  secretVersion: secretVersion + 1,
  previousSecret: endsAt !== null || keepsEnded ? old : null,
  rotationEndsAt: endsAt,
});

/** The secrets after a rotation was ended early: the new one counts alone. */
export const finishedSecrets = (stored: MerchantSecrets, keepsEnded: boolean): MerchantSecrets => ({
  ...stored,
  previousSecret: keepsEnded ? stored.previousSecret : null,
  rotationEndsAt: null,
});

/**
 * The secrets after a rotation was cancelled: the old one counts alone. The version goes up, because the same version
 * would stand for two secrets otherwise.
 */
export const cancelledSecrets = (stored: MerchantSecrets, keepsEnded: boolean): MerchantSecrets => ({
  secret: stored.previousSecret ?? stored.secret,
  secretVersion: stored.secretVersion + 1,
  previousSecret: keepsEnded ? stored.secret : null,
  rotationEndsAt: null,
});
