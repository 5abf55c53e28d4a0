// The health check of the container: `health.mjs`, or `health.mjs <port>` for a connector's internal port. It ends with 0 if the service answers. A service that is not ready must not be
// restarted, so this does not ask whether it is ready.
const port = process.argv[2] ?? (process.env.REST_PORT || "8080");
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/health/live`, { signal: AbortSignal.timeout(2_000) });
  process.exit(ok ? 0 : 1);
} catch {
  process.exit(1);
}
