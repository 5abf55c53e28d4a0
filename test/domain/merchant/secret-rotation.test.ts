import test from "ava";
import type { Result } from "../../../src/domain/errors.ts";
import {
  cancelRotation,
  finishRotation,
  type MerchantSecrets,
  rotateSecret,
  runningUntil,
  secretsInForce,
} from "../../../src/domain/merchant/secret-rotation.ts";

const BEFORE: MerchantSecrets = { secret: "old", secretVersion: 4, previousSecret: "ancient", rotationEndsAt: null };
const secretsOf = (result: Result<MerchantSecrets>): MerchantSecrets => {
  if (!result.ok) throw new Error(result.refusal.code);
  return result.value;
};
/** The secrets after a rotation at time 0. */
const rotated = (stored: MerchantSecrets, secret: string, overlapMs: number | null, keeps: boolean, now = 0) =>
  secretsOf(rotateSecret(stored, now, secret, overlapMs, keeps));
const ONLY_OLD = { current: "old", next: null };
const ONLY_NEW = { current: "new", next: null };

test("without an overlap only the new secret is accepted at once", (t) => {
  const after = rotated(BEFORE, "new", null, false);
  t.deepEqual(after, { secret: "new", secretVersion: 5, previousSecret: null, rotationEndsAt: null });
  t.deepEqual(secretsInForce(after, 0), ONLY_NEW);
  const kept = rotated(BEFORE, "new", null, true);
  t.is(kept.previousSecret, "old");
  t.deepEqual(secretsInForce(kept, 0), ONLY_NEW, "a kept secret does not count");
});

test("during an overlap the old secret signs X-Signature, until the end of the overlap", (t) => {
  const after = rotated(BEFORE, "new", 1_000, false);
  t.is(after.secretVersion, 5);
  t.deepEqual(secretsInForce(after, 999), { current: "old", next: "new" });
  t.is(runningUntil(after, 999), 1_000);
  t.deepEqual(secretsInForce(after, 1_000), ONLY_NEW);
  t.is(runningUntil(after, 1_000), null);
});

test("after an overlap was finished only the new secret is accepted, and after it was cancelled only the old one", (t) => {
  const during = rotated(BEFORE, "new", 1_000, false);
  for (const keeps of [false, true]) {
    const finished = secretsOf(finishRotation(during, 1, keeps));
    t.deepEqual(secretsInForce(finished, 1), ONLY_NEW);
    t.is(finished.previousSecret, keeps ? "old" : null);
    t.is(finished.secretVersion, 5);
    const cancelled = secretsOf(cancelRotation(during, 1, keeps));
    t.deepEqual(secretsInForce(cancelled, 1), ONLY_OLD);
    t.is(cancelled.previousSecret, keeps ? "new" : null);
    t.is(cancelled.secretVersion, 6, "no version stands for two secrets");
  }
});

test("a rotation after an ended overlap replaces the secret that the earlier rotation created", (t) => {
  const ended = rotated(BEFORE, "new", 1_000, false);
  const again = rotated(ended, "newer", 2_000, false, 1_000);
  t.deepEqual(secretsInForce(again, 2_000), { current: "new", next: "newer" });
});

test("during an overlap no second rotation can begin, and without an overlap nothing can be finished or cancelled", (t) => {
  const during = rotated(BEFORE, "new", 1_000, false);
  const code = (result: Result<MerchantSecrets>) => (result.ok ? "ok" : result.refusal.code);
  for (const overlapMs of [null, 5_000]) {
    t.is(code(rotateSecret(during, 999, "newer", overlapMs, false)), "ROTATION_RUNNING");
    t.is(code(rotateSecret(during, 1_000, "newer", overlapMs, false)), "ok");
  }
  for (const end of [finishRotation, cancelRotation]) {
    t.is(code(end(during, 999, false)), "ok");
    t.is(code(end(during, 1_000, false)), "ROTATION_NOT_RUNNING");
    t.is(code(end(BEFORE, 0, true)), "ROTATION_NOT_RUNNING");
  }
});
