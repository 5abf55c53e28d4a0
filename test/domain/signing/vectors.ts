/** The test vectors of signing, made by another implementation. */
import { readFileSync } from "node:fs";

export interface Vector {
  readonly name: string;
  readonly direction: "request" | "callback";
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly signature: string;
  readonly valid: boolean;
  /** The reason why the signature is not valid. */
  readonly reason?: string;
}

/** All vectors are signed with one secret. */
export const { secret, cases }: { readonly secret: string; readonly cases: readonly Vector[] } = JSON.parse(
  readFileSync(new URL("vectors.json", import.meta.url), "utf8"),
);
