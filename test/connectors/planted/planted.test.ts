import { readFileSync } from "node:fs";
import test from "ava";
import { PLANTED } from "./bugs.ts";

test("every connector has at least ten planted bugs, and each quotes the code as it is", (t) => {
  for (const [api, bugs] of Object.entries(PLANTED)) t.true(bugs.length >= 10, api);
  const misquoted = Object.entries(PLANTED).flatMap(([api, bugs]) =>
    bugs
      .filter(({ file, quote }) => readFileSync(file, "utf8").split(quote).length !== 2)
      .map(({ name }) => `${api}: ${name}`),
  );
  t.deepEqual(misquoted, []);
});
