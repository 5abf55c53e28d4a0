/**
 * Traces: a provider's request has a span, and each call to the aggregator a span in it, whose trace the aggregator
 * goes on with. Without a receiver nothing is traced, and OpenTelemetry is not loaded.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { headerPairs, share, tracesReceiver } from "../../../src/domain/access/variable-forms.ts";
import type { Span, Tracing } from "../../../src/ports/tracing.ts";
import { type Settings, text, type Variable } from "../settings.ts";

export const tracingVariables = (api: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    parse: tracesReceiver,
    form: "an http(s) URL without /v1/traces and query",
    example: "http://127.0.0.1:4318",
    meaning: "The receiver of traces; without it traces are off",
    standard: "",
  } satisfies Variable<string>,
  OTEL_EXPORTER_OTLP_HEADERS: {
    parse: headerPairs,
    form: "name=value, separated by commas",
    example: "api-key=abc",
    meaning: "Headers of each request to the receiver",
    standard: {},
    isSecret: true,
  } satisfies Variable<Readonly<Record<string, string>>>,
  OTEL_TRACES_SAMPLER_ARG: {
    parse: share,
    form: "a share, 0 to 1",
    example: "0.01",
    meaning: "The share of requests without a traceparent that begin a trace",
    standard: 0.01,
  } satisfies Variable<number>,
  OTEL_SERVICE_NAME: text("The name of this connector in traces", "hub88-eu", `connector-${api}`),
});

const current = new AsyncLocalStorage<Span>();

/** The headers of a call to the aggregator that is made in the present span. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const span = current.getStore();
  return span === undefined ? {} : { traceparent: span.traceparent };
}

/** Makes a call in a span of its own, if the present request is traced. `outcomeOf`: how it ended. */
export async function traced<T>(name: string, call: () => Promise<T>, outcomeOf: (result: T) => string): Promise<T> {
  const span = current.getStore()?.begin(name, {});
  return span === undefined ? call() : within(span, call, outcomeOf);
}

type Sending = Tracing & { stop(): Promise<void> };

export class Traces {
  readonly #tracing: Sending | undefined;

  private constructor(tracing: Sending | undefined) {
    this.#tracing = tracing;
  }

  /** `ended` gets each number of spans that have left this process. */
  static async start(
    settings: Settings<ReturnType<typeof tracingVariables>>,
    ended: (spans: number, how: string) => void,
  ): Promise<Traces> {
    const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
    if (endpoint === "") return new Traces(undefined);
    const { OtlpTracing } = await import("../../../src/adapters/otlp/otlp-tracing.ts");
    const options = {
      endpoint,
      headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
      serviceName: settings.OTEL_SERVICE_NAME,
      instanceId: randomUUID(),
      ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    };
    return new Traces(new OtlpTracing(options, ended));
  }

  /** Answers a provider's request in a span, if it is traced. `traceparent`: the request's header; empty: none. */
  async request<T>(
    name: string,
    traceparent: string,
    answer: () => Promise<T>,
    outcomeOf: (result: T) => string,
  ): Promise<T> {
    const span = this.#tracing?.request(name, traceparent === "" ? null : traceparent);
    return span === undefined ? answer() : within(span, answer, outcomeOf);
  }

  /** Sends the last spans. */
  async stop(): Promise<void> {
    await this.#tracing?.stop();
  }
}

async function within<T>(span: Span, work: () => Promise<T>, outcomeOf: (result: T) => string): Promise<T> {
  try {
    const result = await current.run(span, work);
    span.end(false, { outcome: outcomeOf(result) });
    return result;
  } catch (cause) {
    span.end(true, {});
    throw cause;
  }
}
