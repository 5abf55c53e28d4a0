import type { MetricValues } from "../ports/metric-values.ts";

/** The ports that the service's listeners are bound to, even if the configuration has 0. */
export interface ServicePorts {
  readonly rest: number;
  readonly grpc: number;
  readonly internalGrpc: number;
  readonly internalHttp: number;
}

/** A message from a worker process to its supervisor. */
export type FromWorker =
  | { readonly kind: "ready"; readonly ports: ServicePorts }
  /** Requests the metrics of all workers. */
  | { readonly kind: "metrics"; readonly id: number }
  /**
   * This worker's metrics. With `id` they answer a request, and null means that they could not be read. Without `id`
   * they are the worker's last ones.
   */
  | { readonly kind: "values"; readonly id?: number; readonly metrics: readonly MetricValues[] | null };

/** A message from the supervisor to a worker process. */
export type ToWorker =
  /** Another worker has replaced this one. It finishes its calls and ends. */
  | { readonly kind: "leave" }
  /** Requests this worker's own metrics. */
  | { readonly kind: "read"; readonly id: number }
  /** `text` is in Prometheus' text format; null: the metrics could not be collected. */
  | { readonly kind: "metrics"; readonly id: number; readonly text: string | null };
