import type { Container } from "inversify";
import { GrpcGameLauncher } from "./adapters/provider-grpc/grpc-game-launcher.ts";
import { poolStates } from "./adapters/sql/connection/measure.ts";
import { ServerWatch } from "./adapters/sql/connection/server-watch.ts";
import { assertSchema, migrate } from "./adapters/sql/schema/migrate.ts";
import type { Metrics } from "./adapters/telemetry/metrics.ts";
import { LogsAndMetrics } from "./adapters/telemetry/telemetry.ts";
import { HttpWallet } from "./adapters/wallet-http/http-wallet.ts";
import { LoadShedder } from "./app/capacity/load-shedder.ts";
import { Readiness } from "./app/capacity/readiness.ts";
import { Replicas } from "./app/capacity/replicas.ts";
import { WalletPermits } from "./app/capacity/wallet-permits.ts";
import { AlertCloser } from "./app/console/alerts/alert-closer.ts";
import { AlertRecorder } from "./app/console/alerts/alert-recorder.ts";
import { RaisedAlerts } from "./app/console/alerts/raised-alerts.ts";
import { SourceRecorder } from "./app/console/source-recorder.ts";
import { WalletRecorder } from "./app/console/wallet-recorder.ts";
import { CatchUp } from "./app/feed/catch-up.ts";
import { GgrAudit } from "./app/feed/ggr-audit.ts";
import { PendingCensus } from "./app/feed/pending-census.ts";
import { Sequencer } from "./app/feed/sequencer.ts";
import { Janitor } from "./app/runtime/janitor.ts";
import { Periodic } from "./app/runtime/periodic.ts";
import { Settings } from "./app/runtime/settings.ts";
import { SlipWorker } from "./app/sportsbook/slip-worker.ts";
import { Slips } from "./app/sportsbook/slips.ts";
import { BatchedRows } from "./app/transaction/batched-rows.ts";
import { ResendWorker } from "./app/transaction/resend-worker.ts";
import { Transact } from "./app/transaction/transact.ts";
import type { Config } from "./config.ts";
import { createContainer } from "./container/container.ts";
import { DATABASE } from "./container/tokens.ts";
import { bindTracing } from "./container/tracing.ts";
import { signatureFlaw } from "./domain/signing/signing-self-test.ts";
import { Clock, sleep } from "./ports/clock.ts";
import { Telemetry } from "./ports/telemetry.ts";
import { createTransports } from "./transports.ts";
import type { ServicePorts } from "./workers/messages.ts";
import { SharedRead } from "./workers/shared-read.ts";

/**
 * A stop waits for as long as the wallet's time-out and this time together. It does so twice: first for the listeners,
 * then for the transactions in flight.
 */
const STOP_MARGIN_MS = 4_000;
/** The longest time that a stop waits for the receiver of traces. */
const LAST_SPANS_MS = 1_000;
const IDLE_POLL_MS = 20;
/** How often the gRPC health service gets the state of this replica. */
const HEALTH_EVERY_MS = 250;
/** How often the service checks that the database is durable. A restarted database may have lost that setting. */
const SERVER_EVERY_MS = 10_000;

export interface Service {
  readonly ports: ServicePorts;
  /** The metrics of this process, for a supervisor that adds up those of several processes. */
  readonly metrics: Pick<Metrics, "values" | "counters">;
  /**
   * Refuses new work, finishes the transactions in flight and closes the database. This takes at most DRAIN_DELAY_MS +
   * 2 × (WALLET_TIMEOUT_MS + 4 s), whatever hangs. Further calls return the same promise.
   *
   * @param options.staysReady - health checks still say that the service is ready, because another process serves the
   * same ports.
   */
  stop(options?: { readonly staysReady: boolean }): Promise<void>;
}

/** Changes what the container creates. It is called before the container creates anything. */
export type Adjust = (container: Container) => void;

export interface StartOptions {
  /**
   * Whether the start first brings the schema up to date. Without this, the start fails if the schema is another one.
   */
  readonly migrate?: boolean;
  /** Collects the metrics of all processes on the same ports, for GET /metrics. By default there is only this process. */
  readonly metricsOfAll?: (() => Promise<string>) | undefined;
  readonly logLevel?: string;
  /** Only tests and measurements pass it. */
  readonly adjust?: Adjust | undefined;
}

/**
 * Starts all parts of the service in the order of their dependencies.
 *
 * @throws Error with a text for the operator, for example: no database, another schema, a port in use.
 */
export async function startService(config: Config, options: StartOptions = {}): Promise<Service> {
  const flaw = signatureFlaw();
  if (flaw !== undefined) throw new Error(`signatures are not checked as they should be: ${flaw}`);
  const container = createContainer(config, options.logLevel);
  options.adjust?.(container);
  const logsAndMetrics = container.get(LogsAndMetrics);
  const recorders = [container.get(RaisedAlerts), container.get(WalletRecorder), container.get(SourceRecorder)];
  for (const recorder of recorders) logsAndMetrics.listen(recorder);
  const sendLastSpans = await bindTracing(container, config);
  const database = container.get(DATABASE);
  const clock = container.get(Clock);
  const withinMs = config.walletTimeoutMs + STOP_MARGIN_MS;
  /** The time by which a stop must have ended, by Clock.monotonic(). */
  let stoppedBy = Number.POSITIVE_INFINITY;
  let staysReady = false;
  const leftMs = () => Math.max(0, stoppedBy - clock.monotonic());
  /**
   * Background work that is ending. The listeners close without waiting for this work. The wallets' connections and the
   * database stay open until it has ended.
   */
  const ending: Promise<unknown>[] = [];
  const toEnd = (stop: () => Promise<unknown>) => () => void ending.push(stop());
  /** The steps of a stop. They also run if the start fails. The last step of the list runs first. */
  const undo: (() => void | Promise<void>)[] = [
    () => database.close(leftMs()),
    () => atMost(clock, Math.min(LAST_SPANS_MS, leftMs()), sendLastSpans()),
    () => atMost(clock, leftMs(), Promise.allSettled(ending)),
  ];
  const unwind = async () => {
    stoppedBy = clock.monotonic() + config.drainDelayMs + 2 * withinMs;
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    if (options.migrate === true) await migrate(database);
    else await assertSchema(database);
    const server = new ServerWatch(database, container.get(Telemetry), clock);
    await server.check();

    const settings = container.get(Settings);
    await settings.start();
    undo.push(() => settings.stop());
    const replicas = container.get(Replicas);
    await replicas.start();
    undo.push(toEnd(() => replicas.stop()));
    const loadShedder = container.get(LoadShedder);
    const [wallet, launcher] = [container.get(HttpWallet), container.get(GrpcGameLauncher)];
    undo.push(
      () => wallet.close(),
      () => launcher.close(),
    );
    const census = container.get(PendingCensus);
    undo.push(toEnd(() => census.stop()));

    const [transact, slips] = [container.get(Transact), container.get(Slips)];
    undo.push(async () => {
      const until = clock.monotonic() + withinMs;
      // The last round of a worker may still begin a wallet call.
      await atMost(clock, withinMs, Promise.allSettled(ending));
      // A call that has begun is finished and recorded, even if its caller has already got PENDING.
      while (transact.active + slips.active > 0 && clock.monotonic() < until) await sleep(clock, IDLE_POLL_MS);
    });

    const readiness = new Readiness(settings, replicas, container.get(BatchedRows), clock);
    const sequencer = container.get(Sequencer);
    const permits = container.get(WalletPermits);
    const { metrics } = logsAndMetrics;
    metrics.observe({
      inFlight: () => loadShedder.inFlight,
      inFlightLimit: config.maxInFlight,
      eventLoopLateMs: () => loadShedder.lateMs,
      settingsAgeMs: () => clock.monotonic() - settings.readAt,
      feedLagMs: () => sequencer.lagMs,
      feedScanAgeMs: () => sequencer.scanAgeMs,
      ready: () => readiness.reasons().length === 0,
      replicas: () => replicas.live,
      connections: () => poolStates(database),
      pending: () => census.take(),
      limitedMerchants: () =>
        permits.limited().map(({ merchantId, limit }) => ({
          merchant: settings.merchantById(merchantId)?.code ?? String(merchantId),
          limit,
        })),
    });
    const metricsText = new SharedRead(options.metricsOfAll ?? (() => metrics.text()));
    const transports = createTransports(container, config, {
      notReady: () => readiness.reasons(),
      warnings: () => (server.hasFault ? ["database_unsafe"] : []),
      metrics: () => metricsText.get(),
    });
    const { rest, grpc, internalGrpc, internalHttp } = transports;
    const listeners = Object.values(transports);
    undo.push(async () => void (await Promise.all(listeners.map((one) => one.stop(withinMs)))));
    const ports = {
      rest: await rest.start(),
      grpc: await grpc.start(),
      internalGrpc: await internalGrpc.start(),
      internalHttp: await internalHttp.start(),
    };

    const updateHealth = () => {
      for (const server of [grpc, internalGrpc]) server.setServing(readiness.reasons().length === 0);
    };
    const report = (cause: unknown) => container.get(Telemetry).error("watch", cause);
    const watches = [
      new Periodic(clock, HEALTH_EVERY_MS, async () => updateHealth(), report),
      new Periodic(clock, SERVER_EVERY_MS, () => server.check(), report),
    ];
    for (const watch of watches) watch.start();
    undo.push(toEnd(() => Promise.all(watches.map((watch) => watch.stop()))));

    loadShedder.start();
    undo.push(() => loadShedder.stop());
    const backgroundWork = [
      sequencer,
      container.get(ResendWorker),
      container.get(SlipWorker),
      container.get(Janitor),
      container.get(GgrAudit),
      container.get(CatchUp),
      container.get(WalletRecorder),
      container.get(AlertRecorder),
      container.get(AlertCloser),
      container.get(SourceRecorder),
    ];
    for (const one of backgroundWork) one.start();
    undo.push(toEnd(() => Promise.all(backgroundWork.map((one) => one.stop()))));
    undo.push(async () => {
      rest.drain();
      if (!staysReady) {
        readiness.drain();
        updateHealth();
      }
      // In this time load balancers notice the state, and clients finish their requests on open connections.
      await sleep(clock, config.drainDelayMs);
    });

    let ended: Promise<void> | undefined;
    return {
      ports,
      metrics,
      stop: (stopOptions) => {
        staysReady = stopOptions?.staysReady === true;
        ended ??= unwind();
        return ended;
      },
    };
  } catch (cause) {
    await unwind();
    throw cause;
  }
}

/** Waits until the work is over, but at most `ms`. */
async function atMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = clock.after(ms, late.resolve);
  await Promise.race([work, late.promise]);
  cancel();
}
