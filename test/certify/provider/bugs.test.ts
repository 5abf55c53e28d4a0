import test from "ava";
import { BUGS, type BugName } from "./bugs.ts";
import { isCaught } from "./passes.ts";

const bugs = Object.entries(BUGS);

test("there are more than 40 planted bugs", (t) => t.true(bugs.length > 40));
for (const [name, { what, caughtBy }] of bugs)
  test(`the case ${caughtBy} fails for a provider with this bug: ${what}`, isCaught, name as BugName);
