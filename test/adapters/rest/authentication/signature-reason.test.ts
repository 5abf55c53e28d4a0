import test from "ava";
import { sign } from "../../../../src/domain/signing/signing.ts";
import {
  errorOf,
  NOW,
  type RestTestOptions,
  type SignedParts,
  startRest,
} from "../../../../testbed/callers/rest-server.ts";
import { merchantRecord, SECRET } from "../../../../testbed/directory/records.ts";

const OLD_SECRET = "sk_before";
const PREFIX = "/aggregator";
const NONCE = "reason_0123456789";
const LAUNCH = { method: "POST", target: "/v1/game/launch", body: '{ "player_id": "u-1", "game": "book-of-x" }' };
const GET = { method: "GET", target: "/v1/games?type=slot", body: "" };

/** A request with `parts`, but with a signature over `signed`. */
const signedAs = (parts: typeof LAUNCH, signed: Partial<typeof LAUNCH>, secret = SECRET): SignedParts => ({
  ...parts,
  nonce: NONCE,
  signature: sign(secret, { ...parts, ...signed, timestamp: String(NOW), nonce: NONCE }),
});

const MISTAKES: Readonly<Record<string, readonly SignedParts[]>> = {
  unknown_merchant: [{ merchant: "nobody" }, { merchant: "CASA-BR" }],
  uppercase_hex: [{ ...signedAs(GET, {}), signature: String(signedAs(GET, {}).signature).toUpperCase() }],
  body_reserialized: [signedAs(LAUNCH, { body: '{"player_id":"u-1","game":"book-of-x"}' })],
  query_not_signed: [signedAs(GET, { target: "/v1/games" })],
  path_prefix: [
    signedAs(GET, { target: "/games?type=slot" }),
    { ...signedAs(GET, { target: `${PREFIX}${GET.target}` }), sentTarget: `${PREFIX}${GET.target}` },
  ],
  old_secret: [signedAs(GET, {}, OLD_SECRET), signedAs(LAUNCH, {}, OLD_SECRET)],
  mismatch: [
    signedAs(GET, {}, "sk_other"),
    signedAs(LAUNCH, { method: "post" }),
    { signature: "0".repeat(64) },
    { signature: "x" },
  ],
};

async function world(t: Parameters<typeof startRest>[0], options: RestTestOptions) {
  const rest = await startRest(t, { pathPrefix: PREFIX, ...options });
  await rest.store.save({ kind: "merchant", merchant: merchantRecord("casa-br", { previousSecret: OLD_SECRET }) });
  await rest.settings.refresh();
  return rest;
}

for (const [reason, requests] of Object.entries(MISTAKES)) {
  test(`outside of production the refusal of a wrong signature has the reason ${reason}`, async (t) => {
    const rest = await world(t, { explains: true });
    for (const request of requests) {
      const reply = await rest.send(request);
      const { code, details } = errorOf(reply);
      t.deepEqual([reply.status, code, details], [401, "INVALID_SIGNATURE", { reason }], JSON.stringify(request));
    }
  });
}

test("in production the refusal of a wrong signature has no reason, and all such refusals are equal", async (t) => {
  const rest = await world(t, { explains: false });
  const answers = new Set<string>();
  for (const request of Object.values(MISTAKES).flat()) {
    const reply = await rest.send(request);
    const { request_id, ...error } = errorOf(reply);
    const { "x-request-id": id, date, ...headers } = reply.headers;
    answers.add(JSON.stringify([reply.status, error, headers]));
  }
  t.is(answers.size, 1);
  t.false([...answers].join().includes("details"));
});

test("after a new secret, a signature with the old secret gets the reason old_secret", async (t) => {
  const rest = await world(t, { explains: true });
  t.is((await rest.send(signedAs(GET, {}))).status, 200);
  await rest.store.save({
    kind: "merchant",
    merchant: merchantRecord("casa-br", { secret: "sk_new", secretVersion: 2, previousSecret: SECRET }),
  });
  await rest.settings.refresh();
  t.deepEqual(errorOf(await rest.send({ ...GET })).details, { reason: "old_secret" });
  t.is((await rest.send({ ...GET, secret: "sk_new" })).status, 200);
});
