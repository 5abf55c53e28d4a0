import { fork } from "node:child_process";
import { once } from "node:events";
import test from "ava";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { GrpcCaller } from "../../../testbed/callers/grpc-caller.ts";

const ROUNDS = 20;
const CONCURRENT = 64;
/** A call whose objects all stay needs 6 200 bytes of the old generation. Now it needs 2 300, mostly for the HTTP/2 stream itself. */
const BYTES_A_CALL_MAX = 3_000;

test("minor garbage collections free most of a call that has ended", async (t) => {
  // With this much room there is no major collection during the test. V8 may also decide that objects of some kind live
  // long, and allocate them in the old generation. That depends on the size of the heap at the start.
  const server = fork(new URL("ended-calls-server.ts", import.meta.url), [], {
    execArgv: ["--initial-old-space-size=512", "--no-allocation-site-pretenuring"],
  });
  t.teardown(() => server.kill());
  const [{ port }] = (await once(server, "message")) as [{ port: number }];
  const caller = new GrpcCaller(t, port);
  const play = async () => {
    for (let round = 0; round < ROUNDS; round++)
      await Promise.all(
        Array.from({ length: CONCURRENT }, (_, i) =>
          caller.call(WalletService.method.placeBet, { txId: `${round}-${i}` }, { keys: ["key"] }),
        ),
      );
    const answer = once(server, "message");
    server.send("collect");
    return ((await answer) as [{ oldBytes: number }])[0].oldBytes;
  };
  let before = await play();
  let bytes = Number.POSITIVE_INFINITY;
  // On a busy machine calls are slow, and a collection during a call moves its objects to the old generation, too.
  for (let attempt = 0; attempt < 5 && bytes >= BYTES_A_CALL_MAX; attempt++) {
    const after = await play();
    bytes = (after - before) / (ROUNDS * CONCURRENT);
    before = after;
    t.log(`${Math.round(bytes)} bytes of each call are in the old generation`);
  }
  t.true(bytes < BYTES_A_CALL_MAX, String(bytes));
});
