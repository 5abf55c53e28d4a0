import test from "ava";
import { coreList } from "../../bench/machine/cores.ts";

test("a list of cores is read in the form that Linux writes", (t) => {
  t.deepEqual(coreList("0-2,5"), [0, 1, 2, 5]);
  t.deepEqual(coreList("3"), [3]);
  t.deepEqual(coreList(""), []);
});
