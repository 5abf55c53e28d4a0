import {
  type Attributes,
  type Context,
  createNoopMeter,
  type MeterProvider,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { Span, type SpanFields, Tracing } from "../../ports/tracing.ts";

/** The most spans that wait for the receiver. Further spans are dropped. */
const QUEUE_MAX = 2_048;
const BATCH_MAX = 512;
/** A span waits at most this long for its batch. */
const BATCH_EVERY_MS = 1_000;
/** A batch that the receiver has not taken by then is lost. The time includes the retries. */
const EXPORT_TIMEOUT_MS = 5_000;
/** The most requests to the receiver at once: one, or one for each batch of a full queue during a stop. */
const EXPORTS_MAX = 1 + QUEUE_MAX / BATCH_MAX;

/** How a span left this process: `exported`, `dropped` (the queue was full), or `failed` (not taken by the receiver). */
export type SpanEnd = "exported" | "dropped" | "failed";

export interface OtlpOptions {
  /** The receiver's address, without `/v1/traces`. */
  readonly endpoint: string;
  /** Headers of each request to the receiver. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** A name that no other process of the service has. */
  readonly instanceId: string;
  /** The share of requests without a `traceparent` that begin a trace: 0 to 1. */
  readonly ratio: number;
}

/**
 * Sends spans to a receiver by OTLP (HTTP, protobuf) in the background. A request's `traceparent` decides whether the
 * request is sampled. Without one, the ratio decides.
 */
export class OtlpTracing extends Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #ratio: number;

  /** @param ended - called with each number of spans that have left this process. */
  constructor(options: OtlpOptions, ended: (spans: number, how: SpanEnd) => void) {
    super();
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({
        "service.name": options.serviceName,
        "service.instance.id": options.instanceId,
      }),
      // Only sampled spans are begun. For a span that is not sampled, the SDK would still make ids and objects.
      sampler: new AlwaysOnSampler(),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: new OTLPTraceExporter({
            url: `${options.endpoint}/v1/traces`,
            headers: { ...options.headers },
            timeoutMillis: EXPORT_TIMEOUT_MS,
            concurrencyLimit: EXPORTS_MAX,
          }),
          maxQueueSize: QUEUE_MAX,
          maxExportBatchSize: BATCH_MAX,
          scheduledDelayMillis: BATCH_EVERY_MS,
          exportTimeoutMillis: EXPORT_TIMEOUT_MS,
          selfObsMeterProvider: countingSpans(ended),
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer("game-aggregator");
    this.#ratio = options.ratio;
  }

  override request(name: string, traceparent: string | null): Span | undefined {
    const parent = traceparent === null ? null : parseTraceParent(traceparent);
    if (parent === null) return this.#root(name, SpanKind.SERVER);
    if ((parent.traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
    return this.#begin(name, SpanKind.SERVER, trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }));
  }

  override work(name: string): Span | undefined {
    return this.#root(name, SpanKind.INTERNAL);
  }

  /** Sends the spans that wait, and stops. Spans that end later are lost. Never throws. */
  async stop(): Promise<void> {
    await this.#provider.shutdown().catch(() => undefined);
  }

  /** Begins a trace of its own, for the ratio's share of the calls. */
  #root(name: string, kind: SpanKind): Span | undefined {
    return Math.random() < this.#ratio ? this.#begin(name, kind, ROOT_CONTEXT) : undefined;
  }

  #begin(name: string, kind: SpanKind, context: Context): Span {
    const startTime = Date.now();
    const span = this.#tracer.startSpan(name, { kind, startTime }, context);
    return new OtlpSpan(this.#tracer, span, startTime - performance.now());
  }
}

class OtlpSpan extends Span {
  override readonly traceId: string;
  override readonly traceparent: string;
  readonly #tracer: Tracer;
  readonly #span: OtelSpan;
  readonly #timeOrigin: number;

  /**
   * @param timeOrigin - what to add to performance.now() to get ms since 1970. All spans of a trace in this process
   * have the same. So their order is right, although Date.now() has only whole milliseconds and may be set back.
   */
  constructor(tracer: Tracer, span: OtelSpan, timeOrigin: number) {
    super();
    const { traceId, spanId } = span.spanContext();
    this.traceId = traceId;
    // Only sampled spans are objects of this class, so the flag "sampled" is always set.
    this.traceparent = `00-${traceId}-${spanId}-01`;
    this.#tracer = tracer;
    this.#span = span;
    this.#timeOrigin = timeOrigin;
  }

  override begin(name: string, fields: SpanFields): Span {
    return new OtlpSpan(this.#tracer, this.#child(name, this.#now(), fields), this.#timeOrigin);
  }

  override add(name: string, durationMs: number, failed: boolean, fields: SpanFields): void {
    const now = this.#now();
    const span = this.#child(name, now - durationMs, fields);
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(now);
  }

  override set(fields: SpanFields): void {
    this.#span.setAttributes(attributesOf(fields));
  }

  override end(failed: boolean, fields: SpanFields): void {
    this.set(fields);
    if (failed) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end(this.#now());
  }

  #child(name: string, startTime: number, fields: SpanFields): OtelSpan {
    const options = { kind: SpanKind.CLIENT, startTime, attributes: attributesOf(fields) };
    return this.#tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, this.#span));
  }

  #now(): number {
    return this.#timeOrigin + performance.now();
  }
}

/** The names of the fields in traces. Where OpenTelemetry's conventions have a name, this is the name. */
const NAMES = {
  action: "aggregator.action",
  merchant: "aggregator.merchant",
  txId: "aggregator.tx_id",
  attempt: "aggregator.attempt",
  requestId: "aggregator.request_id",
  httpStatus: "http.response.status_code",
  outcome: "aggregator.outcome",
  batchRows: "db.operation.batch.size",
  shared: "aggregator.shared",
} as const satisfies Record<keyof SpanFields, string>;

const attributesOf = (fields: SpanFields): Attributes =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) =>
      value === null || value === undefined ? [] : [[NAMES[key as keyof SpanFields], value]],
    ),
  );

/** Receives the counts of spans that the span processor reports as metrics of its own. */
function countingSpans(ended: (spans: number, how: SpanEnd) => void): MeterProvider {
  const add = (spans: number, attributes: Attributes = {}) => {
    const error = attributes["error.type"];
    ended(spans, error === undefined ? "exported" : error === "queue_full" ? "dropped" : "failed");
  };
  const meter = Object.create(createNoopMeter(), { createCounter: { value: () => ({ add }) } });
  return { getMeter: () => meter };
}
