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
  | { readonly kind: "metrics"; readonly id: number };

/** A message from the supervisor to a worker process. */
export type ToWorker =
  /** Another worker has replaced this one. It finishes its calls and ends. */
  | { readonly kind: "leave" }
  /** `text` is in Prometheus' text format; null: the metrics could not be collected. */
  | { readonly kind: "metrics"; readonly id: number; readonly text: string | null };
