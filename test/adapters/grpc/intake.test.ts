import { once } from "node:events";
import { connect } from "node:http2";
import { setImmediate as turn } from "node:timers/promises";
import test from "ava";
import { Intake } from "../../../src/adapters/grpc/server/limits/intake.ts";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { KEY, startProviderSide } from "./provider-side.ts";

const stream = () => ({ closed: false, destroyed: false, on: () => stream() }) as never;

test("a burst of calls begins in several turns of the event loop, in the order of arrival; a health check begins at once", async (t) => {
  const happened: string[] = [];
  const intake = new Intake(
    (_, headers) => happened.push(String(headers.id)),
    performance.now.bind(performance),
    "/health/",
  );
  for (let i = 0; i < 200; i++) intake.arrived(stream(), { id: String(i) });
  t.deepEqual(happened, []);
  intake.arrived(stream(), { ":path": "/health/Check", id: "how are you?" });
  t.deepEqual(happened.splice(0), ["how are you?"]);
  for (let i = 0; i < 5; i++) {
    await turn();
    happened.push("other work");
  }
  t.deepEqual(
    happened.filter((one) => one !== "other work"),
    Array.from({ length: 200 }, (_, i) => String(i)),
  );
  const before = happened.indexOf("other work");
  t.true(before < 100, `the first turn let ${before} calls in`);
});

test("a caller's deadline runs while its call waits to begin; a call that was closed meanwhile never begins", async (t) => {
  let now = 0;
  const timeouts: unknown[] = [];
  const intake = new Intake(
    (_, headers) => timeouts.push(headers["grpc-timeout"]),
    () => now,
    "/health/",
  );
  for (const timeout of ["10S", "250m", "99999999H", "soon", undefined])
    intake.arrived(stream(), timeout === undefined ? {} : { "grpc-timeout": timeout });
  const closed: string[] = [];
  const closedStream = (name: string, isClosed: boolean) =>
    ({ closed: isClosed, destroyed: false, on: () => {}, close: () => closed.push(name) }) as never;
  intake.arrived(closedStream("has left", true), { "grpc-timeout": "1S" });
  intake.arrived(closedStream("its time is over", false), { "grpc-timeout": "5000u" });
  now = 100;
  await turn();
  t.deepEqual(timeouts, ["9900m", "150m", "99999899m", "soon", undefined]);
  t.deepEqual(closed, ["its time is over"]);
});

test("nine hundred concurrent calls are all answered, although a hundred other calls of their connection are reset", async (t) => {
  const { port, money } = await startProviderSide(t);
  const session = connect(`http://127.0.0.1:${port}`);
  t.teardown(() => session.destroy());
  const call = () => {
    const path = `/${WalletService.typeName}/PlaceBet`;
    const request = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      authorization: `Bearer ${KEY}`,
    });
    request.on("error", () => {});
    request.end(Buffer.of(0, 0, 0, 0, 0));
    return request;
  };
  const calls = Array.from({ length: 1_000 }, call);
  for (const dropped of calls.splice(900)) dropped.close(2);
  await Promise.all(calls.map(async (one) => once(one.resume(), "end")));
  t.true(money.requests.length >= 900);
});
