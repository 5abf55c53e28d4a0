/**
 * The change of a merchant's secret (docs/specification/signing.md#sign-rotation). During an overlap, both the old and
 * the new secret are accepted. Times are milliseconds since 1970 by the database's clock.
 */

/** A merchant's secrets as they are stored. */
export interface MerchantSecrets {
  /** The newest secret, as the merchant got it. */
  readonly secret: string;
  /** A number that each new secret raises, and each cancelled rotation too. */
  readonly secretVersion: number;
  /**
   * The secret before the current secret. It is accepted until `rotationEndsAt`. Without an overlap it is never
   * accepted. It is kept only to tell a merchant that it still signs with the old secret. null: there was none, or it
   * is not kept.
   */
  readonly previousSecret: string | null;
  /** When the overlap ends, or has ended. null: there was no overlap, or the secret was never changed. */
  readonly rotationEndsAt: number | null;
}

/** The secrets that are accepted at one moment. A request may be signed with either of them. */
export interface SecretsInForce {
  /** The secret that signs `X-Signature` of callbacks. */
  readonly current: string;
  /** The new secret during an overlap. It signs `X-Signature-Next`. null: there is no overlap. */
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

/** When the overlap ends; null: there is no overlap at the moment. */
export const runningUntil = (stored: MerchantSecrets, now: number): number | null =>
  secretsInForce(stored, now).next === null ? null : stored.rotationEndsAt;

/**
 * The merchant's secrets after a new secret was created.
 *
 * @param endsAt - null: the old secret ends at once.
 * @param keepsEnded - whether a secret that is no longer accepted is kept.
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

/** The merchant's secrets after a rotation was ended early: only the new secret is accepted. */
export const finishedSecrets = (stored: MerchantSecrets, keepsEnded: boolean): MerchantSecrets => ({
  ...stored,
  previousSecret: keepsEnded ? stored.previousSecret : null,
  rotationEndsAt: null,
});

/**
 * The merchant's secrets after a rotation was cancelled: only the old secret is accepted. The version is raised,
 * because one version must never mean two different secrets.
 */
export const cancelledSecrets = (stored: MerchantSecrets, keepsEnded: boolean): MerchantSecrets => ({
  secret: stored.previousSecret ?? stored.secret,
  secretVersion: stored.secretVersion + 1,
  previousSecret: keepsEnded ? stored.secret : null,
  rotationEndsAt: null,
});
