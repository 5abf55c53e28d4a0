import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import { OtlpTracing, type SpanEnd } from "../../../src/adapters/otlp/otlp-tracing.ts";
import { startReceiver } from "../../../testbed/otlp/receiver.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const SAMPLED = `00-${TRACE}-${PARENT}-01`;

const receiving = async (t: ExecutionContext) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  return receiver;
};

const tracingTo = (endpoint: string, more: { ratio?: number; headers?: Record<string, string> } = {}) => {
  const counts: Record<SpanEnd, number> = { exported: 0, dropped: 0, failed: 0 };
  const options = { endpoint, headers: {}, serviceName: "test", instanceId: "i-1", ratio: 0, ...more };
  const tracing = new OtlpTracing(options, (spans, how) => {
    counts[how] += spans;
  });
  return { tracing, counts };
};

test("a receiver gets the spans with their parents, kinds, times, attributes and the names of the process", async (t) => {
  const receiver = await receiving(t);
  const { tracing, counts } = tracingTo(receiver.endpoint, { headers: { "api-key": "k 1" } });
  const before = Date.now();
  const bet = tracing.request("bet", SAMPLED);
  bet?.set({ merchant: "shop", txId: "ACME:b1" });
  bet?.add("claim", 20, false, { batchRows: 3 });
  const call = bet?.begin("wallet call", { attempt: 2 });
  call?.end(true, { outcome: "timeout", httpStatus: null, requestId: "r-1" });
  bet?.end(false, { action: "bet", outcome: "pending" });
  await tracing.stop();

  t.is(bet?.traceId, TRACE);
  const root = receiver.spans.find(({ name }) => name === "bet");
  t.like(root, { traceId: TRACE, parentId: PARENT, kind: "SERVER", failed: false });
  t.deepEqual(root?.attributes, {
    "aggregator.merchant": "shop",
    "aggregator.tx_id": "ACME:b1",
    "aggregator.action": "bet",
    "aggregator.outcome": "pending",
  });
  t.deepEqual(root?.resource, { "service.name": "test", "service.instance.id": "i-1" });
  const claim = receiver.spans.find(({ name }) => name === "claim");
  t.like(claim, { traceId: TRACE, parentId: root?.spanId, kind: "CLIENT", failed: false });
  t.deepEqual(claim?.attributes, { "db.operation.batch.size": 3 });
  t.is(Math.round((claim?.endMs ?? 0) - (claim?.startMs ?? 0)), 20);
  t.true((claim?.endMs ?? 0) >= before && (claim?.endMs ?? 0) <= Date.now());
  const wallet = receiver.spans.find(({ name }) => name === "wallet call");
  t.like(wallet, { traceId: TRACE, parentId: root?.spanId, kind: "CLIENT", failed: true });
  t.deepEqual(wallet?.attributes, {
    "aggregator.attempt": 2,
    "aggregator.outcome": "timeout",
    "aggregator.request_id": "r-1",
  });
  t.is(call?.traceparent, `00-${TRACE}-${wallet?.spanId}-01`);
  t.deepEqual(counts, { exported: 3, dropped: 0, failed: 0 });
  t.is(receiver.requests[0]?.["api-key"], "k 1");
});

test("a trace continues a sampled traceparent and never an unsampled one, and an invalid traceparent counts as absent", async (t) => {
  const receiver = await receiving(t);
  const never = tracingTo(receiver.endpoint, { ratio: 0 }).tracing;
  const always = tracingTo(receiver.endpoint, { ratio: 1 }).tracing;
  const unsampled = `00-${TRACE}-${PARENT}-00`;
  t.is(never.request("bet", SAMPLED)?.traceId, TRACE);
  t.is(always.request("bet", unsampled), undefined);
  const invalid = [
    "",
    "x",
    `00-${TRACE}-${PARENT}`,
    `00-${"0".repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `${SAMPLED}, ${SAMPLED}`,
    "é".repeat(10_000),
  ];
  for (const text of [...invalid, null]) {
    t.is(never.request("bet", text), undefined, String(text));
    const own = always.request("bet", text)?.traceId;
    t.regex(own ?? "", /^[0-9a-f]{32}$/, String(text));
    t.not(own, TRACE, String(text));
  }
  t.is(never.work("resend"), undefined);
  t.regex(always.work("resend")?.traceparent ?? "", /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  await Promise.all([never.stop(), always.stop()]);
});

test("of many requests without a traceparent, the configured share begins a trace", async (t) => {
  const { tracing } = tracingTo("http://127.0.0.1:1", { ratio: 0.01 });
  let sampled = 0;
  // With 20,000 requests the share is between 0.5 % and 1.5 % in all but one of 10^11 runs.
  for (let i = 0; i < 20_000; i++) if (tracing.request("bet", null) !== undefined) sampled++;
  t.true(sampled > 100 && sampled < 300, String(sampled));
});

test("if the receiver hangs, the queue is bounded: further spans are dropped and counted", async (t) => {
  const hanging = createServer(() => {});
  await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    hanging.closeAllConnections();
    hanging.close();
  });
  const { tracing, counts } = tracingTo(`http://127.0.0.1:${(hanging.address() as AddressInfo).port}`);
  for (let i = 0; i < 4_000; i++) tracing.request("bet", SAMPLED)?.end(false, {});
  // 512 spans are on their way, and 2,048 wait.
  t.deepEqual(counts, { exported: 0, dropped: 4_000 - 512 - 2_048, failed: 0 });
});

test("if the receiver refuses, the spans are counted as failed", async (t) => {
  const refusing = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(403).end());
  });
  await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    refusing.closeAllConnections();
    refusing.close();
  });
  const { tracing, counts } = tracingTo(`http://127.0.0.1:${(refusing.address() as AddressInfo).port}`);
  for (let i = 0; i < 7; i++) tracing.request("bet", SAMPLED)?.end(false, {});
  await tracing.stop();
  t.deepEqual(counts, { exported: 0, dropped: 0, failed: 7 });
});
