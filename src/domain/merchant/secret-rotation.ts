/**
 * The change of a merchant's secret (docs/specification/signing.md#sign-rotation). During an overlap, both the old and
 * the new secret are accepted. Times are milliseconds since 1970 by the database's clock.
 */
import { ok, type Result, refuse } from "../errors.ts";

/** A merchant's secrets as they are stored. */
export interface MerchantSecrets {
  /** The newest secret, as the merchant got it. */
  readonly secret: string;
  /** A number that each new secret raises, and each cancelled rotation too. */
  readonly secretVersion: number;
  /**
   * The secret before `secret`, or the new secret of a cancelled rotation. It is accepted until `rotationEndsAt`. When
   * it is not accepted (any more), it is kept only to tell a merchant that it signs with this secret. null: there was
   * none, or it is not kept.
   */
  readonly previousSecret: string | null;
  /** When the overlap ends, or has ended. null: there was no overlap, or it was finished or cancelled early. */
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
 * The merchant's secrets after a new secret was created. Refusal: ROTATION_RUNNING.
 *
 * @param overlapMs - for how long the old secret is accepted beside the new secret. null: the old secret ends at once.
 * @param keepsEnded - whether a secret that is no longer accepted is kept.
 */
export function rotateSecret(
  stored: MerchantSecrets,
  now: number,
  secret: string,
  overlapMs: number | null,
  keepsEnded: boolean,
): Result<MerchantSecrets> {
  if (runningUntil(stored, now) !== null) return refuse("ROTATION_RUNNING", { field: "code" });
  return ok({
    secret,
    secretVersion: stored.secretVersion + 1,
    previousSecret: overlapMs !== null || keepsEnded ? stored.secret : null,
    rotationEndsAt: overlapMs === null ? null : now + overlapMs,
  });
}

/**
 * The merchant's secrets after an overlap was ended early: only the new secret is accepted. Refusal:
 * ROTATION_NOT_RUNNING.
 */
export function finishRotation(stored: MerchantSecrets, now: number, keepsEnded: boolean): Result<MerchantSecrets> {
  if (runningUntil(stored, now) === null) return NOT_RUNNING;
  return ok({ ...stored, previousSecret: keepsEnded ? stored.previousSecret : null, rotationEndsAt: null });
}

/**
 * The merchant's secrets after a rotation was cancelled during its overlap: only the old secret is accepted. The
 * version is raised, because one version must never mean two different secrets. Refusal: ROTATION_NOT_RUNNING.
 */
export function cancelRotation(stored: MerchantSecrets, now: number, keepsEnded: boolean): Result<MerchantSecrets> {
  const { current, next } = secretsInForce(stored, now);
  if (next === null) return NOT_RUNNING;
  return ok({
    secret: current,
    secretVersion: stored.secretVersion + 1,
    previousSecret: keepsEnded ? next : null,
    rotationEndsAt: null,
  });
}

const NOT_RUNNING = refuse("ROTATION_NOT_RUNNING", { field: "code" });
