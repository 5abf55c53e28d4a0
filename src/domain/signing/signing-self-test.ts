/**
 * Tests at the start of the service that signatures are checked. Callers with right signatures would never notice if
 * the check were missing.
 */
import { type Signable, sign, verify } from "./signing.ts";

const SECRET = "sk_of_the_self_test_0000000000000000000000000";
const PARTS: Signable = {
  timestamp: "1767225600000",
  nonce: "00112233445566778899aabbccddeeff",
  method: "POST",
  target: "/v1/game/launch",
  body: '{"a":1}',
};

/** A signature that other code has made (test/domain/signing/vectors.json, `GET without body keeps the last dot`). */
const KNOWN = {
  secret: "whsec_example_not_a_real_secret",
  parts: {
    timestamp: "1767225600000",
    nonce: "00112233445566778899aabbccddeeff",
    method: "GET",
    target: "/v1/merchant",
    body: "",
  },
  signature: "dc9ccb9ad6c234bef6076c06ccf3ccbfd546e131c263d47ab625fc37e0b4d9bf",
} as const;

/**
 * Describes a mistake of `check`: a wrong signature that it accepts, or a right signature that it refuses. `undefined`:
 * there is no mistake.
 * @param check - {@link verify}; a test passes a broken function.
 */
export function signatureFlaw(check: typeof verify = verify): string | undefined {
  const right = sign(SECRET, PARTS);
  if (!check(SECRET, PARTS, right) || !check(KNOWN.secret, KNOWN.parts, KNOWN.signature))
    return "a right signature is refused";
  const wrong: Readonly<Record<string, readonly [secret: string, parts: Signable, signature: string]>> = {
    "none at all": [SECRET, PARTS, ""],
    zeros: [SECRET, PARTS, "0".repeat(64)],
    "another last digit": [SECRET, PARTS, right.slice(0, -1) + (right.endsWith("0") ? "1" : "0")],
    "another first digit": [SECRET, PARTS, (right.startsWith("0") ? "1" : "0") + right.slice(1)],
    "half of one": [SECRET, PARTS, right.slice(0, 32)],
    "a longer one": [SECRET, PARTS, `${right}0`],
    "upper case": [KNOWN.secret, KNOWN.parts, KNOWN.signature.toUpperCase()],
    "another secret's": [`${SECRET}0`, PARTS, right],
    "another body's": [SECRET, { ...PARTS, body: '{"a":2}' }, right],
    "another target's": [SECRET, { ...PARTS, target: "/v1/merchant" }, right],
    "another method's": [SECRET, { ...PARTS, method: "GET" }, right],
    "another nonce's": [SECRET, { ...PARTS, nonce: "00112233445566778899aabbccddeefe" }, right],
    "another time's": [SECRET, { ...PARTS, timestamp: "1767225600001" }, right],
  };
  const taken = Object.entries(wrong).find(([, [secret, parts, signature]]) => check(secret, parts, signature));
  return taken && `${taken[0]} is accepted as a right signature`;
}
