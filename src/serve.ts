/**
 * The process of `npm run serve`. With PROCESSES above 1 this process only supervises, and its workers run the same
 * main file.
 */
import cluster from "node:cluster";
import { openLog, standardOutput } from "./adapters/telemetry/log-output.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { type Adjust, type Service, type StartOptions, startService } from "./service.ts";
import type { ServicePorts } from "./workers/messages.ts";
import { Supervisor } from "./workers/supervisor.ts";
import { SupervisorLink } from "./workers/supervisor-link.ts";

const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs the service, as this process's arguments and environment variables say.
 *
 * @param adjust - changes the objects of the service. Only main files of tests pass it.
 */
export async function serve(adjust?: Adjust): Promise<void> {
  // Node writes warnings to standard error. A full disk there must not end the service.
  process.stderr.on("error", () => {});
  const unknown = process.argv.slice(2).filter((flag) => flag !== "--migrate");
  if (unknown.length > 0) fail(`Unknown option ${unknown.join(" ")}: npm run serve takes --migrate or nothing.`);
  const config = configuration();
  const start = (metricsOfAll?: () => Promise<string>) => startOrFail(config, { metricsOfAll, adjust });
  if (cluster.isWorker) await work(start);
  else if (config.processes > 1) await supervise(config.processes);
  else await alone(start);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

function configuration(): Config {
  try {
    return readConfig(process.env);
  } catch (cause) {
    if (cause instanceof ConfigError) return fail(cause.message);
    throw cause;
  }
}

type Start = (metricsOfAll?: () => Promise<string>) => Promise<Service>;

/** Runs the service in this process. */
async function alone(start: Start): Promise<void> {
  // Without a handler the signal would end the process, and calls would fail.
  process.on("SIGHUP", () =>
    openLog().warn("SIGHUP replaces workers, and PROCESSES is 1. This process goes on. Restart it to load changes."),
  );
  const service = await start();
  announce(service.ports);
  stopOnSignal(() => service.stop());
}

/** Runs the service as one of several workers. */
async function work(start: Start): Promise<void> {
  const supervisor = new SupervisorLink();
  // A terminal, and systemd with KillMode=control-group, signal the workers as well as the supervisor. The supervisor
  // answers SIGHUP by replacing the workers, so a worker must not end by it.
  process.on("SIGHUP", () => {});
  const service = await start(() => supervisor.metrics());
  // The supervisor passes a stop on, so a worker may get it twice. A second signal does not end calls here: the
  // supervisor kills its workers at its own second signal, and a worker ends at once when its supervisor dies.
  for (const signal of STOP_SIGNALS) process.on(signal, () => void supervisor.stop());
  supervisor.serve(service);
}

async function supervise(processes: number): Promise<void> {
  const supervisor = new Supervisor(processes, openLog());
  // A second signal also ends the workers at once.
  stopOnSignal(
    () => supervisor.stop(),
    () => supervisor.kill(),
  );
  process.on("SIGHUP", () => void supervisor.reload());
  const ports = await supervisor.start();
  if (ports !== undefined) return announce(ports);
  supervisor.kill();
  process.exit(1);
}

/** The message of an error, and of the errors that caused it: "the database: unavailable" alone does not say why. */
function reasonsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonsOf(error.cause)}`;
}

async function startOrFail(config: Config, options: StartOptions): Promise<Service> {
  try {
    return await startService(config, { ...options, migrate: process.argv.includes("--migrate") });
  } catch (cause) {
    return fail(`The service could not start: ${reasonsOf(cause)}`);
  }
}

function announce({ rest, grpc, internalGrpc, internalHttp }: ServicePorts): void {
  standardOutput.write(
    `Ready. REST on port ${rest}, gRPC on ${grpc}; inside: gRPC on ${internalGrpc}, Connect and /metrics on ${internalHttp}. The back office is at /console/ on ${internalHttp}.\n`,
  );
}

/** A second signal of the same kind ends the process at once, after `atOnce`. */
function stopOnSignal(stop: () => Promise<void>, atOnce: () => void = () => {}): void {
  for (const signal of STOP_SIGNALS) {
    process.once(signal, () => {
      process.once(signal, () => {
        atOnce();
        process.kill(process.pid, signal);
      });
      void stop().then(() => process.exit(0));
    });
  }
}
