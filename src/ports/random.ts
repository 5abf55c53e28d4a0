/** Randomness: cryptographic, but for {@link Random.fraction}. */
export abstract class Random {
  /** 16 random bytes in lowercase hex: a lease token, a nonce, an opaque id. */
  abstract token(): string;
  /** A UUID (version 4). */
  abstract uuid(): string;
  /** In [0, 1): jitter, nothing secret. */
  abstract fraction(): number;
}
