import { transactionBody } from "../../../src/adapters/wallet-http/callback.ts";
import type { MoveRequest } from "../../../src/app/transaction/move-money.ts";
import type { Content, TransactionRequest } from "../../../src/domain/transaction/transaction.ts";
import { keyText, ownTxId } from "../../../src/domain/values/identifiers.ts";
import type { Operation, Outcome } from "../../../testbed/judge/record.ts";
import type { SeededRandom } from "../../../testbed/seeded-random.ts";
import type { ServiceProcess } from "../service/service-process.ts";
import { linkToProvider } from "../world/links.ts";
import type { Replica } from "../world/replica.ts";
import type { Stage } from "../world/stage.ts";
import { isDatabaseFault, MERCHANTS, PROVIDER, sessionId } from "../world/world-fixture.ts";

const NETWORK_MS = { min: 1, max: 40 };
/** How much longer than its deadline a caller waits for the answer. */
const GRACE_MS = 500;

/** A provider's side of the calls. It sends requests, stops waiting after the deadline, and records the outcomes. */
export class ProviderDriver {
  readonly operations: Operation[] = [];
  readonly bugs: string[] = [];
  /** Keys of the transactions that {@link forget} applied. */
  readonly forgotten = new Set<string>();
  /** The flows also draw their random numbers from it. */
  readonly random: SeededRandom;
  readonly #stage: Stage;

  constructor(stage: Stage, random: SeededRandom) {
    this.#stage = stage;
    this.random = random;
  }

  /**
   * The wallet has applied this transaction, and the service has lost its row, as after the restore of an old backup.
   */
  forget(content: Content): void {
    const merchant = MERCHANTS.find(({ id }) => id === content.merchantId);
    if (merchant === undefined || !this.#stage.ledger.apply(merchant.code, JSON.parse(transactionBody(content))).ok)
      return;
    this.forgotten.add(keyText(content));
    this.#stage.wallets.appliedAt.set(keyText(content), this.#stage.kernel.now);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#stage.kernel.after(ms, resolve));
  }

  /** Sends a request to a random replica. Resolves with the outcome that the provider saw. */
  request(
    content: TransactionRequest,
    timeoutMs: number = this.random.pick([1_500, 4_000, 12_000, 30_000]),
  ): Promise<Outcome> {
    const operation: Operation = {
      content,
      invokedAt: this.#stage.kernel.now,
      timeoutMs,
      endedAt: null,
      outcome: { kind: "unknown" },
    };
    this.operations.push(operation);
    const replica = this.random.pick(this.#stage.replicas);
    return new Promise((resolve) => {
      const end = (outcome: Outcome) => {
        if (operation.endedAt !== null) return;
        operation.endedAt = this.#stage.kernel.now;
        operation.outcome = outcome;
        giveUp();
        resolve(outcome);
      };
      const giveUp = this.#stage.kernel.after(timeoutMs + GRACE_MS, () => end({ kind: "unknown" }));
      const send = (what: string, arrive: () => void) => this.#travel(linkToProvider(replica.number), what, arrive);
      send("request", () => {
        // No process listens: the connection is refused.
        if (replica.app === undefined) return end({ kind: "unknown" });
        const { life } = replica;
        replica.enter(life, () =>
          this.#serve(replica, content, timeoutMs, (outcome) =>
            replica.enter(life, () => send("reply", () => end(outcome))),
          ),
        );
      });
    });
  }

  /** Runs in the replica's process. */
  #serve(
    replica: Replica<ServiceProcess>,
    content: TransactionRequest,
    timeoutMs: number,
    done: (outcome: Outcome) => void,
  ): void {
    const { app } = replica;
    if (app === undefined) return;
    app.moveMoney.move(requestOf(content, app.clock.monotonic() + timeoutMs)).then(
      (result) => {
        if (!result.ok) done({ kind: "refused", code: result.refusal.code });
        else done({ kind: "ok", status: result.value.status, error: result.value.error, txId: result.value.txId });
      },
      (cause: unknown) => {
        if (!isDatabaseFault(cause))
          this.bugs.push(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
        done({ kind: "unknown" });
      },
    );
  }

  /** Delivers a request or reply in one direction, unless it is lost. */
  #travel(link: string, what: string, arrive: () => void): void {
    const { kernel, links, faults, fired } = this.#stage;
    if (this.random.chance(faults.callerLost)) return fired.count("callerLost", what);
    kernel.after(this.random.ms(NETWORK_MS), () => links.pass(link, what, arrive));
  }
}

const requestOf = (content: TransactionRequest, deadline: number): MoveRequest => ({
  provider: PROVIDER,
  action: content.action,
  sessionId: sessionId(content.merchantId, content.playerId),
  playerRef: "",
  txId: ownTxId(content.txId),
  refTxId: content.refTxId === null ? "" : ownTxId(content.refTxId),
  ...(content.bet && { betTxId: ownTxId(content.bet.txId), settles: content.bet.settles }),
  unlessSettled: content.unlessSettled === true,
  roundId: content.roundId,
  amountMinor: content.amountMinor,
  currency: content.currency,
  game: content.game.code,
  deadline,
});
