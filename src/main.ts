/**
 * `npm run serve`: the service alone, configured by environment variables. With `--migrate` it first brings the schema
 * up to date.
 */
import { ConfigError, readConfig } from "./config.ts";
import { startService } from "./service.ts";

const unknown = process.argv.slice(2).filter((flag) => flag !== "--migrate");
if (unknown.length > 0) fail(`Unknown option ${unknown.join(" ")}: npm run serve takes --migrate or nothing.`);

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

const started = (async () => startService(readConfig(process.env), { migrate: process.argv.includes("--migrate") }))();
const service = await started.catch((cause: unknown) => {
  if (cause instanceof ConfigError) return fail(cause.message);
  return fail(`The service could not start: ${cause instanceof Error ? cause.message : String(cause)}`);
});

const { rest, grpc, internalGrpc, internalHttp } = service.ports;
console.log(
  `Ready. REST on port ${rest}, gRPC on ${grpc}; inside: gRPC on ${internalGrpc}, Connect and /metrics on ${internalHttp}.`,
);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    // The handler runs only once. So a second signal of the same kind ends the process at once.
    void service.stop().then(() => process.exit(0));
  });
}
