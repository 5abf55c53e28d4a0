import { type AttemptResult, RESULTS } from "../../../contract/wallet/results.ts";
import { BUCKETS, bucketOf } from "../../domain/values/latency-histogram.ts";
import { wholeMs } from "../../domain/values/whole-ms.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Telemetry, TelemetryListener, WalletCall } from "../../ports/telemetry.ts";
import { ENDINGS, SPANS, type WalletMinutes, type WalletSums } from "../../ports/transactions/wallet-minutes.ts";
import type { WalletPermits } from "../capacity/wallet-permits.ts";
import { Periodic } from "../runtime/periodic.ts";
import type { Settings } from "../runtime/settings.ts";

/** How often this replica stores the sums of minutes that are over. */
const EVERY_MS = 5_000;
/** The maximum of sums that wait because they could not be stored. If there are more, the oldest are deleted. */
const WAITING_MAX = 10_000;

const INDEX = Object.fromEntries(
  Object.entries(RESULTS).map(([result, { group }]) => [result, ENDINGS.indexOf(group)]),
) as Readonly<Record<AttemptResult, number>>;

interface Counts {
  readonly calls: number[];
  balanceCalls: number;
  readonly durations: number[];
  permitsHeld: number;
  breakerPermits: number | null;
}

/**
 * Counts the calls to each merchant's wallet on this replica, and stores the sums of each minute and hour. Counting a
 * call needs two additions. Each merchant with calls needs about a kilobyte of memory.
 */
export class WalletRecorder implements TelemetryListener {
  readonly #store: WalletMinutes;
  readonly #replica: string;
  readonly #permits: WalletPermits;
  readonly #settings: Pick<Settings, "databaseNow">;
  readonly #periodic: Periodic;
  #minute: Map<number, Counts> = new Map();
  #minuteAt: number | undefined;
  #hour: Map<number, Counts> = new Map();
  #hourAt = 0;
  #waiting: WalletSums[] = [];

  /** @param replica - the id of this process. */
  constructor(
    store: WalletMinutes,
    replica: string,
    permits: WalletPermits,
    settings: Pick<Settings, "databaseNow">,
    clock: Clock,
    telemetry: Telemetry,
  ) {
    this.#store = store;
    this.#replica = replica;
    this.#permits = permits;
    this.#settings = settings;
    this.#periodic = new Periodic(
      clock,
      EVERY_MS,
      () => this.#round(),
      (cause) => telemetry.error("storing the sums of wallet calls", cause),
    );
  }

  start(): void {
    this.#minuteAt = minuteOf(this.#settings.databaseNow());
    this.#periodic.start();
  }

  /** Stores the sums of the present minute. */
  async stop(): Promise<void> {
    await this.#periodic.stop();
    if (this.#minuteAt === undefined) return;
    this.#close(this.#minuteAt);
    await this.#flush().catch(() => {});
  }

  /** Counts one call that has ended. */
  walletCall({ merchantId, kind, result, durationMs }: WalletCall): void {
    this.#turn();
    const counts = countsIn(this.#minute, merchantId);
    (counts.calls[INDEX[result]] as number) += 1;
    (counts.durations[bucketOf(durationMs)] as number) += 1;
    if (kind === "balance") counts.balanceCalls += 1;
  }

  async #round(): Promise<void> {
    this.#turn();
    await this.#flush();
  }

  /** Closes the present minute if it is over. */
  #turn(): void {
    if (this.#minuteAt === undefined) return;
    const now = minuteOf(this.#settings.databaseNow());
    // The database's clock may step back a little. Sums of a closed minute must not be replaced by those of its rest.
    if (now === this.#minuteAt || now === this.#minuteAt - SPANS.minute) return;
    this.#close(this.#minuteAt);
    this.#minuteAt = now;
  }

  /** Computes the sums of the minute, and the sums of its hour up to now. */
  #close(minuteAt: number): void {
    const minute = this.#minute;
    this.#minute = new Map();
    const uses = new Map(this.#permits.takeUse().map((use) => [use.merchantId, use]));
    for (const [merchantId, { breakerPermits }] of uses) if (breakerPermits !== null) countsIn(minute, merchantId);
    const hourAt = minuteAt - (minuteAt % SPANS.hour);
    if (hourAt !== this.#hourAt) this.#hour = new Map();
    this.#hourAt = hourAt;
    for (const [merchantId, counts] of minute) {
      const use = uses.get(merchantId);
      counts.permitsHeld = use?.heldMost ?? 0;
      counts.breakerPermits = use?.breakerPermits ?? null;
      const hour = countsIn(this.#hour, merchantId);
      add(hour, counts);
      const sums = { merchantId, permits: use?.permits ?? 0 };
      this.#waiting.push(
        { ...sums, at: wholeMs(minuteAt), span: SPANS.minute, ...counts },
        { ...sums, at: wholeMs(hourAt), span: SPANS.hour, ...copy(hour) },
      );
    }
    this.#waiting = this.#waiting.slice(-WAITING_MAX);
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    await this.#store.store(this.#replica, waiting);
    // A minute may have ended while the statement ran: its sums still wait.
    const stored = new Set(waiting);
    this.#waiting = this.#waiting.filter((sums) => !stored.has(sums));
  }
}

const minuteOf = (time: number): number => time - (time % SPANS.minute);

function countsIn(all: Map<number, Counts>, merchantId: number): Counts {
  let counts = all.get(merchantId);
  if (counts === undefined) {
    const [calls, durations] = [new Array<number>(ENDINGS.length).fill(0), new Array<number>(BUCKETS).fill(0)];
    counts = { calls, balanceCalls: 0, durations, permitsHeld: 0, breakerPermits: null };
    all.set(merchantId, counts);
  }
  return counts;
}

function add(to: Counts, from: Counts): void {
  for (const [i, n] of from.calls.entries()) (to.calls[i] as number) += n;
  for (const [i, n] of from.durations.entries()) (to.durations[i] as number) += n;
  to.balanceCalls += from.balanceCalls;
  to.permitsHeld = Math.max(to.permitsHeld, from.permitsHeld);
  if (from.breakerPermits !== null)
    to.breakerPermits = Math.min(to.breakerPermits ?? from.breakerPermits, from.breakerPermits);
}

const copy = ({ calls, durations, ...others }: Counts): Counts => ({
  ...others,
  calls: [...calls],
  durations: [...durations],
});
