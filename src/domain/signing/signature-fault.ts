/**
 * Finds why a signature is wrong, to help merchants integrate in staging and development
 * (docs/specification/signing.md#sign-reason).
 */
import { spellings } from "../catalog/json-spellings.ts";
import type { SecretsInForce } from "../merchant/secret-rotation.ts";
import { type Signable, verify } from "./signing.ts";

export type SignatureFault =
  | "unknown_merchant"
  | "uppercase_hex"
  | "body_reserialized"
  | "query_not_signed"
  | "path_prefix"
  | "old_secret"
  | "mismatch";

export interface WrongSignature {
  readonly parts: Signable;
  readonly signature: string;
  /** The merchant's secrets that are accepted; undefined: there is no such merchant. */
  readonly secrets: SecretsInForce | undefined;
  /** The last secret that ended or was cancelled; null: there was none, or it is not kept. */
  readonly previousSecret: string | null;
  /** The path of the service's public address before `/v1`; may be empty. */
  readonly pathPrefix: string;
}

/** Other texts of the same JSON body are tried only up to this size. The body of a launch is much shorter. */
const BODY_MAX_BYTES = 4_096;

/** The mistake that leads to this signature. `mismatch`: no known mistake leads to it. */
export function signatureFault({
  parts,
  signature,
  secrets,
  previousSecret,
  pathPrefix,
}: WrongSignature): SignatureFault {
  if (secrets === undefined) return "unknown_merchant";
  const keys = [secrets.current, secrets.next].filter((secret) => secret !== null);
  const signed = (other: Partial<Signable>, given = signature): boolean =>
    keys.some((secret) => verify(secret, { ...parts, ...other }, given));
  const { target, body } = parts;
  if (signed({}, signature.toLowerCase())) return "uppercase_hex";
  if (target.includes("?") && signed({ target: target.slice(0, target.indexOf("?")) })) return "query_not_signed";
  if (
    [target.slice("/v1".length), `${pathPrefix}${target}`].some((path) => path !== target && signed({ target: path }))
  )
    return "path_prefix";
  if (body.length > 0 && body.length <= BODY_MAX_BYTES) {
    const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
    if (spellings(text).some((spelling) => signed({ body: spelling }))) return "body_reserialized";
  }
  if (previousSecret !== null && verify(previousSecret, parts, signature)) return "old_secret";
  return "mismatch";
}
