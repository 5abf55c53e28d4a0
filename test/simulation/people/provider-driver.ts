import { transactionBody } from "../../../src/adapters/wallet-http/callback.ts";
import type { MoveRequest } from "../../../src/app/transaction/move-money.ts";
import type { MoveReply } from "../../../src/app/transaction/move-reply.ts";
import type { PlayRequest } from "../../../src/app/transaction/play.ts";
import type { ReverseReply, ReverseRequest } from "../../../src/app/transaction/reverse-transaction.ts";
import type { Result } from "../../../src/domain/errors.ts";
import type { Content, TransactionRequest } from "../../../src/domain/transaction/transaction.ts";
import { keyText, ownTxId } from "../../../src/domain/values/identifiers.ts";
import type { Provider } from "../../../src/ports/settings-store.ts";
import type { RoundKey } from "../../../src/ports/transactions/round-store.ts";
import type { EndOperation, Operation, Outcome } from "../../../testbed/judge/record.ts";
import type { SeededRandom } from "../../../testbed/seeded-random.ts";
import type { ServiceProcess } from "../service/service-process.ts";
import { linkToProvider } from "../world/links.ts";
import type { Replica } from "../world/replica.ts";
import type { Stage } from "../world/stage.ts";
import { isDatabaseFault, MERCHANTS, PROVIDER, sessionId } from "../world/world-fixture.ts";
import { givenLabels, labelled } from "./labels.ts";

const NETWORK_MS = { min: 1, max: 40 };
/** How much longer than its deadline a caller waits for the answer. */
const GRACE_MS = 500;

/** A provider's side of the calls. It sends requests, stops waiting after the deadline, and records the outcomes. */
export class ProviderDriver {
  readonly operations: Operation[] = [];
  readonly ends: EndOperation[] = [];
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
  request(content: TransactionRequest, timeoutMs: number = this.#timeout()): Promise<Outcome> {
    return this.#ask({ content: labelled(content, this.operations.length), timeoutMs });
  }

  /**
   * Sends a Reverse of `content.refTxId` that tells some of what the provider knows.
   *
   * @param content - the refund or rollback that it means.
   */
  reverse(content: TransactionRequest, deliver: boolean, timeoutMs: number = this.#timeout()): Promise<Outcome> {
    return this.#ask({ content, timeoutMs, reverse: { deliver } });
  }

  /** Sends an EndRound. Resolves when its answer came, or when the caller stops waiting. */
  endRound(key: RoundKey): Promise<void> {
    const asked: EndOperation = { key, invokedAt: this.#stage.kernel.now, endedAt: null };
    this.ends.push(asked);
    const replica = this.random.pick(this.#stage.replicas);
    return new Promise((resolve) => {
      this.#stage.kernel.after(this.#timeout(), resolve);
      this.#travel(linkToProvider(replica.number), "request", () => {
        const { app, life } = replica;
        if (app === undefined) return resolve();
        replica.enter(life, () => {
          const answered = () =>
            replica.enter(life, () => {
              asked.endedAt = this.#stage.kernel.now;
              resolve();
            });
          app.ends.end(PROVIDER, { ...key, openedAt: null }).then(answered, (cause: unknown) => {
            if (!isDatabaseFault(cause)) this.bugs.push(String(cause));
            resolve();
          });
        });
      });
    });
  }

  /** Sends a Play. The bet and its win are an operation each, and both are resolved by one reply. */
  play(
    bet: TransactionRequest,
    win: NonNullable<TransactionRequest["win"]>,
    timeoutMs: number = this.#timeout(),
  ): Promise<Outcome> {
    const sent = this.operations.length;
    const invokedAt = this.#stage.kernel.now;
    const content = labelled(win, sent);
    const paid: Operation = {
      content,
      timeoutMs,
      invokedAt,
      endedAt: null,
      outcome: { kind: "unknown" },
      ofPlay: true,
    };
    this.operations.push(paid);
    return this.#ask({ content: labelled(bet, sent), timeoutMs, ofPlay: true }, paid);
  }

  #timeout(): number {
    return this.random.pick([1_500, 4_000, 12_000, 30_000]);
  }

  /** @param paid - the win of a Play. */
  #ask(asked: Pick<Operation, "content" | "timeoutMs" | "reverse" | "ofPlay">, paid?: Operation): Promise<Outcome> {
    const { timeoutMs } = asked;
    const operation: Operation = {
      ...asked,
      invokedAt: this.#stage.kernel.now,
      endedAt: null,
      outcome: { kind: "unknown" },
    };
    this.operations.push(operation);
    const replica = this.random.pick(this.#stage.replicas);
    return new Promise((resolve) => {
      const end = (outcome: Outcome, outcomeOfWin: Outcome = { kind: "unknown" }) => {
        if (operation.endedAt !== null) return;
        if (paid !== undefined) {
          paid.endedAt = this.#stage.kernel.now;
          paid.outcome = outcomeOfWin;
        }
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
        const reply = (...outcomes: Parameters<typeof end>) =>
          replica.enter(life, () => send("reply", () => end(...outcomes)));
        replica.enter(life, () =>
          paid === undefined
            ? this.#serve(replica, operation, reply)
            : this.#serveAPlay(replica, operation, paid, reply),
        );
      });
    });
  }

  /** Runs in the replica's process. */
  #serve(replica: Replica<ServiceProcess>, operation: Operation, done: (outcome: Outcome) => void): void {
    const { app } = replica;
    if (app === undefined) return;
    const { content, timeoutMs, reverse } = operation;
    const request = requestOf(content, app.clock.monotonic() + timeoutMs);
    const served: Promise<Result<MoveReply & Partial<ReverseReply>>> =
      reverse === undefined ? app.moveMoney.move(request) : app.reversals.reverse(reverseOf(request, reverse.deliver));
    served.then(
      (result) => {
        if (reverse !== undefined && result.ok) reverse.as = result.value.outcome as NonNullable<typeof reverse.as>;
        if (result.ok && result.value.txId === "" && reverse !== undefined) done({ kind: "uncalled" });
        else if (!result.ok) done({ kind: "refused", code: result.refusal.code });
        else done({ kind: "ok", status: result.value.status, error: result.value.error, txId: result.value.txId });
      },
      (cause: unknown) => {
        if (!isDatabaseFault(cause))
          this.bugs.push(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
        done({ kind: "unknown" });
      },
    );
  }

  /** Like {@link #serve}. A refusal because of the win says nothing of the bet, and the other way round. */
  #serveAPlay(
    { app }: Replica<ServiceProcess>,
    { content: bet, timeoutMs }: Operation,
    { content: win }: Operation,
    done: (outcome: Outcome, outcomeOfWin?: Outcome) => void,
  ): void {
    if (app === undefined) return;
    const told = ({ status, error, txId }: MoveReply): Outcome => ({ kind: "ok", status, error, txId });
    const unknown: Outcome = { kind: "unknown" };
    app.plays.play(playOf(bet, win, app.clock.monotonic() + timeoutMs)).then(
      (result) => {
        if (!result.ok) {
          const refused: Outcome = { kind: "refused", code: result.refusal.code };
          // The bet was stored with another win. This says nothing of either transaction.
          if (result.refusal.field === "win.tx_id") return done(unknown);
          return result.refusal.field?.startsWith("win.") === true ? done(unknown, refused) : done(refused);
        }
        const { bet: taken, win: paid } = result.value;
        const isUnpaid = paid !== null && paid.status === "failed" && paid.txId === "";
        done(told(taken), paid === null ? unknown : isUnpaid ? { kind: "refused", code: paid.error } : told(paid));
      },
      (cause: unknown) => {
        if (!isDatabaseFault(cause))
          this.bugs.push(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
        done(unknown);
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

/** What the provider tells of the original depends on its round, so that a repeat tells the same. */
const reverseOf = (request: MoveRequest, deliver: boolean): ReverseRequest => {
  const tells = Number(request.roundId.slice("round ".length)) % 2 === 0;
  return {
    ...request,
    refTxId: request.refTxId ?? "",
    kind: tells ? (request.action === "refund" ? "bet" : "win") : null,
    amountMinor: tells ? request.amountMinor : null,
    currency: tells ? request.currency : "",
    roundId: tells ? request.roundId : "",
    unlessSettled: request.unlessSettled === true,
    deliver,
  };
};

/** The provider as a replica knows it before the provider's first end. */
const WITHOUT_ENDS: Provider = { ...PROVIDER, endsRoundsSince: null };

const playOf = (bet: TransactionRequest, win: TransactionRequest, deadline: number): PlayRequest => ({
  provider: PROVIDER,
  sessionId: sessionId(bet.merchantId, bet.playerId),
  roundId: bet.roundId,
  currency: bet.currency,
  game: bet.game.code,
  bet: { txId: ownTxId(bet.txId), amountMinor: bet.amountMinor, ...givenLabels(bet) },
  win: {
    txId: ownTxId(win.txId),
    amountMinor: win.amountMinor,
    settles: win.bet?.settles === true,
    ...givenLabels(win),
  },
  deadline,
});

const requestOf = (content: TransactionRequest, deadline: number): MoveRequest => ({
  provider: content.unlessEnded === true ? PROVIDER : WITHOUT_ENDS,
  action: content.action,
  sessionId: sessionId(content.merchantId, content.playerId),
  playerRef: "",
  txId: ownTxId(content.txId),
  refTxId: content.refTxId === null ? "" : ownTxId(content.refTxId),
  ...(content.bet && { betTxId: ownTxId(content.bet.txId), settles: content.bet.settles }),
  ...givenLabels(content),
  unlessSettled: content.unlessSettled === true,
  ...(content.roundEnded && { roundEnded: true }),
  roundId: content.roundId,
  amountMinor: content.amountMinor,
  currency: content.currency,
  game: content.game.code,
  deadline,
});
