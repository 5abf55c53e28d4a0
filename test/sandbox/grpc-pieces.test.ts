/** Calls that come in one-byte DATA frames, at the gRPC servers of the sandbox's provider and of certify. */
import { once } from "node:events";
import { constants } from "node:http2";
import { connect } from "node:net";
import test from "ava";
import { Aggregator } from "../../certify/provider/aggregator/aggregator.ts";
import { startProvider } from "../../sandbox/provider/provider.ts";
import { openSession, RawStream } from "../adapters/grpc/raw-stream.ts";

const one = Buffer.of(0, 0, 1, 0, 0, 0, 0, 0, 1, 97);
const DUST = Buffer.concat([
  Buffer.of(0, 0, 5, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0xff, 0xff),
  ...Array.from({ length: 2_000 }, () => one),
]);

for (const [name, path, start] of [
  [
    "the sandbox's provider",
    "/aggregator.provider.v1.GameService/OpenGame",
    async () => {
      const keys = { AURORA: "x", PALCO: "x" };
      const options = { serviceGrpc: "127.0.0.1:9", keys, host: "127.0.0.1", httpPort: 0, grpcPort: 0 };
      const provider = await startProvider(options);
      return { address: `127.0.0.1:${provider.grpcPort}`, close: () => provider.close() };
    },
  ],
  [
    "certify",
    "/aggregator.provider.v1.WalletService/PlaceBet",
    async () => {
      const aggregator = new Aggregator("ACME", "key", { host: "127.0.0.1", port: 0 });
      await aggregator.listen();
      return { address: aggregator.address, close: () => aggregator.close() };
    },
  ],
] as const)
  test(`${name}: a call in frames of one byte is reset`, async (t) => {
    const { address, close } = await start();
    t.teardown(close);
    const port = Number(address.split(":")[1]);
    const socket = connect(port, "127.0.0.1");
    const stream = new RawStream(openSession(t, port, { createConnection: () => socket }), path);
    // The frames must come after the stream's headers, which are written in the turn in which it becomes ready.
    if (stream.stream.pending) await once(stream.stream, "ready");
    await new Promise((resolve) => setImmediate(resolve));
    socket.write(DUST);
    await stream.closed;
    t.is(stream.stream.rstCode, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  });
