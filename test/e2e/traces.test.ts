import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import { type ReceivedSpan, startReceiver } from "../../testbed/otlp/receiver.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import { OPENING_MINOR, startSportsbookWorld } from "../../testbed/stage/sportsbook-world.ts";
import { startWorldOfProcesses } from "../../testbed/stage/world.ts";

const PARENT = "b7ad6b7169203331";
const traceOf = (n: number): string => String(n).padStart(32, "a");
const sampled = (trace: string): string => `00-${trace}-${PARENT}-01`;

const receiving = async (t: ExecutionContext) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  return receiver;
};

/** Stops a replica as a deployment does, so that it sends its last spans. */
async function stop(t: ExecutionContext, replica: Replica): Promise<void> {
  replica.process.kill("SIGTERM");
  const [code] = await once(replica.process, "exit");
  t.is(code, 0, replica.output());
}

/** The steps of a slip with a refunded bet. */
const STEPS = ["claim", "mark", "settle", "take_over", "wallet call"] as const;

const linesOf = (replica: Replica): Record<string, unknown>[] =>
  replica
    .output()
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));

/** Waits until the receiver has all spans. Call it before the service stops, because a stop waits at most 1 s for them. */
async function received(isComplete: () => boolean): Promise<void> {
  for (const until = performance.now() + 60_000; !isComplete() && performance.now() < until; )
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Without the requests that a busy machine refused. The world sends each of them again. */
const answered = (spans: readonly ReceivedSpan[]): ReceivedSpan[] =>
  spans.filter(({ attributes }) => attributes["aggregator.outcome"] !== "OVERLOADED");

/** The names of a trace's spans in the order in which they began. */
const namesOf = (spans: readonly ReceivedSpan[], trace: string): string[] =>
  spans
    .filter(({ traceId }) => traceId === trace)
    .toSorted((a, b) => a.startMs - b.startMs)
    .map(({ name }) => name);

test("a provider's sampled trace is followed through claim, wallet call and settle, on to the wallet that wants it", async (t) => {
  const receiver = await receiving(t);
  const world = await startWorldOfProcesses(t, {
    traced: ["shop-brl"],
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_TRACES_SAMPLER_ARG: "0", OTEL_SERVICE_NAME: "gas" },
  });
  const sessionId = await world.session();
  const clp = { sessionId: await world.session("shop-clp"), currency: "CLP" };
  const traceparent = (n: number) => sampled(traceOf(n));
  t.is(await world.request("bet", { sessionId, txId: "b1", traceparent: traceparent(1) }), "success");
  t.is(await world.request("refund", { sessionId, txId: "f1", refTxId: "b1", traceparent: traceparent(2) }), "success");
  t.is(await world.request("bet", { ...clp, txId: "b2", traceparent: traceparent(3) }), "success");
  t.is(
    await world.request("win", { sessionId, txId: "zero", amountMinor: 0n, traceparent: traceparent(4) }),
    "success",
  );
  t.is(await world.request("bet", { sessionId, txId: "b5", traceparent: `00-${traceOf(5)}-${PARENT}-00` }), "success");
  t.is(await world.request("bet", { sessionId, txId: "b6", traceparent: "nonsense" }), "success");
  t.is(await world.request("bet", { sessionId, txId: "b7" }), "success");
  const counts = [4, 6, 4, 3];
  await received(() => counts.every((count, i) => namesOf(answered(receiver.spans), traceOf(i + 1)).length >= count));
  await stop(t, world.first);

  const spans = answered(receiver.spans);
  const inTrace = (n: number, name: string) => spans.find((span) => span.traceId === traceOf(n) && span.name === name);
  const headersOf = (txId: string) =>
    world.callbacks.find(({ body }) => JSON.parse(body).tx_id === `ACME:${txId}`)?.headers;
  t.deepEqual(namesOf(spans, traceOf(1)), ["bet", "claim", "wallet call", "settle"]);
  const bet = inTrace(1, "bet");
  t.like(bet, { parentId: PARENT, kind: "SERVER", failed: false });
  t.like(bet?.attributes, {
    "aggregator.tx_id": "ACME:b1",
    "aggregator.merchant": "shop-brl",
    "aggregator.outcome": "success",
  });
  t.is(bet?.resource["service.name"], "gas");
  for (const name of ["claim", "settle"]) {
    const step = inTrace(1, name);
    t.is(step?.parentId, bet?.spanId, name);
    t.is(step?.attributes["db.operation.batch.size"], 1, name);
  }
  const call = inTrace(1, "wallet call");
  t.is(call?.parentId, bet?.spanId);
  const headers = headersOf("b1");
  t.like(call?.attributes, {
    "aggregator.attempt": 1,
    "aggregator.outcome": "accepted",
    "aggregator.request_id": String(headers?.["x-request-id"]),
    "http.response.status_code": 200,
  });
  t.is(headers?.traceparent, `00-${traceOf(1)}-${call?.spanId}-01`);
  t.like(
    linesOf(world.first).find((line) => line.tx_id === "ACME:b1"),
    { msg: "wallet call", trace_id: traceOf(1), request_id: headers?.["x-request-id"], result: "accepted" },
  );

  t.deepEqual(namesOf(spans, traceOf(2)), ["refund", "claim", "mark", "take_over", "wallet call", "settle"]);
  t.is(headersOf("f1")?.traceparent, `00-${traceOf(2)}-${inTrace(2, "wallet call")?.spanId}-01`);

  t.deepEqual(namesOf(spans, traceOf(3)), ["bet", "claim", "wallet call", "settle"]);
  t.is(headersOf("b2")?.traceparent, undefined, "this merchant has not asked for the header");

  t.deepEqual(namesOf(spans, traceOf(4)).sort(), ["balance", "wallet call", "win"]);
  t.is(inTrace(4, "balance")?.parentId, inTrace(4, "win")?.spanId);
  for (const txId of ["b5", "b6", "b7"]) t.is(headersOf(txId)?.traceparent, undefined, txId);
  t.deepEqual([...new Set(spans.map(({ traceId }) => traceId))].sort(), [1, 2, 3, 4].map(traceOf));
});

test("a resend begins a trace of its own with the transaction's id; the trace of the first call ends with its silence", async (t) => {
  const receiver = await receiving(t);
  const world = await startWorldOfProcesses(t, {
    traced: ["shop-brl"],
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_TRACES_SAMPLER_ARG: "1",
      WALLET_TIMEOUT_MS: "500",
      RESEND_FIRST_DELAY_MS: "50",
    },
  });
  const sessionId = await world.session();
  world.wallet.setFault({ kind: "applied_no_reply" });
  t.is(await world.request("win", { sessionId, txId: "w1", traceparent: sampled(traceOf(1)) }), "pending");
  world.wallet.setFault({ kind: "none" });
  let answer = "";
  while (answer !== "success") answer = await world.request("win", { sessionId, txId: "w1" });
  const unsampled = `00-${traceOf(2)}-${PARENT}-00`;
  t.is(await world.request("win", { sessionId, txId: "zero", amountMinor: 0n, traceparent: unsampled }), "success");
  const callsOf = () => receiver.spans.filter(({ name }) => name === "wallet call");
  const rootOf = (call: ReceivedSpan) => receiver.spans.find(({ spanId }) => spanId === call.parentId);
  await received(() => callsOf().length >= world.calls("w1") && callsOf().every((call) => rootOf(call) !== undefined));
  await stop(t, world.first);

  t.false(
    receiver.spans.some(({ name }) => name === "balance"),
    "the provider has not sampled its amount of 0",
  );
  const first = receiver.spans.filter(({ traceId }) => traceId === traceOf(1));
  t.like(
    first.find(({ name }) => name === "wallet call"),
    { failed: true },
  );
  t.is(first.find(({ name }) => name === "wallet call")?.attributes["aggregator.outcome"], "timeout");
  const calls = callsOf();
  const spanned = calls.map(({ attributes }) => attributes["aggregator.request_id"]);
  for (const { body, headers } of world.callbacks)
    t.is(spanned.includes(String(headers["x-request-id"])), JSON.parse(body).tx_id === "ACME:w1", body);
  const accepted = calls.find(({ attributes }) => attributes["aggregator.outcome"] === "accepted");
  t.true(Number(accepted?.attributes["aggregator.attempt"]) > 1);
  t.not(accepted?.traceId, traceOf(1));
  t.is(accepted?.attributes["aggregator.tx_id"], "ACME:w1");
  const root = accepted && rootOf(accepted);
  t.is(root?.attributes["aggregator.tx_id"], "ACME:w1");
  t.true(["resend", "win"].includes(root?.name ?? ""), root?.name);
});

test("a slip's span has the steps of all its bets and refunds, and each wallet call names its transaction", async (t) => {
  const receiver = await receiving(t);
  const world = await startSportsbookWorld(t, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_TRACES_SAMPLER_ARG: "1" },
  });
  const sessionId = await world.session("eva");
  t.is(
    await world.slip(sessionId, "s1", `b1:250 b2:${OPENING_MINOR}`),
    "failed: b1 success/success, b2 failed INSUFFICIENT_FUNDS",
  );
  const slipSpan = () => answered(receiver.spans).find(({ name }) => name === "slip");
  const namesNow = () => namesOf(receiver.spans, slipSpan()?.traceId ?? "");
  await received(
    () =>
      STEPS.every((step) => namesNow().includes(step)) &&
      namesNow().filter((name) => name === "wallet call").length === 3,
  );
  await stop(t, world.first);

  const slip = slipSpan();
  t.like(slip, { parentId: "", kind: "SERVER", failed: false });
  t.deepEqual(slip?.attributes, { "aggregator.merchant": "shop-brl", "aggregator.outcome": "failed" });
  const steps = receiver.spans.filter(({ traceId }) => traceId === slip?.traceId).filter((span) => span !== slip);
  for (const { name, parentId } of steps) t.is(parentId, String(slip?.spanId), name);
  const calls = steps.filter(({ name }) => name === "wallet call").toSorted((a, b) => a.startMs - b.startMs);
  t.deepEqual(
    calls.map(({ attributes }) => attributes["aggregator.tx_id"]),
    ["SPORTSBOOK:b1", "SPORTSBOOK:b2", "SPORTSBOOK:refund~b1"],
  );
  t.deepEqual([...new Set(steps.map(({ name }) => name))].sort(), [...STEPS]);
});

test("without an endpoint there are no spans, no header and no log line, even if the provider's trace is sampled", async (t) => {
  const world = await startWorldOfProcesses(t, { traced: ["shop-brl"] });
  const sessionId = await world.session();
  t.is(await world.request("bet", { sessionId, txId: "b1", traceparent: sampled(traceOf(1)) }), "success");
  await stop(t, world.first);
  t.is(world.callbacks.length, 1);
  t.is(world.callbacks[0]?.headers.traceparent, undefined);
  t.deepEqual(linesOf(world.first), []);
});

test("if the receiver hangs or is not there, bets succeed, and a stop does not wait for it", async (t) => {
  const hanging = createServer(() => {});
  await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    hanging.closeAllConnections();
    hanging.close();
  });
  const world = await startWorldOfProcesses(t, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}` },
  });
  const gone = await world.start({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" });
  const sessionId = await world.session();
  for (const [i, replica] of [world.first, gone].entries()) {
    const bet = { sessionId, txId: `b${i}`, traceparent: sampled(traceOf(i + 1)) };
    t.is(await world.request("bet", bet, replica), "success");
    const began = performance.now();
    await stop(t, replica);
    t.true(performance.now() - began < 15_000);
  }
});
