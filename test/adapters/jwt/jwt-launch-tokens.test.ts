import { createHmac, randomBytes } from "node:crypto";
import test from "ava";
import { JwtLaunchTokens } from "../../../src/adapters/jwt/jwt-launch-tokens.ts";
import type { LaunchToken } from "../../../src/ports/launch-token.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";

const KEY = Buffer.alloc(32, 7);
const JTI = "0123456789abcdef0123456789abcdef";

const issue = async (clock = new ManualClock()) => ({
  clock,
  ...(await new JwtLaunchTokens(KEY, clock).issue(JTI, "casa")),
});
const json = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString());
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The result of reading a token: the code of the refusal, or the token's content. */
async function read(token: string, clock: ManualClock, key: Uint8Array = KEY): Promise<string | LaunchToken> {
  const result = await new JwtLaunchTokens(key, clock).read(token);
  return result.ok ? result.value : result.refusal.code;
}

/** A token with any header and claims, signed with the right key. */
function signed(header: object, claims: object, key: Uint8Array = KEY, hash = "sha256"): string {
  const text = `${base64url(header)}.${base64url(claims)}`;
  return `${text}.${createHmac(hash, key).update(text).digest("base64url")}`;
}

test("a launch token contains its id and its brand but not the player, is signed with HS256, and is valid for ten minutes", async (t) => {
  const { token, clock } = await issue();
  const [header, claims] = token.split(".");
  t.deepEqual(json(header), { alg: "HS256", typ: "sb-launch+jwt" });
  const { iat, exp, ...rest } = json(claims);
  t.deepEqual(rest, { iss: "aggregator", aud: "casa", jti: JTI });
  t.is(iat, Math.floor(clock.now() / 1_000));
  t.is(exp - iat, 600);
});

test("only the service can compute the session's id from the token", async (t) => {
  const { token, sessionId, clock } = await issue();
  t.regex(sessionId, /^[0-9a-f]{32}$/);
  t.deepEqual(await read(token, clock), { jti: JTI, brand: "casa", sessionId });
  t.false(token.includes(sessionId));
  t.not((await new JwtLaunchTokens(Buffer.alloc(32, 8), clock).issue(JTI, "casa")).sessionId, sessionId);
});

test("a token is valid for ten minutes", async (t) => {
  const { token, clock } = await issue();
  const untilMs = (Math.floor(clock.now() / 1_000) + 600) * 1_000 - clock.now();
  clock.jump(untilMs - 1);
  t.is(typeof (await read(token, clock)), "object");
  clock.jump(1);
  t.is(await read(token, clock), "TOKEN_EXPIRED");
  clock.jump(86_400_000);
  t.is(await read(token, clock), "TOKEN_EXPIRED");
});

test("only this service's own launch tokens are accepted", async (t) => {
  const { token, clock } = await issue();
  const [header = "", claims = "", signature = ""] = token.split(".");
  const [joseHeader, payload] = [json(header), json(claims)];
  t.is(typeof (await read(signed(joseHeader, payload), clock)), "object");
  const bad: Record<string, string> = {
    "no algorithm": `${base64url({ ...joseHeader, alg: "none" })}.${claims}.`,
    "no signature": `${header}.${claims}.`,
    "another algorithm, rightly signed": signed({ ...joseHeader, alg: "HS512" }, payload, KEY, "sha512"),
    "another algorithm's name": signed({ ...joseHeader, alg: "HS384" }, payload),
    "another key": signed(joseHeader, payload, Buffer.alloc(32, 9)),
    "a key of its own": signed({ ...joseHeader, jwk: { kty: "oct", k: "AA" } }, payload, Buffer.from([0])),
    "another kind of token": signed({ ...joseHeader, typ: "JWT" }, payload),
    "no kind": signed({ alg: "HS256" }, payload),
    "critical extensions": signed({ ...joseHeader, crit: ["x"], x: 1 }, payload),
    "another issuer": signed(joseHeader, { ...payload, iss: "else" }),
    "no jti": signed(joseHeader, { ...payload, jti: undefined }),
    "no brand": signed(joseHeader, { ...payload, aud: undefined }),
    "several brands": signed(joseHeader, { ...payload, aud: ["casa", "other"] }),
    "no end": signed(joseHeader, { ...payload, exp: undefined }),
    "an end in words": signed(joseHeader, { ...payload, exp: "never" }),
    "another brand under the old signature": `${header}.${base64url({ ...payload, aud: "other" })}.${signature}`,
    "a fourth part": `${token}.x`,
    "encryption's five parts": `${header}..${claims}.${signature}.x`,
    empty: "",
    "too long": `${token}${"A".repeat(5_000)}`,
  };
  for (const [what, text] of Object.entries(bad)) t.is(await read(text, clock), "TOKEN_INVALID", what);
});

test("a token with one changed character is refused, unless only unused bits of its signature changed", async (t) => {
  const { token, clock } = await issue();
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
  let accepted = 0;
  for (let i = 0; i < 2_000; i++) {
    const [at = 0, by = 0] = randomBytes(2);
    const where = (at * token.length) >> 8;
    const changed = token.slice(0, where) + alphabet[by % alphabet.length] + token.slice(where + 1);
    // Two bits of a signature's last character are unused.
    if (
      changed === token ||
      Buffer.from(changed.split(".")[2] ?? "", "base64url").equals(Buffer.from(token.split(".")[2] ?? "", "base64url"))
    ) {
      if (changed.slice(0, changed.lastIndexOf(".")) === token.slice(0, token.lastIndexOf("."))) continue;
    }
    if ((await read(changed, clock)) !== "TOKEN_INVALID") accepted += 1;
  }
  t.is(accepted, 0);
});
