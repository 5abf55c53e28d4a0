/** Why a signature is wrong, for those who integrate in staging and development (docs/specification/signing.md#sign-reason). */
import { spellings } from "../catalog/json-spellings.ts";
import { type Signable, verify } from "./signing.ts";

export type SignatureFault = "unknown_merchant" | "uppercase_hex" | "body_reserialized" | "query_not_signed" | "path_prefix" | "old_secret" | "mismatch";

export interface WrongSignature {
  readonly parts: Signable;
  readonly signature: string;
  /** undefined: there is no such merchant. */
  readonly secret: string | undefined;
  /** The secret before, where it is kept. */
  readonly previousSecret: string | null;
  /** The path of the public address before `/v1`; empty: none. */
  readonly pathPrefix: string;
}

/** Of a longer body the ways to write it are not tried: a launch is much shorter. */
const BODY_MAX_BYTES = 4_096;

/** What of one mistake would have given this signature. */
export function signatureFault({ parts, signature, secret, previousSecret, pathPrefix }: WrongSignature): SignatureFault {
  if (secret === undefined) return "unknown_merchant";
  const signed = (other: Partial<Signable>): boolean => verify(secret, { ...parts, ...other }, signature);
  const { target, body } = parts;
  if (verify(secret, parts, signature.toLowerCase())) return "uppercase_hex";
  if (target.includes("?") && signed({ target: target.slice(0, target.indexOf("?")) })) return "query_not_signed";
  if ([target.slice("/v1".length), `${pathPrefix}${target}`].some((path) => path !== target && signed({ target: path }))) return "path_prefix";
  if (body.length > 0 && body.length <= BODY_MAX_BYTES) {
    const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
    if (spellings(text).some((spelling) => signed({ body: spelling }))) return "body_reserialized";
  }
  if (previousSecret !== null && verify(previousSecret, parts, signature)) return "old_secret";
  return "mismatch";
}
