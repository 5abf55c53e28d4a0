import test from "ava";
import { BUGS, type BugName } from "./bugs.ts";
import { isCaught } from "./passes.ts";

const MONEY = /^(actions|repeats|concurrency|rejections|reversals|order|blocked|merchants|memory)\/|^random$/;
const bugs = Object.entries(BUGS).filter(([, { caughtBy }]) => MONEY.test(caughtBy));

test("there are more than 50 planted bugs", (t) => t.true(bugs.length > 50));
for (const [name, { what, caughtBy }] of bugs)
  test(`the case ${caughtBy} fails for a wallet with this bug: ${what}`, isCaught, name as BugName);
