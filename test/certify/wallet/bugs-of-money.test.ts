import test from "ava";
import { BUGS, type BugName } from "./bugs.ts";
import { isCaught } from "./passes.ts";

const MONEY = /^(actions|repeats|concurrency|rejections|reversals|order|blocked|merchants)\/|^random$/;
const bugs = Object.entries(BUGS).filter(([, { caughtBy }]) => MONEY.test(caughtBy));

test("there are more than 50 planted bugs", (t) => t.true(bugs.length > 50));
for (const [name, { what, caughtBy }] of bugs)
  test(`${caughtBy} finds the bug of a wallet: ${what}`, isCaught, name as BugName);
