import test from "ava";
import { type Signable, sign, verify } from "../../../src/domain/signing/signing.ts";
import { signatureFlaw } from "../../../src/domain/signing/signing-self-test.ts";

test("the self-test finds no fault in the service's own check of signatures", (t) => {
  t.is(signatureFlaw(), undefined);
});

const BROKEN: Readonly<Record<string, readonly [flaw: RegExp, check: typeof verify]>> = {
  "accepts everything": [/^none at all/, () => true],
  "refuses everything": [/^a right signature/, () => false],
  "compares a prefix": [
    /^(none|another last|half)/,
    (secret, parts, given) => sign(secret, parts).startsWith(given.slice(0, 60)),
  ],
  "accepts upper case": [/^upper case/, (secret, parts, given) => verify(secret, parts, given.toLowerCase())],
  "reads the first 64 digits": [/^a longer one/, (secret, parts, given) => verify(secret, parts, given.slice(0, 64))],
  "ignores the body": [
    /^another body/,
    (secret, parts, given) => given.length === 64 && BODIES.some((body) => verify(secret, { ...parts, body }, given)),
  ],
};
const BODIES: readonly Signable["body"][] = ["", '{"a":1}', '{"a":2}'];

for (const [what, [flaw, check]] of Object.entries(BROKEN))
  test(`the self-test reports a check of signatures that ${what}`, (t) => t.regex(signatureFlaw(check) ?? "", flaw));
