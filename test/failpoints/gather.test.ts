import test from "ava";
import { Failpoints } from "../../testbed/failpoints/failpoints.ts";

test("gather holds each call until a fixed time after the first call has passed; later calls do not wait", async (t) => {
  const failpoints = new Failpoints([
    { point: "CP2", action: "kill", pauseMs: 0, nth: 2, gatherMs: 50, ending: "-win" },
  ]);
  const released: string[] = [];
  const held = ["first", "second"].map((call) =>
    failpoints.gather("CP2", ["t1-win"]).then(() => void released.push(call)),
  );
  await failpoints.gather("CP8", ["t1-win"]);
  await failpoints.gather("CP2", ["t1"]);
  t.deepEqual(released, [], "a call at another point, or of other ids, is not held");
  await Promise.all(held);
  t.deepEqual(released, ["first", "second"]);
  await Promise.race([
    failpoints.gather("CP2", ["t1-win"]),
    new Promise((_, reject) => setImmediate(() => reject(new Error("a later call was held")))),
  ]);
});
