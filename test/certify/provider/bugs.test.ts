import test from "ava";
import { BUGS, type BugName } from "./bugs.ts";
import { isCaught } from "./passes.ts";

const bugs = Object.entries(BUGS);

test("there are more than 40 planted bugs", (t) => t.true(bugs.length > 40));
for (const [name, { what, caughtBy }] of bugs)
  test(`the certification finds the bug in a provider that ${what}, with ${caughtBy}`, isCaught, name as BugName);
