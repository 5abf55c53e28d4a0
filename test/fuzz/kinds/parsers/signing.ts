import { type SignatureFault, signatureFault } from "../../../../src/domain/signing/signature-fault.ts";
import { isFresh, isNonce, isTimestamp, type Signable, sign, verify } from "../../../../src/domain/signing/signing.ts";
import type { SeededRandom } from "../../../../testbed/seeded-random.ts";
import type { Kind } from "../../kind.ts";
import { mutateText } from "../../mutate.ts";

const SECRET = "sk_fuzz_not_a_real_secret";
const NOW = 1_767_225_600_000;

const TARGETS = [
  "/v1/merchant",
  "/v1/games?q=a.b&limit=2",
  "/v1/transactions/ACME%3A1.2.3",
  "/v1/game/launch",
  "/v1/rounds/ACME/r.1?cursor=x.y",
  "/v1/",
];
const BODIES = [
  "",
  "",
  '{"player_id":"ana","game":"fruits"}',
  '{"a":1.5,"b":"x.y"}',
  "{}",
  "a.b.c",
  '{"nome":"joão"}',
  "[1,2]",
];

const signable = (random: SeededRandom): Signable => {
  const body = random.pick(BODIES);
  return {
    timestamp: String(NOW),
    nonce: random.hex(),
    method: body === "" ? "GET" : "POST",
    target: random.pick(TARGETS),
    body,
  };
};

interface SignatureInput {
  readonly parts: Signable;
  readonly signature: string;
}

/**
 * Signatures and signed strings: one signature is right, every other signature is wrong, and no signature causes an
 * internal error.
 */
export const signatures: Kind<SignatureInput> = {
  name: "signatures",
  reader: "domain/signing/signing",
  perMillion: 100_000,
  generate: (random) => {
    const parts = signable(random);
    return { parts, signature: sign(SECRET, parts) };
  },
  mutate: (random, { parts, signature }) => {
    if (random.chance(0.6)) return { parts, signature: mutateText(random, signature) };
    const name = random.pick(["timestamp", "nonce", "method", "target", "body"] as const);
    return { signature, parts: { ...parts, [name]: mutateText(random, String(parts[name])) } };
  },
  check: ({ parts, signature }) => {
    const faults: string[] = [];
    if (verify(SECRET, parts, signature) !== (signature === sign(SECRET, parts)))
      faults.push("a signature is right when it is the very text, else wrong");
    if (verify(`${SECRET}x`, parts, signature)) faults.push("another secret's signature was taken");
    if (
      isTimestamp(parts.timestamp) &&
      isFresh(Number(parts.timestamp), NOW) &&
      Math.abs(Number(parts.timestamp) - NOW) > 300_000
    )
      faults.push("stale");
    return [...faults, ...splitFaults(parts)];
  },
};

/** Every other split of the signed string must break a part's form. Otherwise one signature would fit two requests. */
function splitFaults(parts: Signable): string[] {
  const { timestamp, nonce, method, target, body } = parts;
  if (!isTimestamp(timestamp) || !isNonce(nonce) || !/^[A-Z]+$/.test(method)) return [];
  const text = `${timestamp}.${nonce}.${method}.${target}.${body}`;
  const dots = [...text.matchAll(/\./g)].map(({ index }) => index).slice(0, 8);
  const faults: string[] = [];
  for (const [i, first] of dots.entries())
    for (const [j, second] of dots.entries())
      for (const third of dots.slice(Math.max(i, j) + 1)) {
        if (second <= first) continue;
        const [otherTimestamp, otherNonce, otherMethod] = [
          text.slice(0, first),
          text.slice(first + 1, second),
          text.slice(second + 1, third),
        ];
        const isSame = otherTimestamp === timestamp && otherNonce === nonce && otherMethod === method;
        if (!isSame && isTimestamp(otherTimestamp) && isNonce(otherNonce) && /^[A-Z]+$/.test(otherMethod))
          faults.push(`also splits at ${first}, ${second}, ${third}`);
      }
  return faults;
}

const REASONS: readonly SignatureFault[] = [
  "unknown_merchant",
  "uppercase_hex",
  "body_reserialized",
  "query_not_signed",
  "path_prefix",
  "old_secret",
  "mismatch",
];

/**
 * The reason that staging gives for a wrong signature: it must be one of the documented words, for every body, and must
 * be found quickly.
 */
export const signatureReasons: Kind<SignatureInput> = {
  name: "signature-reasons",
  reader: "domain/signing/signature-fault, json-spellings",
  perMillion: 4_000,
  generate: signatures.generate,
  mutate: signatures.mutate,
  check: ({ parts, signature }) => {
    const began = performance.now();
    const reason = signatureFault({
      parts,
      signature,
      secrets: { current: SECRET, next: null },
      previousSecret: "sk_before",
      pathPrefix: "/aggregator",
    });
    const faults = REASONS.includes(reason) ? [] : [`the reason ${reason}`];
    return performance.now() - began > SLOW_MS
      ? [...faults, `took ${Math.round(performance.now() - began)} ms`]
      : faults;
  },
};

/** The time limit, a hundred times the usual time. The search writes a body in 40 forms and signs each of them. */
const SLOW_MS = 2_000;
