import grpc from "@grpc/grpc-js";

const OPTIONS = {
  // After an outage grpc-js would wait up to two minutes before it connects again.
  "grpc.max_reconnect_backoff_ms": 2_000,
  // The service is on this machine or in this network. So http_proxy and its relatives don't count, and DNS gives no
  // settings.
  "grpc.enable_http_proxy": 0,
  "grpc.service_config_disable_resolution": 1,
};

/** A client of one of the service's gRPC services. `address`: host:port, without TLS. */
export const grpcClient = (Service: grpc.ServiceClientConstructor, address: string): grpc.Client =>
  new Service(address, grpc.credentials.createInsecure(), OPTIONS);
