/** The service's traces, read by two receivers of OpenTelemetry: its classes for Python, and its Collector. */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import type { ReceivedSpan } from "../../testbed/otlp/receiver.ts";
import { type Command, isInstalled, run, start } from "../../testbed/programs/toolchain.ts";
import { startWorld } from "../../testbed/stage/world.ts";
import { here, outputFolder, pythonWith } from "./support.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const READY_WITHIN_MS = 60_000;

interface PrintedSpan extends Omit<ReceivedSpan, "startMs" | "endMs"> {
  readonly startNano: string;
  readonly endNano: string;
  /** Only from the classes for Python: the number of fields that they do not know, in the whole request. */
  readonly unknownFields?: number;
}

/** Starts a receiver. Returns its endpoint, and a function that returns the spans so far. */
async function startReceiver(t: ExecutionContext, command: Command) {
  const receiver = start(command);
  t.teardown(() => receiver.end("SIGKILL"));
  const lines = () => receiver.output().split("\n").slice(0, -1);
  await until(
    () => lines().length > 0,
    () => `the receiver did not start:\n${receiver.log()}`,
  );
  return {
    log: receiver.log,
    endpoint: `http://127.0.0.1:${lines()[0]}`,
    spans: () =>
      lines()
        .slice(1)
        .map((line) => JSON.parse(line) as PrintedSpan),
  };
}

async function until(happened: () => boolean, otherwise: () => string): Promise<void> {
  for (const end = performance.now() + READY_WITHIN_MS; !happened(); ) {
    if (performance.now() > end) throw new Error(otherwise());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Sends the spans of a bet to a receiver, and checks what it has read. */
async function readsBet(t: ExecutionContext, command: Command): Promise<readonly PrintedSpan[]> {
  const receiver = await startReceiver(t, command);
  const world = await startWorld(t, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_TRACES_SAMPLER_ARG: "0", OTEL_SERVICE_NAME: "gas" },
  });
  const before = BigInt(Date.now()) * 1_000_000n;
  const sessionId = await world.session();
  const traceparent = `00-${TRACE}-${PARENT}-01`;
  t.is(await world.request("bet", { sessionId, txId: "b1", traceparent }), "success");
  await until(
    () => receiver.spans().length === 4,
    () => `the receiver has not got four spans:\n${receiver.log()}`,
  );
  const after = BigInt(Date.now() + 1) * 1_000_000n;

  const spans = receiver.spans().toSorted((a, b) => Number(BigInt(a.startNano) - BigInt(b.startNano)));
  t.deepEqual(
    spans.map(({ name, kind }) => [name, kind]),
    [
      ["bet", "SPAN_KIND_SERVER"],
      ["claim", "SPAN_KIND_CLIENT"],
      ["wallet call", "SPAN_KIND_CLIENT"],
      ["settle", "SPAN_KIND_CLIENT"],
    ],
  );
  const [bet, ...steps] = spans;
  t.is(bet?.parentId, PARENT);
  for (const { name, parentId } of steps) t.is(parentId, String(bet?.spanId), name);
  for (const span of spans) {
    t.like(span, { traceId: TRACE, failed: false }, span.name);
    t.is(span.resource["service.name"], "gas", span.name);
    const [began, ended] = [BigInt(span.startNano), BigInt(span.endNano)];
    t.true(before <= began && began <= ended && ended <= after, `${span.name}: ${began} to ${ended}`);
  }
  t.like(bet?.attributes, { "aggregator.tx_id": "ACME:b1", "aggregator.outcome": "success" });
  t.like(spans[2]?.attributes, { "aggregator.attempt": 1, "http.response.status_code": 200 });
  return spans;
}

if (!isInstalled("python3")) test.skip("skipped, no Python", (t) => t.pass());
else
  test("OpenTelemetry's own classes read each span of a bet, with its times, its parent and its attributes", async (t) => {
    const programs = await pythonWith(here("otlp/requirements.txt"), await outputFolder("otlp")).catch((cause) => {
      t.log(`skipped, the package opentelemetry-proto can't be installed: ${(cause as Error).message.slice(-300)}`);
    });
    if (programs === undefined) return t.pass();
    const spans = await readsBet(t, { program: join(programs, "python"), args: [here("otlp/receiver.py")] });
    for (const { name, unknownFields } of spans) t.is(unknownFields, 0, name);
  });

if (!isInstalled("go")) test.skip("skipped, no Go", (t) => t.pass());
else
  test("the receiver of the OpenTelemetry Collector reads each span of a bet, with its times, its parent and its attributes", async (t) => {
    const folder = await outputFolder("collector");
    for (const file of ["go.mod", "go.sum", "main.go"])
      await copyFile(here(`otlp/collector/${file}`), join(folder, file));
    const go = (...args: string[]) => run({ program: "go", args, cwd: folder });
    // This loads the modules of all packages that the program needs.
    const packages = await go("list", "-deps", ".").catch((cause) => {
      t.log(`skipped, the modules of the Collector can't be installed: ${(cause as Error).message.slice(-300)}`);
    });
    if (packages === undefined) return t.pass();
    await go("build", "-o", "collector", ".");
    await readsBet(t, { program: join(folder, "collector") });
  });
