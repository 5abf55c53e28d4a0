import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectHttp2, constants } from "node:http2";
import { connect, type Socket } from "node:net";
import { setLogger } from "@grpc/grpc-js";
import test from "ava";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { GrpcCaller } from "../../../testbed/callers/grpc-caller.ts";
import { KEY, startProviderSide } from "./provider-side.ts";

const { placeBet } = WalletService.method;
/** The headers of a bet. */
const PLACE_BET = {
  ":method": "POST",
  ":path": `/${WalletService.typeName}/PlaceBet`,
  "content-type": "application/grpc",
  te: "trailers",
  authorization: `Bearer ${KEY}`,
};
const pem = (name: string): string => readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), "utf8");

for (const [name, options] of [
  ["plaintext", {}],
  ["TLS", { tls: { key: pem("server.key"), cert: pem("server") } }],
] as const) {
  test(`with ${name} a connection above the limit is closed, and a new connection is accepted after another one has ended`, async (t) => {
    const { port } = await startProviderSide(t, { ...options, connectionsMax: 2 });
    const open = async (): Promise<Socket> => {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      t.teardown(() => socket.destroy());
      await once(socket, "connect");
      return socket;
    };
    const [first] = [await open(), await open()];
    await once((await open()).resume(), "close");
    first.destroy();
    // The server notices the end a moment later. Until then it closes each further connection.
    for (let staysOpen = false; !staysOpen; ) {
      const another = await open();
      staysOpen = await Promise.race([
        once(another.resume(), "close").then(() => false),
        new Promise<boolean>((resolve) => setTimeout(resolve, 200, true)),
      ]);
    }
    t.pass();
  });
}

test("a request that arrives too slowly is cancelled, even if its bytes come steadily, and its connection stays open", async (t) => {
  const { port, money } = await startProviderSide(t, { requestTimeoutMs: 2_000 });
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  t.teardown(() => session.destroy());
  const call = () => session.request(PLACE_BET);
  const slow = call();
  slow.on("error", () => {});
  slow.write(Buffer.of(0, 0, 0, 0, 200));
  const trickle = setInterval(() => slow.write("x"), 50);
  await once(slow, "close");
  clearInterval(trickle);
  t.is(slow.rstCode, constants.NGHTTP2_CANCEL);
  t.is(money.requests.length, 0);

  const sound = call().resume();
  sound.end(Buffer.of(0, 0, 0, 0, 0));
  await once(sound, "end");
  t.is(money.requests.length, 1);
});

test("concurrent calls above a connection's limit of streams wait, and each is answered", async (t) => {
  const { port, money } = await startProviderSide(t);
  let [running, most] = [0, 0];
  const { answer } = money;
  money.answer = async (request) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 100));
    running -= 1;
    return answer(request);
  };
  const caller = new GrpcCaller(t, port);
  const deadline = Date.now() + 120_000;
  const calls = Array.from({ length: 1_500 }, (_, i) =>
    caller.call(placeBet, { txId: `t${i}` }, { keys: [KEY], deadline }),
  );
  t.is((await Promise.all(calls)).filter(({ balanceMinor }) => balanceMinor === 1_000n).length, 1_500);
  t.true(most <= 1_024, `${most} at once`);
});

test("a call with a deadline of a month or a century is answered like any other call", async (t) => {
  const { port, money } = await startProviderSide(t);
  const { answer } = money;
  money.answer = async (request) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return answer(request);
  };
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  t.teardown(() => session.destroy());
  for (const timeout of ["2592000S", "5124095H", "99999999H", "43200M"]) {
    const call = session.request({ ...PLACE_BET, "grpc-timeout": timeout }).resume();
    let status: unknown;
    for (const event of ["response", "trailers"] as const)
      call.on(event, (headers) => {
        status = headers["grpc-status"] ?? status;
      });
    call.end(Buffer.of(0, 0, 0, 0, 0));
    await once(call, "close");
    t.is(status, "0", timeout);
  }
});

test("an API key with a character that headers forbid is not logged", async (t) => {
  const { port } = await startProviderSide(t);
  const printed: unknown[] = [];
  setLogger({ error: (...line: unknown[]) => void printed.push(line) });
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  t.teardown(() => session.destroy());
  const call = session.request({ ...PLACE_BET, authorization: `Bearer ${KEY}é` }).resume();
  let trailers: Readonly<Record<string, unknown>> = {};
  call.on("response", (headers) => {
    trailers = headers;
  });
  call.end(Buffer.of(0, 0, 0, 0, 0));
  await once(call, "close");
  t.is(trailers["error-code"], "INVALID_API_KEY");
  t.deepEqual(printed, []);
});

test("a use case may take longer than a request may take to arrive", async (t) => {
  const { port, money } = await startProviderSide(t, { requestTimeoutMs: 2_000 });
  const { answer } = money;
  money.answer = async (request) => {
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    return answer(request);
  };
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  t.teardown(() => session.destroy());
  const call = session.request(PLACE_BET).resume();
  let status: unknown;
  call.on("trailers", (trailers) => {
    status = trailers["grpc-status"];
  });
  // The whole request arrives in one piece, so that it cannot be late on a busy machine.
  call.end(Buffer.of(0, 0, 0, 0, 0));
  await once(call, "close");
  t.is(status, "0");
  t.is(money.requests.length, 1);
});
