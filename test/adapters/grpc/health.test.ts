import { getEventListeners } from "node:events";
import type { ClientHttp2Session } from "node:http2";
import { createContextValues, type HandlerContext } from "@connectrpc/connect";
import { status as Grpc } from "@grpc/grpc-js";
import test, { type ExecutionContext } from "ava";
import { Health } from "../../../src/adapters/grpc/server/health.ts";
import { startProviderSide } from "./provider-side.ts";
import { frame, openSession, RawStream } from "./raw-stream.ts";

const WATCH = "/grpc.health.v1.Health/Watch";
const PER_CONNECTION = 8;

/** Opens watches on one connection. Waits until each watch has its first answer, or has ended. */
async function openWatches(t: ExecutionContext, port: number, count: number): Promise<RawStream[]> {
  const session = openSession(t, port);
  const watches = Array.from({ length: count }, () => new RawStream(session, WATCH));
  for (const { stream } of watches) stream.end(frame());
  await Promise.all(watches.map((watch) => Promise.race([watch.answered(), watch.closed])));
  return watches;
}

const isOpen = ({ stream }: RawStream): boolean => !stream.closed;

test("an unchanged status does not wake an idle watch", async (t) => {
  const health = new Health(["a.Service"]);
  const { signal } = new AbortController();
  const context = { signal, values: createContextValues() } as HandlerContext;
  const watch = health.watch({ service: "" } as never, context);
  t.is((await watch.next()).value?.status, 1);
  const changed = watch.next();
  // The watch adds a listener each time that it begins to wait.
  const asleep = getEventListeners(signal, "abort")[0];
  for (let i = 0; i < 4; i++) {
    health.setServing(true);
    await new Promise(setImmediate);
  }
  t.is(getEventListeners(signal, "abort")[0], asleep);
  health.setServing(false);
  t.is((await changed).value?.status, 2);
});

test("a connection may have eight watches, and a ninth watch gets RESOURCE_EXHAUSTED until one of them ends", async (t) => {
  const { port } = await startProviderSide(t);
  const watches = await openWatches(t, port, 50);
  const refused = watches.filter((watch) => !isOpen(watch));
  t.is(refused.length, 50 - PER_CONNECTION);
  t.true(
    refused.every(
      ({ trailers }) =>
        Number(trailers["grpc-status"]) === Grpc.RESOURCE_EXHAUSTED && trailers["error-code"] === "OVERLOADED",
    ),
  );

  const [other] = await openWatches(t, port, 1);
  t.true(other !== undefined && isOpen(other));

  const leaving = watches.find(isOpen)?.stream;
  const session = leaving?.session as ClientHttp2Session;
  leaving?.close();
  for (let open = false; !open; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const again = new RawStream(session, WATCH);
    again.stream.end(frame());
    await Promise.race([again.answered(), again.closed]);
    open = isOpen(again);
  }
});

test("all connections together may have a thousand watches, and health checks are still answered", async (t) => {
  const rate = { perSecond: 1_000, capacity: 10_000 };
  const { port, server } = await startProviderSide(t, {
    strangersStreamsMax: 6_000,
    strangers: { calls: rate, connections: rate },
  });
  const opened = (await Promise.all(Array.from({ length: 140 }, () => openWatches(t, port, PER_CONNECTION)))).flat();
  t.is(opened.filter(isOpen).length, 1_024);
  t.is(await new RawStream(openSession(t, port), "/grpc.health.v1.Health/Check").end(), Grpc.OK);

  for (const { stream } of opened) stream.session?.destroy();
  const open = async (): Promise<boolean> => (await openWatches(t, port, 1)).every(isOpen);
  while (!(await open())) await new Promise((resolve) => setTimeout(resolve, 20));
  const begun = performance.now();
  await server.stop(60_000);
  t.true(performance.now() - begun < 30_000, "no watch holds the server up");
});
