import { readFileSync } from "node:fs";
import test from "ava";
import { USER_AGENT, VERSION } from "../../../src/domain/values/product.ts";

test("the version in User-Agent is that of package.json", (t) => {
  t.is(VERSION, JSON.parse(readFileSync("package.json", "utf8")).version);
  t.is(USER_AGENT, `game-aggregator/${VERSION}`);
});
