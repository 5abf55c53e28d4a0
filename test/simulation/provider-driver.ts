import type { Ledger } from "../../sandbox/merchant/ledger.ts";
import { transactionBody } from "../../src/adapters/wallet-http/callback.ts";
import type { MoveRequest } from "../../src/app/move-money.ts";
import { keyText, ownTxId } from "../../src/domain/identifiers.ts";
import type { Content } from "../../src/domain/transaction.ts";
import type { Faults } from "./faults.ts";
import type { Kernel } from "./kernel.ts";
import type { Operation, Outcome } from "./record.ts";
import type { Replica } from "./replica.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { ServiceProcess } from "./service-process.ts";
import { isDatabaseFault, MERCHANTS, PROVIDER, sessionId } from "./world-fixture.ts";

const NETWORK_MS = { min: 1, max: 40 };
/** How much longer than its deadline a caller waits for the answer. */
const GRACE_MS = 500;

/** A provider's side of the calls: sends, times out, and writes down what it saw. */
export class ProviderDriver {
  readonly operations: Operation[] = [];
  readonly bugs: string[] = [];
  /** Keys of what {@link forget} applied. */
  readonly forgotten = new Set<string>();
  /** Also what the flows are drawn from. */
  readonly random: SeededRandom;
  readonly #kernel: Kernel;
  readonly #replicas: readonly Replica<ServiceProcess>[];
  readonly #faults: Faults;

  readonly #ledger: Ledger;

  constructor(kernel: Kernel, replicas: readonly Replica<ServiceProcess>[], faults: Faults, random: SeededRandom, ledger: Ledger) {
    this.#ledger = ledger;
    this.#kernel = kernel;
    this.#replicas = replicas;
    this.#faults = faults;
    this.random = random;
  }

  /** The wallet applied this once, and the service has lost its memory of it: a database restored from yesterday. */
  forget(content: Content): void {
    const merchant = MERCHANTS.find(({ id }) => id === content.merchantId);
    if (merchant !== undefined && this.#ledger.apply(merchant.code, JSON.parse(transactionBody(content))).ok) this.forgotten.add(keyText(content));
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#kernel.after(ms, resolve));
  }

  /** Sends a request to some replica; resolves with what the provider came to know. */
  request(content: Content, timeoutMs: number = this.random.pick([1_500, 4_000, 12_000, 30_000])): Promise<Outcome> {
    const operation: Operation = { content, invokedAt: this.#kernel.now, timeoutMs, endedAt: null, outcome: { kind: "unknown" } };
    this.operations.push(operation);
    const replica = this.random.pick(this.#replicas);
    return new Promise((resolve) => {
      const end = (outcome: Outcome) => {
        if (operation.endedAt !== null) return;
        operation.endedAt = this.#kernel.now;
        operation.outcome = outcome;
        giveUp();
        resolve(outcome);
      };
      const giveUp = this.#kernel.after(timeoutMs + GRACE_MS, () => end({ kind: "unknown" }));
      if (this.random.chance(this.#faults.callerLost)) return;
      this.#kernel.after(this.#network(), () => {
        // Nobody listens: the connection is refused.
        if (replica.app === undefined) return end({ kind: "unknown" });
        const { life } = replica;
        replica.enter(life, () => this.#serve(replica, content, timeoutMs, (outcome) => replica.enter(life, () => this.#reply(outcome, end))));
      });
    });
  }

  /** In the replica's process. */
  #serve(replica: Replica<ServiceProcess>, content: Content, timeoutMs: number, done: (outcome: Outcome) => void): void {
    const { app } = replica;
    if (app === undefined) return;
    app.moveMoney.move(requestOf(content, app.clock.monotonic() + timeoutMs)).then(
      (result) => {
        if (!result.ok) done({ kind: "refused", code: result.refusal.code });
        else done({ kind: "ok", status: result.value.status, error: result.value.error, txId: result.value.txId });
      },
      (cause: unknown) => {
        if (!isDatabaseFault(cause)) this.bugs.push(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
        done({ kind: "unknown" });
      },
    );
  }

  #reply(outcome: Outcome, end: (outcome: Outcome) => void): void {
    if (this.random.chance(this.#faults.callerLost)) return;
    this.#kernel.after(this.#network(), () => end(outcome));
  }

  #network(): number {
    return this.random.int(NETWORK_MS.min, NETWORK_MS.max);
  }
}

const requestOf = (content: Content, deadline: number): MoveRequest => ({
  provider: PROVIDER,
  action: content.action,
  sessionId: sessionId(content.merchantId, content.playerId),
  playerRef: "",
  txId: ownTxId(content.txId),
  refTxId: content.refTxId === null ? "" : ownTxId(content.refTxId),
  roundId: content.roundId,
  amountMinor: content.amountMinor,
  currency: content.currency,
  game: content.game.code,
  deadline,
});
