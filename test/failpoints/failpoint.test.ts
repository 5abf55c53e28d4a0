import test from "ava";
import { readFailpoints } from "../../testbed/failpoints/failpoint.ts";

test("failpoints are read in their order, each with its point, its action, its arrival number, its waiting time and its ids", (t) => {
  t.deepEqual(readFailpoints("CP4:kill@3, CP7:pause=20000,CP0:kill+250,CP8:kill@2+10/-win"), [
    { point: "CP4", action: "kill", pauseMs: 0, nth: 3, gatherMs: 0, ending: "" },
    { point: "CP7", action: "pause", pauseMs: 20_000, nth: 1, gatherMs: 0, ending: "" },
    { point: "CP0", action: "kill", pauseMs: 0, nth: 1, gatherMs: 250, ending: "" },
    { point: "CP8", action: "kill", pauseMs: 0, nth: 2, gatherMs: 10, ending: "-win" },
  ]);
  t.deepEqual(readFailpoints(""), []);
});

test("a failpoint of another form is refused", (t) => {
  for (const wrong of [
    "CP4",
    "CP4:stop",
    "CP19:kill",
    "CP4:kill@0",
    "CP4:pause",
    "CP4:kill=5",
    "CP4:kill@1+",
    "CP4:kill/",
    "CP4:kill,",
    "cp4:kill",
  ])
    t.throws(() => readFailpoints(wrong), { message: /^GAS_FAILPOINTS must be / }, wrong);
});
