import test from "ava";
import { errorOf, startRest } from "../../../../testbed/callers/rest-server.ts";
import { SECRET } from "../../../../testbed/directory/records.ts";
import { cases, secret } from "../../../domain/signing/vectors.ts";

const requests = cases.filter((vector) => vector.direction === "request");
const CODES: Readonly<Record<string, string>> = {
  invalid_timestamp: "INVALID_TIMESTAMP",
  invalid_nonce: "INVALID_NONCE",
};

test("there are 27 test vectors of requests, and the merchant of this test has their secret", (t) => {
  t.is(requests.length, 27);
  t.is(secret, SECRET);
});

for (const { name, valid, reason = "", timestamp, nonce, method, target, body, signature } of requests) {
  test(`the test vector "${name}" is ${valid ? "accepted" : "refused"}`, async (t) => {
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
