/** Random values. All are cryptographic except {@link Random.fraction}. */
export abstract class Random {
  /** 16 random bytes in lowercase hex: a lease token, a nonce, an opaque id. */
  abstract token(): string;
  /** A UUID (version 4). */
  abstract uuid(): string;
  /** A number in [0, 1) for jitter; not for secrets. */
  abstract fraction(): number;
}
