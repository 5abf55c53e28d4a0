/** X-Sign: the HMAC-SHA1 over the fields and three headers, sorted by their names and written as a form. */
import { randomBytes } from "node:crypto";
import { hmac, sameText } from "../frame/verify.ts";
import { type Form, sortedForm, writeForm } from "./form.ts";

export interface Merchant {
  readonly merchantId: string;
  readonly merchantKey: string;
}

type HeaderName = "X-Merchant-Id" | "X-Timestamp" | "X-Nonce";
export type SignedHeaders = Readonly<Record<HeaderName, string>>;

export const signOf = (form: Form, headers: SignedHeaders, key: string, deep = false): string =>
  hmac("sha1", key, writeForm(sortedForm(new Map([...form, ...Object.entries(headers)]), deep)));

/**
 * Whether the signature of a call is right. One side sorts the keys of nested fields as well, the other leaves them in
 * the order in which they came, so both are right.
 */
export function verifies(form: Form, headers: SignedHeaders, sign: string, merchant: Merchant): boolean {
  const isMerchant = sameText(headers["X-Merchant-Id"], merchant.merchantId);
  const isSigned = [false, true].some((deep) => sameText(sign, signOf(form, headers, merchant.merchantKey, deep)));
  return isMerchant && isSigned;
}

/** The headers of our own call with these fields. */
export function headersFor(form: Form, { merchantId, merchantKey }: Merchant): Readonly<Record<string, string>> {
  const headers: SignedHeaders = {
    "X-Merchant-Id": merchantId,
    "X-Timestamp": String(Math.floor(Date.now() / 1_000)),
    "X-Nonce": randomBytes(16).toString("hex"),
  };
  return { ...headers, "X-Sign": signOf(form, headers, merchantKey) };
}
