import { createHmac } from "node:crypto";
import { JwtLaunchTokens } from "../../../../src/adapters/jwt/jwt-launch-tokens.ts";
import { SystemClock } from "../../../../src/adapters/system/system-clock.ts";
import type { Kind } from "../../kind.ts";
import { mutateFields, mutateText } from "../../mutate.ts";

const KEY = Buffer.alloc(32, 7);
const NOW = 1_767_225_600_000;

class StandingClock extends SystemClock {
  override now(): number {
    return NOW;
  }
}

const tokens = new JwtLaunchTokens(KEY, new StandingClock());

interface Input {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Signed with the service's own key. */
  readonly signed: boolean;
  /** The changed text of the token; undefined: the three unchanged parts. */
  readonly text: string | undefined;
}

const SECONDS = NOW / 1_000;
const HEADER = { alg: "HS256", typ: "sb-launch+jwt" };
const CLAIMS = {
  iss: "aggregator",
  aud: "shop",
  jti: "00112233445566778899aabbccddeeff",
  iat: SECONDS,
  exp: SECONDS + 600,
};
const HEADERS = [
  HEADER,
  { alg: "none", typ: HEADER.typ },
  { alg: "RS256", typ: HEADER.typ },
  { alg: "HS512", typ: HEADER.typ },
  { alg: "HS256", typ: "JWT" },
  { alg: "HS256" },
];

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function tokenText({ header, claims, signed, text }: Input): string {
  if (text !== undefined) return text;
  const head = `${part(header)}.${part(claims)}`;
  return `${head}.${createHmac("sha256", signed ? KEY : "another")
    .update(head)
    .digest("base64url")}`;
}

/**
 * Launch tokens, forged in every part: authentic launch tokens are accepted, and all other texts get TOKEN_INVALID or
 * TOKEN_EXPIRED.
 */
export const launchTokens: Kind<Input> = {
  name: "launch-tokens",
  reader: "jwt/jwt-launch-tokens",
  perMillion: 10_000,
  generate: (random) => ({
    header: random.chance(0.6) ? HEADER : random.pick(HEADERS),
    claims: CLAIMS,
    signed: random.chance(0.9),
    text: undefined,
  }),
  mutate: (random, input) => {
    switch (random.int(0, 3)) {
      case 0:
        return { ...input, header: mutateFields(random, input.header) };
      case 1:
        return { ...input, claims: mutateFields(random, input.claims) };
      default:
        return { ...input, text: mutateText(random, tokenText(input)) };
    }
  },
  check: async (input) => {
    const text = tokenText(input);
    const read = await tokens.read(text);
    if (!read.ok)
      return ["TOKEN_INVALID", "TOKEN_EXPIRED"].includes(read.refusal.code)
        ? []
        : [`refused with ${read.refusal.code}`];
    const [header = "", claims = "", signature = "", ...more] = text.split(".");
    // Two bits of a signature's last character are unused, so another spelling can have the same bytes and the same
    // jti.
    const isSigned = Buffer.from(signature, "base64url").equals(
      createHmac("sha256", KEY).update(`${header}.${claims}`).digest(),
    );
    const faults = isSigned && more.length === 0 ? [] : ["taken without its signature"];
    const { alg, typ } = decoded(header);
    if (
      alg !== "HS256" ||
      String(typ)
        .toLowerCase()
        .replace(/^application\//, "") !== HEADER.typ
    )
      faults.push(`taken with the header ${JSON.stringify({ alg, typ })}`);
    const { iss, aud, jti, exp } = decoded(claims);
    if (iss !== "aggregator" || aud !== read.value.brand || jti !== read.value.jti || !(Number(exp) * 1_000 > NOW))
      faults.push("taken for another token");
    return faults;
  },
};

const decoded = (text: string): Record<string, unknown> => JSON.parse(Buffer.from(text, "base64url").toString());
