import { guessingBits } from "./domain/access/guessing.ts";

/** The settings that decide whether a service on a public network is safe to start. */
export interface SecuritySettings {
  readonly masterKeys: readonly Uint8Array[];
  readonly jwtKey: Uint8Array;
  readonly adminKey: string | null;
  readonly publicUrl: string | null;
  readonly sportsbookUrl: string | null;
  /** Node's NODE_TLS_REJECT_UNAUTHORIZED: `0` makes Node accept every certificate. */
  readonly tlsRejectUnauthorized: string | undefined;
}

/** An environment variable, and the rule for its value. */
export type Weakness = readonly [variable: string, rule: string];

export const KEY_EXAMPLE = "an output of `openssl rand -base64 32`";

/** 32 random bytes have about 30 different values. It practically never happens that they have fewer than 16. */
const DIFFERENT_BYTES_MIN = 16;
const ADMIN_KEY_LENGTH_MIN = 16;
/** Enough for a key that is only guessed over the network. 16 random letters and digits have more. */
const ADMIN_KEY_BITS_MIN = 50;
/** An output of `openssl rand -base64 32` has more, and words that fill 43 characters have less. */
const KEY_BITS_MIN = 130;

/**
 * Finds every weak setting: keys that can be guessed or that are used twice, addresses without TLS, certificates that
 * are not verified.
 */
export function findWeaknesses({
  masterKeys,
  jwtKey,
  adminKey,
  publicUrl,
  sportsbookUrl,
  tlsRejectUnauthorized,
}: SecuritySettings): Weakness[] {
  const weaknesses: Weakness[] = [];
  const check = (holds: boolean, variable: string, requirement: string, example: string): void => {
    if (!holds) weaknesses.push([variable, `must be ${requirement} outside development, for example ${example}`]);
  };
  const masterTexts = masterKeys.map(textOf);
  const jwtText = textOf(jwtKey);
  // Only the first key encrypts, so only this key must be strong. A weak older key may follow it. Otherwise an operator
  // could not replace a weak key.
  check(masterKeys.slice(0, 1).every(isRandom), "MASTER_KEY", "made of random bytes", KEY_EXAMPLE);
  check(isRandom(jwtKey), "JWT_KEY", "made of random bytes", KEY_EXAMPLE);
  check(!masterTexts.includes(jwtText), "JWT_KEY", "another key than MASTER_KEY's", KEY_EXAMPLE);
  if (adminKey !== null) {
    check(
      isHardToGuess(adminKey),
      "ADMIN_KEY",
      `a random text of ${ADMIN_KEY_LENGTH_MIN} characters or more`,
      KEY_EXAMPLE,
    );
    check(
      ![...masterTexts, jwtText].includes(textOf(Buffer.from(adminKey, "base64"))),
      "ADMIN_KEY",
      "another key than those of MASTER_KEY and JWT_KEY",
      KEY_EXAMPLE,
    );
  }
  check(isHttps(publicUrl), "PUBLIC_URL", "an https URL", "https://api.example/aggregator");
  check(isHttps(sportsbookUrl), "SPORTSBOOK_URL", "an https URL", "https://sportsbook.example");
  if (tlsRejectUnauthorized === "0") {
    weaknesses.push([
      "NODE_TLS_REJECT_UNAUTHORIZED",
      "must not be 0 outside development: certificates are verified. To trust an authority of your own, set NODE_EXTRA_CA_CERTS, for example NODE_EXTRA_CA_CERTS=/etc/ssl/own-ca.pem",
    ]);
  }
  return weaknesses;
}

const textOf = (key: Uint8Array): string => Buffer.from(key).toString("base64");
/** Neither a text in base64, nor a text that only looks like base64. */
const isRandom = (key: Uint8Array): boolean =>
  new Set(key).size >= DIFFERENT_BYTES_MIN &&
  key.some((byte) => byte < 0x20 || byte > 0x7e) &&
  guessingBits(textOf(key)) >= KEY_BITS_MIN;
const isHardToGuess = (text: string): boolean =>
  text.length >= ADMIN_KEY_LENGTH_MIN && guessingBits(text) >= ADMIN_KEY_BITS_MIN;
const isHttps = (url: string | null): boolean => url === null || url.startsWith("https://");
