import test from "ava";
import {
  cancelledSecrets,
  finishedSecrets,
  type MerchantSecrets,
  rotatedSecrets,
  runningUntil,
  secretsInForce,
} from "../../../src/domain/merchant/secret-rotation.ts";

const BEFORE: MerchantSecrets = { secret: "old", secretVersion: 4, previousSecret: "ancient", rotationEndsAt: null };
const ONLY_OLD = { current: "old", next: null };
const ONLY_NEW = { current: "new", next: null };

test("without an overlap the new secret counts alone at once", (t) => {
  const after = rotatedSecrets(BEFORE, "new", null, false);
  t.deepEqual(after, { secret: "new", secretVersion: 5, previousSecret: null, rotationEndsAt: null });
  t.deepEqual(secretsInForce(after, 0), ONLY_NEW);
  const kept = rotatedSecrets(BEFORE, "new", null, true);
  t.is(kept.previousSecret, "old");
  t.deepEqual(secretsInForce(kept, 0), ONLY_NEW, "a kept secret does not count");
});

test("with an overlap the old secret signs first, until the end of the overlap", (t) => {
  const after = rotatedSecrets(BEFORE, "new", 1_000, false);
  t.is(after.secretVersion, 5);
  t.deepEqual(secretsInForce(after, 999), { current: "old", next: "new" });
  t.is(runningUntil(after, 999), 1_000);
  t.deepEqual(secretsInForce(after, 1_000), ONLY_NEW);
  t.is(runningUntil(after, 1_000), null);
});

test("an overlap is finished or cancelled at any time before its end", (t) => {
  const during = rotatedSecrets(BEFORE, "new", 1_000, false);
  for (const keeps of [false, true]) {
    const finished = finishedSecrets(during, keeps);
    t.deepEqual(secretsInForce(finished, 1), ONLY_NEW);
    t.is(finished.previousSecret, keeps ? "old" : null);
    t.is(finished.secretVersion, 5);
    const cancelled = cancelledSecrets(during, keeps);
    t.deepEqual(secretsInForce(cancelled, 1), ONLY_OLD);
    t.is(cancelled.previousSecret, keeps ? "new" : null);
    t.is(cancelled.secretVersion, 6, "no version stands for two secrets");
  }
});

test("a rotation after an overlap that has ended begins from the new secret", (t) => {
  const ended = rotatedSecrets(BEFORE, "new", 1_000, false);
  const again = rotatedSecrets(ended, "newer", 3_000, false);
  t.deepEqual(secretsInForce(again, 2_000), { current: "new", next: "newer" });
});
