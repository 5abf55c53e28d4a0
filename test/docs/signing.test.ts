import { join } from "node:path";
import test from "ava";
import { sign } from "../../src/domain/signing/signing.ts";
import { cases, secret, type Vector } from "../domain/signing/vectors.ts";
import { checkout, page } from "./markdown.ts";

const SIGNED_AT = 1_767_225_600_000;
const merchant = page("docs/merchant.md");

/** The code of signing.mjs in docs/merchant.md, as a reader copies it. */
interface Signing {
  sign(secret: string, parts: Omit<Vector, "name" | "signature" | "valid">): string;
  signedHeaders(
    merchant: string,
    secret: string,
    method: string,
    target: string,
    body?: string,
  ): Record<string, string>;
  isGenuine(
    secret: string,
    callback: { method: string; target: string; headers: Record<string, string>; body: Uint8Array },
    now?: number,
  ): boolean;
}

test("the Node code of docs/merchant.md signs and checks every test vector correctly", async (t) => {
  const code = (await import(join(checkout(t, "docs/merchant.md"), "signing.mjs"))) as Signing;
  for (const vector of cases) {
    const { timestamp, nonce, method, target, signature, valid, name } = vector;
    const headers = { "x-timestamp": timestamp, "x-nonce": nonce, "x-signature": signature };
    t.is(code.isGenuine(secret, { method, target, headers, body: Buffer.from(vector.body) }, SIGNED_AT), valid, name);
    if (valid) t.is(code.sign(secret, vector), signature, name);
  }
});

test("the Node code of docs/merchant.md refuses a callback that is more than five minutes old or has no headers", async (t) => {
  const { isGenuine } = (await import(join(checkout(t, "docs/merchant.md"), "signing.mjs"))) as Signing;
  const vector = cases.find(({ name }) => name === "callback balance") as Vector;
  const headers = { "x-timestamp": vector.timestamp, "x-nonce": vector.nonce, "x-signature": vector.signature };
  const callback = { method: "POST", target: vector.target, headers, body: Buffer.from(vector.body) };
  t.true(isGenuine(secret, callback, SIGNED_AT + 300_000));
  t.false(isGenuine(secret, callback, SIGNED_AT + 300_001));
  t.false(isGenuine(secret, { ...callback, headers: {} }, SIGNED_AT));
});

test("the Node code of docs/merchant.md accepts a callback if either of its two signatures is right", async (t) => {
  const { isGenuine } = (await import(join(checkout(t, "docs/merchant.md"), "signing.mjs"))) as Signing;
  const vector = cases.find(({ name }) => name === "callback balance") as Vector;
  const { timestamp, nonce, target, body } = vector;
  const by = (key: string) => sign(key, { timestamp, nonce, method: "POST", target, body });
  const genuine = (headers: Record<string, string>) => {
    const all = { "x-timestamp": timestamp, "x-nonce": nonce, ...headers };
    return isGenuine(secret, { method: "POST", target, headers: all, body: Buffer.from(body) }, SIGNED_AT);
  };
  t.true(genuine({ "x-signature": by("sk_old"), "x-signature-next": by(secret) }));
  t.true(genuine({ "x-signature": by(secret), "x-signature-next": by("sk_new") }));
  t.false(genuine({ "x-signature": by("sk_old"), "x-signature-next": by("sk_new") }));
  t.false(genuine({ "x-signature": by("sk_old"), "x-signature-next": "" }));
});

test("the Node code of docs/merchant.md makes headers with the signature that the service expects", async (t) => {
  const { signedHeaders } = (await import(join(checkout(t, "docs/merchant.md"), "signing.mjs"))) as Signing;
  const headers = signedHeaders("acme-br", secret, "GET", "/v1/merchant");
  const [timestamp = "", nonce = ""] = [headers["X-Timestamp"], headers["X-Nonce"]];
  t.is(headers["X-Signature"], sign(secret, { timestamp, nonce, method: "GET", target: "/v1/merchant", body: "" }));
  t.is(headers["X-Merchant-Id"], "acme-br");
});

test("docs/merchant.md has three test vectors as examples, with the signed text and the signature", (t) => {
  t.true(merchant.includes(secret));
  for (const name of ["launch, compact JSON", "GET without body keeps the last dot", "callback bet"]) {
    const { timestamp, nonce, method, target, body, signature } = cases.find(
      (vector) => vector.name === name,
    ) as Vector;
    t.true(merchant.includes(`${timestamp}.${nonce}.${method}.${target}.${body}`), name);
    t.true(merchant.includes(signature), name);
  }
});
