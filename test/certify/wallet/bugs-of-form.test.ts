import test from "ava";
import { BUGS, type BugName } from "./bugs.ts";
import { isCaught } from "./passes.ts";

const FORM = /^(signature|format|precision|identifiers|connections)\//;
const bugs = Object.entries(BUGS).filter(([, { caughtBy }]) => FORM.test(caughtBy));

test("there are more than 30 planted bugs", (t) => t.true(bugs.length > 30));
for (const [name, { what, caughtBy }] of bugs)
  test(`the case ${caughtBy} fails for a wallet with this bug: ${what}`, isCaught, name as BugName);
