import type { Container } from "inversify";
import { LogsAndMetrics } from "../adapters/telemetry/telemetry.ts";
import type { Config } from "../config.ts";
import { PROCESS_ID, TRACING } from "./tokens.ts";

/**
 * Binds the tracing. OpenTelemetry is loaded only if traces are on.
 *
 * @returns a function that sends the last spans.
 */
export async function bindTracing(container: Container, { traces }: Config): Promise<() => Promise<void>> {
  if (traces === null) {
    container.bind(TRACING).toConstantValue(null);
    return async () => {};
  }
  const { OtlpTracing } = await import("../adapters/otlp/otlp-tracing.ts");
  const options = { ...traces, instanceId: container.get(PROCESS_ID) };
  const tracing = new OtlpTracing(options, container.get(LogsAndMetrics).metrics.traceSpans);
  container.bind(TRACING).toConstantValue(tracing);
  return () => tracing.stop();
}
