import { GrpcGameLauncher } from "./adapters/provider-grpc/grpc-game-launcher.ts";
import type { Database } from "./adapters/sql/connection/database.ts";
import { ensureDurable } from "./adapters/sql/connection/durability.ts";
import { assertSchema, migrate } from "./adapters/sql/schema/migrate.ts";
import { LogsAndMetrics } from "./adapters/telemetry/telemetry.ts";
import { HttpWallet } from "./adapters/wallet-http/http-wallet.ts";
import { LoadShedder } from "./app/capacity/load-shedder.ts";
import { Readiness } from "./app/capacity/readiness.ts";
import { Replicas } from "./app/capacity/replicas.ts";
import { WalletPermits } from "./app/capacity/wallet-permits.ts";
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
import type { Overrides } from "./container/outside.ts";
import { DATABASE } from "./container/tokens.ts";
import { signatureFlaw } from "./domain/signing/signing-self-test.ts";
import { Clock, sleep } from "./ports/clock.ts";
import { Telemetry } from "./ports/telemetry.ts";
import { createTransports } from "./transports.ts";

/** How much longer than the wallet's time-out a stop waits for listeners, and then for what is in flight. */
const STOP_MARGIN_MS = 4_000;
const IDLE_POLL_MS = 20;
/** So often health checks over gRPC are told whether this replica is ready. */
const HEALTH_EVERY_MS = 250;
/** A database that was started again may have forgotten that it is to be durable. */
const DURABLE_EVERY_MS = 10_000;

export interface Service {
  /** The ports that were bound: what 0 in the configuration became. */
  readonly ports: { readonly rest: number; readonly grpc: number; readonly internalGrpc: number; readonly internalHttp: number };
  /**
   * Takes nothing new, finishes what is in flight, lets go of the database: within DRAIN_DELAY_MS + 2 × (WALLET_TIMEOUT_MS + 4 s), whatever
   * hangs. Every call gives the same end.
   */
  stop(): Promise<void>;
}

export interface StartOptions extends Overrides {
  /** Bring the schema up to date first; without, another schema is refused. */
  readonly migrate?: boolean;
}

/**
 * Starts everything, in the order in which it can be used.
 *
 * @throws Error in words for whoever started it: no database, another schema, a port in use.
 */
export async function startService(config: Config, options: StartOptions = {}): Promise<Service> {
  const flaw = signatureFlaw();
  if (flaw !== undefined) throw new Error(`signatures are not checked as they should be: ${flaw}`);
  const container = createContainer(config, options);
  const database = container.get(DATABASE);
  const clock = container.get(Clock);
  const withinMs = config.walletTimeoutMs + STOP_MARGIN_MS;
  /** When a stop is over, whatever hangs, by Clock.monotonic(). */
  let stoppedBy = Number.POSITIVE_INFINITY;
  const leftMs = () => Math.max(0, stoppedBy - clock.monotonic());
  /** Work beside the requests that was told to end. The listeners close without waiting for it; wallets' connections and the database stay open for it. */
  const ending: Promise<unknown>[] = [];
  const toEnd = (stop: () => Promise<unknown>) => () => void ending.push(stop());
  /** What to undo at the end, or when a later step fails: last first. */
  const undo: (() => void | Promise<void>)[] = [() => database.close(leftMs()), () => atMost(clock, leftMs(), Promise.allSettled(ending))];
  const unwind = async () => {
    stoppedBy = clock.monotonic() + config.drainDelayMs + 2 * withinMs;
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    if (options.migrate === true) await migrate(database);
    else await assertSchema(database);
    const durability = keepDurable(database, container.get(Telemetry));
    await durability();

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
    observe(container.get(LogsAndMetrics), settings, loadShedder, container.get(WalletPermits), census);

    const [transact, slips] = [container.get(Transact), container.get(Slips)];
    undo.push(async () => {
      const until = clock.monotonic() + withinMs;
      // A worker's last round may still begin a call.
      await atMost(clock, withinMs, Promise.allSettled(ending));
      // Answered pending or not, a call that began is finished and settled.
      while (transact.active + slips.active > 0 && clock.monotonic() < until) await sleep(clock, IDLE_POLL_MS);
    });

    const readiness = new Readiness(settings, replicas, container.get(BatchedRows), clock);
    const transports = createTransports(container, config, () => readiness.reasons());
    const { rest, grpc, internalGrpc, internalHttp } = transports;
    const listeners = Object.values(transports);
    undo.push(async () => void (await Promise.all(listeners.map((one) => one.stop(withinMs)))));
    const ports = { rest: await rest.start(), grpc: await grpc.start(), internalGrpc: await internalGrpc.start(), internalHttp: await internalHttp.start() };

    const tellHealth = () => {
      for (const server of [grpc, internalGrpc]) server.setServing(readiness.reasons().length === 0);
    };
    const report = (cause: unknown) => container.get(Telemetry).error("watch", cause);
    const watches = [new Periodic(clock, HEALTH_EVERY_MS, async () => tellHealth(), report), new Periodic(clock, DURABLE_EVERY_MS, durability, report)];
    for (const watch of watches) watch.start();
    undo.push(toEnd(() => Promise.all(watches.map((watch) => watch.stop()))));

    loadShedder.start();
    undo.push(() => loadShedder.stop());
    const beside = [container.get(Sequencer), container.get(ResendWorker), container.get(SlipWorker), container.get(Janitor), container.get(GgrAudit)];
    for (const one of beside) one.start();
    undo.push(toEnd(() => Promise.all(beside.map((one) => one.stop()))));
    undo.push(async () => {
      readiness.drain();
      tellHealth();
      // Load balancers need a moment to notice.
      await sleep(clock, config.drainDelayMs);
    });

    let ended: Promise<void> | undefined;
    return {
      ports,
      stop: () => {
        ended ??= unwind();
        return ended;
      },
    };
  } catch (cause) {
    await unwind();
    throw cause;
  }
}

/** Resolves when the work is over, or after `ms`. */
async function atMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = clock.after(ms, late.resolve);
  await Promise.race([work, late.promise]);
  cancel();
}

/** Warns once for each thing that keeps the database from being durable. */
function keepDurable(database: Database, telemetry: Telemetry): () => Promise<void> {
  let told: string | undefined;
  return async () => {
    const warning = await ensureDurable(database);
    if (warning !== undefined && warning !== told) telemetry.error("the database may lose what it acknowledged", new Error(warning));
    told = warning;
  };
}

function observe(metrics: LogsAndMetrics, settings: Settings, loadShedder: LoadShedder, permits: WalletPermits, census: PendingCensus): void {
  metrics.observe({
    inFlight: () => loadShedder.inFlight,
    eventLoopLateMs: () => loadShedder.latenessMs(),
    pending: () => census.take(),
    limitedMerchants: () =>
      permits.limited().map(({ merchantId, limit }) => ({ merchant: settings.merchantById(merchantId)?.code ?? String(merchantId), limit })),
  });
}
