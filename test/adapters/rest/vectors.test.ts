import { readFileSync } from "node:fs";
import test from "ava";
import { errorOf, SECRET, startRest } from "../../harness/rest-server.ts";

interface Vector {
  readonly name: string;
  readonly direction: "request" | "callback";
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly signature: string;
  readonly valid: boolean;
  readonly reason?: string;
}

const vectors: { readonly secret: string; readonly cases: readonly Vector[] } = JSON.parse(
  readFileSync(new URL("../../vectors/signing.json", import.meta.url), "utf8"),
);
const requests = vectors.cases.filter((vector) => vector.direction === "request");
const CODES: Readonly<Record<string, string>> = { invalid_timestamp: "INVALID_TIMESTAMP", invalid_nonce: "INVALID_NONCE" };

test("there are 27 request vectors, under the secret that the merchant has here", (t) => {
  t.is(requests.length, 27);
  t.is(vectors.secret, SECRET);
});

for (const { name, valid, reason = "", timestamp, nonce, method, target, body, signature } of requests) {
  test(`vector: ${name} is ${valid ? "accepted" : "refused"}`, async (t) => {
    const rest = await startRest(t, { explains: true });
    const reply = await rest.send({ timestamp, nonce, method, target, body, signature });
    if (valid) t.not(reply.status, 401, reply.body);
    else {
      t.is(reply.status, 401);
      const { code, details } = errorOf(reply);
      t.is(code, CODES[reason] ?? "INVALID_SIGNATURE");
      if (code === "INVALID_SIGNATURE") t.deepEqual(details, { reason });
    }
  });
}
